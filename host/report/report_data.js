// The plan, unpacked from the page.

const WAIT = {NOTHING: 0, INPUT: 1, TRANSFER: 2, CONTROL: 3, DEVICE: 4, LINK: 5, CHOICE: 6};
const HELD = ["tensor", "copy", "workspace", "parameter"];

const numbers = list => Float64Array.from(list, Number);

function unpackNames(columns, reference) {
    const names = new Array(columns.rest.length);
    for (let i = 0; i < names.length; i++)
        names[i] = (columns.share[i] > 0 ? reference(i, names).slice(0, columns.share[i]) : "") + columns.rest[i];
    return names;
}

// Ops by device, or transfers by link, each in time: start, finish, ready, slack, wait, row.
function unpackEvents(columns) {
    const count = columns.gap.length, rows = columns.begin.length - 1;
    const gap = numbers(columns.gap), time = numbers(columns.time), late = numbers(columns.late);
    const events = {count, begin: columns.begin, gap, time, late, slack: numbers(columns.slack),
                    start: new Float64Array(count), finish: new Float64Array(count),
                    row: new Int32Array(count), wait: new Uint8Array(count),
                    critical: new Uint8Array(count)};
    for (let row = 0; row < rows; row++)
        for (let i = columns.begin[row], tick = 0; i < columns.begin[row + 1]; i++) {
            tick += gap[i];
            events.start[i] = tick;
            tick += time[i];
            events.finish[i] = tick;
            events.row[i] = row;
            events.wait[i] = columns.wait.charCodeAt(i) - 48;
        }
    return events;
}

function unpackCurve(curve) {
    const tick = numbers(curve.tick), bytes = numbers(curve.bytes);
    for (let i = 1; i < tick.length; i++) {
        tick[i] += tick[i - 1];
        bytes[i] += bytes[i - 1];
    }
    return {tick, bytes};
}

function unpack(data, figures) {
    const ops = unpackEvents(data.ops), transfers = unpackEvents(data.transfers);
    ops.cause = Int32Array.from(data.ops.cause);
    ops.kind = Int32Array.from(data.ops.kind);
    ops.bytesIn = numbers(data.ops.in);
    ops.bytesOut = numbers(data.ops.out);
    ops.name = unpackNames(data.ops, (i, names) => names[i - 1]);
    transfers.tensor = Int32Array.from(data.transfers.tensor);
    const tensors = {op: Int32Array.from(data.tensors.op), bytes: numbers(data.tensors.bytes)};
    tensors.name = unpackNames(data.tensors, i => ops.name[tensors.op[i]]);
    for (const step of data.critical)
        (step >= 0 ? ops : transfers).critical[step >= 0 ? step : -1 - step] = 1;
    const makespan = Number(figures.makespan);
    return {...data, figures, makespan, ops, transfers, tensors, memory: data.memory.map(unpackCurve),
            whole: Math.max(makespan, 1)};
}

const kindName = (plan, kind) => plan.kinds[kind] || "(no kind)";
const linkName = (plan, link) =>
    `${plan.devices[plan.links[link].from].name} > ${plan.devices[plan.links[link].to].name}`;
const transferTensor = (plan, transfer) => plan.tensors.name[plan.transfers.tensor[transfer]];

// The first index in [low, high) whose value is above limit, or high.
function firstAbove(values, low, high, limit) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The op that runs on a device at a tick, or -1.
function opAt(plan, device, tick) {
    const {begin, start, finish} = plan.ops;
    const i = firstAbove(finish, begin[device], begin[device + 1], tick);
    return i < begin[device + 1] && start[i] <= tick ? i : -1;
}

// Busy ticks of each kind, the most first.
function kindsByTime(plan) {
    const time = new Float64Array(plan.kinds.length), count = new Float64Array(plan.kinds.length);
    for (let i = 0; i < plan.ops.count; i++) {
        time[plan.ops.kind[i]] += plan.ops.time[i];
        count[plan.ops.kind[i]]++;
    }
    return Array.from(time, (ticks, kind) => ({kind, ticks, count: count[kind]}))
        .sort((a, b) => b.ticks - a.ticks || a.kind - b.kind);
}

// What an op waited for: words, and the op or transfer to go to.
function opReason(plan, i) {
    const {ops, tensors} = plan, cause = ops.cause[i], gap = ops.gap[i];
    const idle = gap > 0 ? `; the device idled ${inTicks(gap)} for it` : "";
    switch (ops.wait[i]) {
    case WAIT.INPUT:
        return cause < 0 ? {words: `an input made on the same device${idle}`} :
               {words: `tensor ${tensors.name[cause]}, made on the same device${idle}`, op: tensors.op[cause]};
    case WAIT.TRANSFER:
        return cause < 0 ? {words: `a transfer${idle}`} :
               {words: `tensor ${transferTensor(plan, cause)} over ${linkName(plan, plan.transfers.row[cause])}${idle}`,
                transfer: cause};
    case WAIT.CONTROL:
        return {words: `control edge from ${cause < 0 ? "another op" : ops.name[cause]}${idle}`, op: cause};
    case WAIT.DEVICE:
        return {words: `its device, busy until then; ready ${inTicks(ops.late[i])} before`, op: i - 1};
    case WAIT.CHOICE:
        return {words: `nothing: the plan idles ${inTicks(gap)} on purpose`, op: cause};
    default:
        return {words: "nothing: it starts at once"};
    }
}

function transferReason(plan, i) {
    const {transfers} = plan, producer = plan.tensors.op[transfers.tensor[i]];
    switch (transfers.wait[i]) {
    case WAIT.LINK:
        return {words: `the link, busy until then; ready ${inTicks(transfers.late[i])} before`, transfer: i - 1};
    case WAIT.CHOICE:
        return {words: `nothing: the plan holds it back ${inTicks(transfers.late[i])} on purpose`};
    case WAIT.NOTHING:
        return {words: "nothing: it starts at once"};
    default:
        return {words: `its op ${plan.ops.name[producer]}`, op: producer};
    }
}
