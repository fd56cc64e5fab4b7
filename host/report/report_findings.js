// What stands out in the plan, in words, the most important first. Each finding: {kind, weight, parts}.

const bold = text => make("b", {}, text);

function findGap(plan) {
    const {figures} = plan, what = figures.objective === "time" ? "makespan" : "greatest memory peak";
    const words = figures.objective === "time" ? inTicks : inBytes;
    const value = Number(figures.value), bound = Number(figures.bound);
    if (figures.bound === null || bound <= 0 || Number(figures.excess) > 0)
        return [];
    if (BigInt(figures.value) === BigInt(figures.bound))
        return [{kind: "good", weight: 60, parts: [bold(`The ${what} cannot be better`), `: it equals its lower bound, ${words(bound)}.`]}];
    if (value < 1.02 * bound)
        return [{kind: "good", weight: 60, parts: [`The ${what} is `, bold(`within ${inSmallPercent(value / bound - 1)} of its lower bound`), ` (${words(bound)}): there is hardly anything left to gain.`]}];
    return [{kind: "", weight: 60, parts: [`The ${what} is `, bold(`${(value / bound).toFixed(2)} × its lower bound`),
        ` (${words(bound)}): no plan gains more than ${inPercent(1 - bound / value)}.`]}];
}

function findExcess(plan) {
    const {figures} = plan, found = [];
    const least = figures.bounds.memory, caps = plan.devices.map(device => Number(device.cap));
    const hopeless = least !== null && caps.every(cap => cap > 0 && cap < Number(least));
    plan.devices.forEach((device, d) => {
        const peak = Number(figures.peak[d]), cap = Number(device.cap);
        if (cap === 0 || peak < 0.9 * cap)
            return;
        if (peak > cap)
            found.push({kind: "bad", weight: 200 + peak / cap, parts: [nameOf(device.name), " needs ",
                bold(`${inBytes(peak - cap)} more than its cap`), ` of ${inBytes(cap)}: ${hopeless ? `no plan fits, as some device needs at least ${inBytes(least)}` : "the plan does not fit"}.`]});
        else
            found.push({kind: "warn", weight: 30 + 10 * peak / cap, parts: [nameOf(device.name), " comes ",
                bold(`within ${inPercent(1 - peak / cap)} of its cap`), ` of ${inBytes(cap)}.`]});
    });
    return found;
}

function findRivals(plan) {
    const time = plan.figures.objective === "time", value = Number(plan.figures.value);
    const worth = rival => Number(time ? rival.makespan : rival.max_peak);
    const fit = plan.rivals.filter(rival => Number(rival.excess) === 0);
    if (Number(plan.figures.excess) > 0 || value <= 0 || plan.rivals.length === 0)
        return [];
    if (fit.length === 0)
        return [{kind: "good", weight: 50, parts: [bold("It alone keeps within the memory caps"), `: ${plan.rivals.map(rival => rival.name).join(", ")} ${plan.rivals.length === 1 ? "does" : "do"} not.`]}];
    const best = fit.reduce((a, b) => worth(b) < worth(a) ? b : a), ratio = worth(best) / value;
    if (ratio < 1)
        return [{kind: "warn", weight: 90, parts: [bold(`${best.name} is better`), `: it needs ${inRatio(worth(best), value)} of what this plan needs.`]}];
    const what = time ? "time" : "memory";
    const words = ratio >= 1.01 ? `${ratio.toFixed(2)} × the ${what}` :
                  ratio > 1 ? `${inSmallPercent(ratio - 1)} more ${what}` : `just as much ${what}`;
    return [{kind: ratio > 1 ? "good" : "", weight: 50, parts: ["The best of the others, ", bold(best.name), ", needs ", bold(words),
        ` (${time ? inTicks(worth(best)) : inBytes(worth(best))}).`]}];
}

function findCritical(plan) {
    const {critical, ops, transfers} = plan;
    if (critical.length === 0 || plan.makespan <= 0)
        return [];
    let compute = 0, moving = 0, busy = 0, count = 0;
    for (const step of critical) {
        if (step < 0) {
            moving += transfers.time[-1 - step];
            continue;
        }
        compute += ops.time[step];
        count++;
        busy += ops.wait[step] === WAIT.DEVICE;
    }
    const first = critical[0] >= 0 ? ops.start[critical[0]] : transfers.start[-1 - critical[0]];
    const length = Math.max(1, plan.makespan - first);
    const parts = first > 0 ? [`The critical path begins at ${inTicks(first)}, behind a wait by choice (to save memory or to keep an order), and is `]
                            : ["The critical path is "];
    parts.push(bold(`${inPercent(compute / length)} computing`));
    if (moving > 0)
        parts.push(`, ${inPercent(moving / length)} transfers`);
    parts.push(`: ${things(count, "op")}`);
    if (busy > 0)
        parts.push(`, ${busy === count ? "all" : inCount(busy)} of which waited for their device rather than for data`);
    return [{kind: "", weight: 45, parts: [...parts, "."]}];
}

const IDLE_WORDS = {[WAIT.INPUT]: "inputs made on the same device", [WAIT.TRANSFER]: "transfers",
                    [WAIT.CONTROL]: "control edges", [WAIT.CHOICE]: "nothing, by choice"};

// A plan for memory may take its time.
function findIdleForMemory(plan) {
    const share = plan.devices.reduce((sum, device) => sum + Number(device.idle), 0) / Math.max(1, plan.devices.length) / plan.whole;
    return share < 0.5 ? [] : [{kind: "", weight: 25, parts: ["The devices idle ", bold(`${inPercent(share)} of the time`),
        " in the mean: the plan was made for the least memory, and time comes second."]}];
}

// The greatest part of a device's idle time.
function findIdle(plan) {
    if (plan.figures.objective === "memory")
        return findIdleForMemory(plan);
    const found = [], unused = [];
    plan.devices.forEach((device, d) => {
        if (Number(plan.figures.device_ops[d]) === 0) {
            unused.push(device.name);
            return;
        }
        const idle = Number(device.idle), share = idle / plan.whole;
        if (share < 0.15)
            return;
        const parts = [nameOf(device.name), " idles ", bold(`${inPercent(share)} of the time`)];
        const sums = device.idle_for.map(Number);
        const most = sums.reduce((best, sum, i) => sum > sums[best] ? i : best, 0);
        const end = Number(device.idle_end);
        if (end >= sums[most])
            parts.push(`: most of it, ${inTicks(end)}, after its last op.`);
        else {
            parts.push(`: most of it, ${inTicks(sums[most])}, waits for ${IDLE_WORDS[most] || "other ops"}`);
            if (most === WAIT.TRANSFER && device.worst_tensor !== undefined)
                parts.push(", ", inTicks(device.worst_idle), " of it for tensor ", nameOf(device.worst_tensor), ` over ${plan.devices[device.worst_from].name} > ${device.name}`);
            parts.push(".");
        }
        found.push({kind: share >= 0.5 ? "warn" : "", weight: 40 + 10 * share, parts});
    });
    const best = plan.figures.value === plan.figures.bound; // more devices would not help
    if (unused.length > 0 && plan.ops.count > 0)
        found.push({kind: best ? "" : "warn", weight: 35, parts: [bold(unused.length === 1 ? `${unused[0]} runs nothing` : `${unused.length} devices run nothing`),
            unused.length === 1 ? "." : `: ${unused.slice(0, 8).join(", ")}${unused.length > 8 ? ", …" : ""}.`]});
    return found.sort((a, b) => b.weight - a.weight).slice(0, 4);
}

function findLinks(plan) {
    return plan.links.slice(0, 2).filter(link => Number(link.busy) >= 0.3 * plan.whole || Number(link.waited) >= 0.1 * plan.whole)
        .map((link, i) => {
            const share = Number(link.busy) / plan.whole, waited = Number(link.waited);
            const parts = ["Link ", nameOf(linkName(plan, plan.links.indexOf(link))), " is ", bold(`busy ${inPercent(share)} of the time`),
                ` with ${things(link.transfers, "transfer")} of ${inBytes(link.bytes)}`];
            if (waited > 0)
                parts.push(`; ${Number(link.transfers) === 1 ? "it" : "they"} waited ${inTicks(waited)} for it${Number(link.transfers) === 1 ? "" : " in all"}`);
            return {kind: share >= 0.8 ? "warn" : "", weight: 38 + 10 * share - i, parts: [...parts, "."]};
        });
}

function findPeak(plan) {
    const {figures, devices} = plan;
    const top = figures.peak.reduce((best, peak, d) => Number(peak) > Number(figures.peak[best]) ? d : best, 0);
    const peak = devices.length > 0 ? Number(figures.peak[top]) : 0;
    if (peak <= 0)
        return [];
    const device = devices[top], op = opAt(plan, top, Number(device.peak_tick));
    const parts = [bold(`Memory peaks on ${device.name} at ${inBytes(peak)}`), ` at ${inTicks(device.peak_tick)}`];
    if (op >= 0)
        parts.push(" while ", nameOf(plan.ops.name[op]), " runs");
    let sum = 0, few = 0;
    while (few < device.held.length && few < 5 && sum < 0.6 * peak)
        sum += Number(device.held[few++][2]);
    const kinds = new Set(device.held.slice(0, few).map(held => HELD[held[0]]));
    const word = kinds.size > 1 ? "item" : kinds.has("copy") ? "copied tensor" : [...kinds][0];
    if (few > 0 && sum >= 0.3 * peak && (few === 1 || few < Number(device.held_count)))
        parts.push(few === 1 ? [": ", nameOf(device.held[0][1]), ` alone holds ${inPercent(sum / peak)} of it`]
                             : `: ${few} ${word === "item" ? "" : `${word}s `}of the ${inCount(device.held_count)} items there hold ${inPercent(sum / peak)} of it`);
    return [{kind: "", weight: figures.objective === "memory" ? 55 : 42, parts: [...parts.flat(), "."]}];
}

function findLongest(plan) {
    const {ops} = plan;
    let longest = -1;
    for (let i = 0; i < ops.count; i++)
        if (longest < 0 || ops.time[i] > ops.time[longest])
            longest = i;
    if (longest < 0 || ops.count < 2 || ops.time[longest] < 0.1 * plan.whole)
        return [];
    return [{kind: "", weight: 41, parts: ["One op, ", nameOf(ops.name[longest]), ", takes ",
        bold(inPercent(ops.time[longest] / plan.whole)), ` of the makespan${ops.critical[longest] ? " and is on the critical path" : ""}.`]}];
}

function findSearch(plan) {
    const all = Number(plan.made.evaluations), steps = plan.points;
    let last = steps.length - 1;
    while (last > 0 && steps[last - 1].value === steps[last].value && steps[last - 1].excess === steps[last].excess)
        last--;
    if (last < 1 || plan.made.evaluations === null || all <= 0)
        return [];
    const share = Number(steps[last].evaluations) / all;
    if (share > 0.9)
        return [{kind: "", weight: 33, parts: [bold("The search was still gaining when it ended"), `: it last did so after ${inCount(steps[last].evaluations)} of its ${things(all, "evaluation")}. A longer one may find a better plan.`]}];
    if (share < 0.5)
        return [{kind: "", weight: 20, parts: [`The search found nothing better in the last ${inPercent(1 - share)} of its ${things(all, "evaluation")}.`]}];
    return [];
}

function showFindings(plan) {
    const found = [findExcess, findGap, findRivals, findCritical, findIdle, findLinks, findPeak, findLongest, findSearch]
        .flatMap(find => find(plan)).sort((a, b) => b.weight - a.weight);
    byId("finding-list").append(...found.map(finding => make("li", {class: finding.kind || null}, finding.parts)));
    byId("findings").hidden = found.length === 0;
}
