// The head of the page and its tables.

const LONG_LIST = 200, SHORT_LIST = 25, PAPER_LIST = 50;

function tile(title, big, small, kind) {
    return make("div", {class: `tile ${kind || ""}`}, make("dt", {}, title),
                make("dd", {class: "big"}, big), make("dd", {class: "small"}, small));
}

function showTiles(plan) {
    const {figures, devices} = plan, time = figures.objective === "time";
    const top = figures.peak.reduce((best, peak, d) => BigInt(peak) > BigInt(figures.peak[best]) ? d : best, 0);
    const cap = devices.length > 0 ? Number(devices[top].cap) : 0;
    const bound = (key, words) => figures.bounds[key] === null ? "no bound is known" :
        [Number(figures.bounds[key]) > 0 ? `${inRatio(key === "time" ? figures.makespan : figures.max_peak, figures.bounds[key])} × bound ` : "bound ",
         figure(`bounds.${key}`, figures.bounds[key], words(figures.bounds[key]))];
    const tiles = [
        tile("Makespan", figure("makespan", figures.makespan, inTicks(figures.makespan)), bound("time", inTicks), time ? "first" : ""),
        tile("Greatest peak", figure("max_peak", figures.max_peak, inBytes(figures.max_peak)),
             [...[bound("memory", inBytes)].flat(), devices.length > 0 ? make("br") : null, devices.length > 0 ? `on ${devices[top].name}, ${cap > 0 ? `cap ${inBytes(cap)}` : "no cap"}` : ""],
             time ? "" : "first"),
        tile("Transfers", figure("transfers.count", figures.transfers.count, inCount(figures.transfers.count)),
             [figure("transfers.bytes", figures.transfers.bytes, inBytes(figures.transfers.bytes)), " in all"]),
        tile("Graph", [figure("ops", figures.ops, inCount(figures.ops)), Number(figures.ops) === 1 ? " op" : " ops"],
             [figure("tensors", figures.tensors, things(figures.tensors, "tensor")), ", ",
              figure("control_edges", figures.control_edges, things(figures.control_edges, "control edge")), ", ",
              figure("parameters", figures.parameters, things(figures.parameters, "parameter"))])];
    const excess = figure("excess", figures.excess, inBytes(figures.excess));
    if (Number(figures.excess) > 0)
        tiles.splice(1, 0, tile("Above the caps", excess, "the plan does not fit", "bad"));
    byId("tiles").append(...tiles);
}

function showHead(plan) {
    const {figures, made} = plan, name = plan.title || plan.graph || "graph";
    const short = name.slice(name.lastIndexOf("/") + 1) || name;
    document.title = `${short} – REGAL report`;
    byId("title").textContent = short;
    byId("subtitle").append(figure("ops-lead", figures.ops, things(figures.ops, "op")), " on ",
        figure("devices", figures.devices, things(figures.devices, "device")),
        `, made for the least ${figures.objective === "time" ? "time" : "peak memory"}`);
    showTiles(plan);
    const facts = [made.search && `search ${made.search}`, made.encoding && `${made.encoding} keys`,
        made.policy && (made.policy === "none" ? "no policy" : `policy ${made.policy}`), made.origin && `best from ${made.origin}`,
        made.evaluations !== null && `${things(made.evaluations, "evaluation")} in ${inSeconds(made.seconds)}`,
        made.stopped && `stopped by ${made.stopped}`, made.evaluations !== null && `seed ${made.seed}`, made.backend && `backend ${made.backend}`].filter(Boolean);
    byId("made").textContent = facts.length > 0 ? `Made by ${facts.join(" · ")}` : "";
    byId("foot").textContent = `${plan.title || plan.graph || "graph"} · digest ${plan.digest} · REGAL ${plan.version}. A tick of the model counts as one nanosecond.`;
}

function showDevices(plan) {
    const {figures, devices} = plan;
    const causes = [[WAIT.TRANSFER, "waits: transfers"], [WAIT.INPUT, "inputs"], [WAIT.CONTROL, "control"], [WAIT.CHOICE, "by choice"]]
        .filter(([wait]) => devices.some(device => Number(device.idle_for[wait]) > 0));
    const share = ticks => Number(ticks) > 0 ? inPercent(Number(ticks) / plan.whole) : "–";
    const columns = [["device", "short"], ["class", "short"], ["ops"], ["busy"], ...causes.map(([, words]) => [words]),
                     ["after its last op"], ["peak memory"], ["cap"], ["of cap"]];
    const rows = devices.map((device, d) => [nameOf(device.name), device.class || "–",
        figure(`device_ops[${d}]`, figures.device_ops[d], inCount(figures.device_ops[d])),
        [figure(`busy[${d}]`, figures.busy[d], inPercent(Number(figures.busy[d]) / plan.whole)), bar(Number(figures.busy[d]) / plan.whole)],
        ...causes.map(([wait]) => share(device.idle_for[wait])), share(device.idle_end),
        figure(`peak[${d}]`, figures.peak[d], inBytes(figures.peak[d])),
        Number(device.cap) > 0 ? inBytes(device.cap) : "–",
        Number(device.cap) > 0 ? inPercent(Number(figures.peak[d]) / Number(device.cap)) : "–"]);
    byId("device-table").append(inFrame(makeTable(columns, rows, "Shares of the makespan: running ops, idle before ops by what these waited for, and idle at the end.")));
}

function showComparison(plan) {
    const {figures, rivals} = plan;
    byId("comparison").hidden = rivals.length === 0;
    const over = Number(figures.excess) > 0 || rivals.some(rival => Number(rival.excess) > 0);
    const row = (name, one) => [name, inTicks(one.makespan), inRatio(one.makespan, figures.makespan),
        inBytes(one.max_peak), inRatio(one.max_peak, figures.max_peak),
        ...(over ? [Number(one.excess) > 0 ? inBytes(one.excess) : "–"] : [])];
    const columns = [["plan", "short"], ["makespan"], ["× ours"], ["greatest peak"], ["× ours"], ...(over ? [["above the caps"]] : [])];
    byId("comparison-table").append(inFrame(makeTable(columns,
        [{class: "ours", cells: row("this plan", figures)}, ...rivals.map(rival => row(rival.name, rival))])));
}

function showLinks(plan) {
    byId("links").hidden = plan.links.length === 0;
    const rows = plan.links.slice(0, LONG_LIST).map((link, i) => {
        const share = Number(link.busy) / plan.whole;
        return [nameOf(linkName(plan, i)), [inPercent(share), bar(share)], inCount(link.transfers), inBytes(link.bytes), inTicks(link.busy), inTicks(link.waited)];
    });
    const columns = [["link", "short"], ["busy"], ["transfers"], ["bytes"], ["time busy"], ["transfers waited"]];
    byId("link-table").append(inFrame(makeTable(columns, rows, plan.links.length > rows.length ?
        `The busiest ${rows.length} of ${inCount(plan.links.length)} links in use.` : "The busiest first; how long transfers waited for the link is summed over them.")));
}

// A step: the op or transfer, where, when, for how long, and what it waited for.
function stepRow(plan, step, go) {
    const op = step >= 0, i = op ? step : -1 - step, events = op ? plan.ops : plan.transfers;
    const name = op ? plan.ops.name[i] : transferTensor(plan, i);
    const reason = op ? opReason(plan, i) : transferReason(plan, i);
    return [make("button", {type: "button", class: "link name", onclick: () => go(step)}, name),
            op ? kindName(plan, plan.ops.kind[i]) : "transfer", op ? plan.devices[events.row[i]].name : linkName(plan, events.row[i]),
            inTicks(events.start[i]), inTicks(events.time[i]), reason.words];
}
const STEP_COLUMNS = [["op or tensor", "text"], ["kind", "short"], ["on", "short"], ["start"], ["time"], ["behind", "text"]];

function showCritical(plan, go) {
    const {critical} = plan, shown = critical.slice(0, LONG_LIST);
    byId("critical").hidden = critical.length === 0;
    byId("critical-note").textContent = "The chain of ops and transfers that makes the makespan: each began right behind the one before it. A plan gets shorter only where this chain does.";
    const rows = shown.map((step, i) => ({class: i >= PAPER_LIST ? "no-print" : "", cells: stepRow(plan, step, go)}));
    const tellRest = (from, where) => {
        const rest = critical.slice(from);
        const time = rest.reduce((sum, step) => sum + (step >= 0 ? plan.ops.time[step] : plan.transfers.time[-1 - step]), 0);
        if (rest.length > 0)
            rows.push({class: `more ${where}`, cells: [`${inCount(rest.length)} more`, "", "", "", inTicks(time), ""]});
    };
    tellRest(LONG_LIST, "no-print");
    tellRest(PAPER_LIST, "paper");
    byId("critical-table").append(inFrame(makeTable(STEP_COLUMNS, rows)));
}

function showLongest(plan, go) {
    const {ops} = plan, order = Array.from(ops.time.keys()).sort((a, b) => ops.time[b] - ops.time[a] || a - b);
    byId("longest").hidden = ops.count === 0;
    const columns = [["op", "text"], ["kind", "short"], ["on", "short"], ["start"], ["time"], ["of makespan"], ["slack"], ["bytes in"], ["bytes out"]];
    const rows = order.slice(0, SHORT_LIST).map(i => [
        make("button", {type: "button", class: "link name", onclick: () => go(i)}, ops.name[i]), kindName(plan, ops.kind[i]),
        plan.devices[ops.row[i]].name, inTicks(ops.start[i]), inTicks(ops.time[i]), inPercent(ops.time[i] / plan.whole),
        ops.critical[i] ? "critical" : inTicks(ops.slack[i]), inBytes(ops.bytesIn[i]), inBytes(ops.bytesOut[i])]);
    byId("longest-table").append(inFrame(makeTable(columns, rows)));
}

// What each device holds at its peak; the device with the greatest stands open.
function showHeld(plan) {
    const {figures} = plan;
    const top = figures.peak.reduce((best, peak, d) => Number(peak) > Number(figures.peak[best]) ? d : best, 0);
    const columns = [["held", "text"], ["as", "short"], ["bytes"], ["of peak"], ["from"], ["to"]];
    const list = make("div", {class: "held"});
    plan.devices.forEach((device, d) => {
        const peak = Number(figures.peak[d]);
        if (peak <= 0)
            return;
        const rows = device.held.map(([kind, name, bytes, from, to]) =>
            [nameOf(name), HELD[kind], inBytes(bytes), inPercent(Number(bytes) / peak), inTicks(from), inTicks(to)]);
        const more = Number(device.held_count) - rows.length;
        if (more > 0) {
            const rest = peak - device.held.reduce((sum, held) => sum + Number(held[2]), 0);
            rows.push({class: "more", cells: [`${inCount(more)} more`, "", inBytes(rest), inPercent(rest / peak), "", ""]});
        }
        list.append(make("details", {class: "table", open: d === top ? "" : null}, make("summary", {},
            make("b", {}, `${device.name} at its peak`), make("span", {}, ` – ${inBytes(peak)} at ${inTicks(device.peak_tick)}, ${things(device.held_count, "item")}`)),
            makeTable(columns, rows)));
    });
    byId("held").append(list);
}
