// The Gantt chart: a row for each device and each link in use. Only what is on show is drawn, and
// what is narrower than a pixel or so is summed up by column, so that a frame costs little with any
// number of ops.

const DEVICE_ROW = 28, LINK_ROW = 16, ROW_GAP = 5, NARROW = 1.6, SHADES = 8, MOST_JOINTS = 160;

// Columns of pixels that ops narrower than a pixel or so are summed up in: how much of each is busy,
// and the colour of the op that has most of it. A strip one pixel high is stretched over the row,
// which costs less than a rectangle for each column.
class Columns {
    constructor(room) {
        this.room = room;
        this.share = new Float32Array(room);
        this.best = new Float32Array(room);
        this.shade = new Int16Array(room);
        this.mark = new Uint8Array(room);
        this.canvas = document.createElement("canvas");
        this.canvas.width = room;
        this.canvas.height = 1;
        this.context = this.canvas.getContext("2d", {willReadFrequently: true});
        this.image = this.context.createImageData(room, 1);
        this.pixels = new Uint32Array(this.image.data.buffer);
    }
    clear(count) {
        for (const part of [this.share, this.best, this.mark])
            part.fill(0, 0, count);
    }
    add(x0, x1, shade, critical, last) {
        for (let column = Math.max(0, Math.floor(x0)); column < x1 && column <= last; column++) {
            const part = Math.min(x1, column + 1) - Math.max(x0, column);
            this.share[column] += part;
            this.mark[column] |= critical;
            if (part > this.best[column]) {
                this.best[column] = part;
                this.shade[column] = shade;
            }
        }
    }
    draw(g, left, top, width, height, shades) {
        for (let column = 0; column < width; column++) {
            const share = this.share[column];
            this.pixels[column] = share > 0 ? shades[this.shade[column]][Math.max(1, Math.min(SHADES, Math.round(SHADES * share)))].packed : 0;
        }
        this.context.putImageData(this.image, 0, 0, 0, 0, width, 1);
        g.imageSmoothingEnabled = false;
        g.drawImage(this.canvas, 0, 0, width, 1, left, top, width, height);
    }
    drawMarks(g, left, top, width, height) {
        for (let column = 0; column < width; column++) {
            const from = column;
            while (column < width && this.mark[column])
                column++;
            if (column > from)
                g.fillRect(left + from, top, column - from, height);
        }
    }
}

class Timeline {
    constructor(plan, view) {
        this.plan = plan;
        this.view = view;
        this.board = new Board(byId("timeline-canvas"));
        this.scroller = byId("timeline-scroller");
        this.space = this.scroller.firstElementChild;
        this.showCritical = true;
        this.hits = null;   // of a search: Set of ops
        this.hover = null;  // {op: i} or {transfer: i}
        this.pinned = null;
        this.chooseColours();
        this.layRows();
        this.columns = new Columns(4096);
        view.drawers.push(() => this.draw());
        this.listen();
    }

    // The kinds that take most time have a colour each, the others one together.
    chooseColours() {
        const order = kindsByTime(this.plan);
        this.kindShade = new Int16Array(this.plan.kinds.length).fill(colours.kinds.length);
        order.slice(0, order.length === colours.kinds.length + 1 ? order.length - 1 : colours.kinds.length)
            .forEach((one, i) => { this.kindShade[one.kind] = i; });
        this.order = order;
    }

    layRows() {
        const {plan} = this;
        let y = AXIS + 4;
        this.rows = [];
        const add = (kind, index, events, height, label) => {
            this.rows.push({kind, index, events, label, y, height, begin: events.begin[index], end: events.begin[index + 1]});
            y += height + ROW_GAP;
        };
        plan.devices.forEach((device, d) => add("op", d, plan.ops, DEVICE_ROW, device.name));
        y += 6;
        plan.links.forEach((link, i) => add("transfer", i, plan.transfers, LINK_ROW, linkName(plan, i)));
        this.total = y + 4;
        this.deviceRow = d => this.rows[d];
        this.linkRow = i => this.rows[plan.devices.length + i];
    }

    palette() {
        const flat = [...colours.kinds, colours.other, colours.transfer];
        if (this.paletteOf === colours)
            return this.shades;
        this.paletteOf = colours;
        const mix = (from, to, share) => [1, 3, 5].map(at => Math.round(parseInt(from.slice(at, at + 2), 16) * (1 - share) + parseInt(to.slice(at, at + 2), 16) * share));
        this.shades = flat.map(colour => Array.from({length: SHADES + 1}, (_, i) => {
            const [red, green, blue] = mix(colours.surface, colour, i === 0 ? 0 : 0.18 + 0.82 * i / SHADES);
            return {words: `rgb(${red},${green},${blue})`, packed: (255 << 24 | blue << 16 | green << 8 | red) >>> 0};
        }));
        const luminance = colour => [1, 3, 5].reduce((sum, at, i) => sum + [0.299, 0.587, 0.114][i] * parseInt(colour.slice(at, at + 2), 16), 0);
        this.textOn = flat.map(colour => luminance(colour) > 128 ? "#111417" : "#ffffff");
        return this.shades;
    }

    draw() {
        const {board, view, scroller} = this;
        const limit = Math.round(Math.min(window.innerHeight * 0.72, 900));
        const height = Math.max(60, Math.min(this.total, limit));
        this.space.style.height = `${this.total}px`;
        const g = board.prepare(height), top = this.total > height ? scroller.scrollTop : 0;
        if (board.plotWidth + 2 > this.columns.room)
            this.columns = new Columns(2 * Math.ceil(board.plotWidth));
        drawTimeAxis(board, view, AXIS, height);
        const shown = this.rows.filter(row => row.y + row.height > top + AXIS && row.y < top + height);
        g.save();
        g.beginPath();
        g.rect(0, AXIS, board.width, height - AXIS);
        g.clip();
        this.labels(shown, top);
        g.beginPath();
        g.rect(board.left, AXIS, board.plotWidth, height - AXIS);
        g.clip();
        for (const row of shown)
            this.drawRow(row, row.y - top);
        if (this.showCritical)
            this.drawJoints(top, height);
        this.drawMarked(top);
        if (view.cursor !== null) {
            g.fillStyle = colours.muted;
            g.fillRect(Math.round(board.x(view, view.cursor)), AXIS, 1, height);
        }
        g.restore();
        byId("range").textContent = `${inTicks(view.from)} – ${inTicks(view.to)}`;
    }

    labels(rows, top) {
        const {board, plan} = this, g = board.context;
        g.textBaseline = "middle";
        for (const row of rows) {
            const y = row.y - top, middle = y + row.height / 2;
            g.fillStyle = colours.soft;
            g.fillRect(board.left, y, board.plotWidth, row.height);
            const busy = row.kind === "op" ? plan.figures.busy[row.index] : plan.links[row.index].busy;
            const words = `${Math.round(100 * Number(busy) / plan.whole)} %`;
            g.font = FONT;
            g.textAlign = "right";
            g.fillStyle = colours.muted;
            const both = row.kind === "op" || board.left === GUTTER;
            if (both)
                g.fillText(words, board.left - 10, middle);
            const room = board.left - 22 - (both ? g.measureText("100 %").width + 4 : 0);
            g.font = row.kind === "op" ? BOLD : FONT;
            g.textAlign = "left";
            g.fillStyle = row.kind === "op" ? colours.ink : colours.muted;
            g.fillText(fitText(g, row.label, room), 12, middle);
        }
    }

    shadeOf(row, i) { return row.kind === "op" ? this.kindShade[this.plan.ops.kind[i]] : colours.kinds.length + 1; }

    drawRow(row, y) {
        const {board, view, columns} = this, g = board.context;
        const {start, finish, critical} = row.events, shades = this.palette();
        const scale = board.plotWidth / (view.to - view.from), last = Math.ceil(board.plotWidth);
        let i = firstAbove(finish, row.begin, row.end, view.from), narrow = false;
        const wide = [];
        for (; i < row.end && start[i] < view.to; i++) {
            const x0 = (start[i] - view.from) * scale, x1 = (finish[i] - view.from) * scale;
            if (x1 - x0 >= NARROW) {
                wide.push(i);
                continue;
            }
            if (!narrow)
                columns.clear(last + 2);
            narrow = true;
            columns.add(x0, x1, this.shadeOf(row, i), critical[i], last);
        }
        if (narrow) {
            columns.draw(g, board.left, y, last, row.height, shades);
            g.fillStyle = colours.ink;
            if (this.showCritical)
                columns.drawMarks(g, board.left, y + row.height - 3, last, 3);
        }
        this.drawWide(g, y, row, wide, scale, shades);
    }

    drawWide(g, y, row, wide, scale, shades) {
        const {board, view, plan} = this, {start, finish, critical} = row.events;
        g.font = FONT;
        g.textAlign = "left";
        g.textBaseline = "middle";
        for (const i of wide) {
            const x0 = Math.max(-2, (start[i] - view.from) * scale), x1 = Math.min(board.plotWidth + 2, (finish[i] - view.from) * scale);
            const gap = x1 - x0 > 4 ? 1 : x1 - x0 > 2.5 ? 0.5 : 0, colour = this.shadeOf(row, i);
            g.fillStyle = shades[colour][this.hits && !(row.kind === "op" && this.hits.has(i)) ? 2 : SHADES].words;
            g.fillRect(board.left + x0, y, x1 - x0 - gap, row.height);
            if (this.showCritical && critical[i]) {
                g.fillStyle = colours.ink;
                g.fillRect(board.left + x0, y + row.height - 3, x1 - x0 - gap, 3);
            }
            if (x1 - x0 > (row.kind === "op" ? 34 : 64)) {
                const name = row.kind === "op" ? plan.ops.name[i] : transferTensor(plan, i);
                const text = fitText(g, name, x1 - x0 - 10);
                g.fillStyle = this.hits ? colours.ink : this.textOn[colour];
                if (text)
                    g.fillText(text, board.left + x0 + 5, y + row.height / 2 - (this.showCritical && critical[i] ? 1 : 0));
            }
        }
    }

    rowOf(step) { return step >= 0 ? this.deviceRow(this.plan.ops.row[step]) : this.linkRow(this.plan.transfers.row[-1 - step]); }

    // The critical path's changes from row to row, while they are few enough to follow.
    drawJoints(top, height) {
        const {plan, view, board} = this, g = board.context, joints = [];
        for (let n = 1; n < plan.critical.length; n++) {
            const step = plan.critical[n], events = step >= 0 ? plan.ops : plan.transfers;
            const tick = events.start[step >= 0 ? step : -1 - step];
            const from = this.rowOf(plan.critical[n - 1]), to = this.rowOf(step);
            if (tick < view.from || tick > view.to || from === to)
                continue;
            joints.push([tick, from, to]);
            if (joints.length > MOST_JOINTS)
                return;
        }
        g.fillStyle = colours.ink;
        for (const [tick, from, to] of joints) {
            const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
            const y0 = upper.y + upper.height - top, y1 = lower.y + lower.height - top;
            if (y1 > AXIS && y0 < height)
                g.fillRect(board.x(view, tick) - 0.5, y0 - 3, 1, y1 - y0 + 3);
        }
    }

    drawMarked(top) {
        const g = this.board.context;
        for (const [item, width] of [[this.hover, 1.5], [this.pinned, 2.5]]) {
            if (item === null)
                continue;
            const row = this.rowOf(item), i = item >= 0 ? item : -1 - item;
            const x0 = this.board.x(this.view, row.events.start[i]), x1 = this.board.x(this.view, row.events.finish[i]);
            g.strokeStyle = colours.ink;
            g.lineWidth = width;
            g.strokeRect(x0 - 1, row.y - top - 1, Math.max(2, x1 - x0) + 1, row.height + 2);
        }
        if (this.hits)
            this.drawHits(g, top);
    }

    drawHits(g, top) {
        g.fillStyle = colours.accent;
        const {start, finish} = this.plan.ops;
        for (const i of this.hits) {
            if (finish[i] < this.view.from || start[i] > this.view.to)
                continue;
            const row = this.rowOf(i), x0 = this.board.x(this.view, start[i]);
            g.fillRect(x0 - 0.5, row.y - top - 4, Math.max(2, this.board.x(this.view, finish[i]) - x0), 4);
        }
    }

    // The step (an op, or -1 less a transfer) at a place on the canvas, or null.
    at({x, y}) {
        const {board, view, scroller} = this;
        const shift = this.total > board.height ? scroller.scrollTop : 0;
        if (x < board.left || x > board.left + board.plotWidth || y < AXIS)
            return null;
        const row = this.rows.find(one => y + shift >= one.y - 2 && y + shift < one.y + one.height + 2);
        if (!row)
            return null;
        const tick = board.tick(view, x), reach = 2.5 * (view.to - view.from) / board.plotWidth;
        const {start, finish} = row.events;
        let found = -1;
        for (let i = firstAbove(finish, row.begin, row.end, tick - reach); i < row.end && start[i] <= tick + reach; i++) {
            if (start[i] <= tick && tick < finish[i] && finish[i] - start[i] > reach)
                return row.kind === "op" ? i : -1 - i;
            if (found < 0 || row.events.time[i] > row.events.time[found])
                found = i;
        }
        return found < 0 ? null : row.kind === "op" ? found : -1 - found;
    }

    // Everything about a step, as [term, description].
    facts(step) {
        const {plan} = this, op = step >= 0, i = op ? step : -1 - step, events = op ? plan.ops : plan.transfers;
        const reason = op ? opReason(plan, i) : transferReason(plan, i);
        const cause = reason.op >= 0 ? reason.op : reason.transfer >= 0 ? -1 - reason.transfer : null;
        const when = [["start", inTicks(events.start[i])], ["time", `${inTicks(events.time[i])} (${inPercent(events.time[i] / plan.whole)} of the makespan)`]];
        const rest = [["waited for", cause === null ? reason.words : [make("button", {type: "button", class: "link", onclick: () => this.go(cause)}, reason.words)]],
                      ["slack", events.critical[i] ? "none: on the critical path" : events.slack[i] === 0 ? "none" : inTicks(events.slack[i])]];
        if (op)
            return {name: plan.ops.name[i], facts: [["kind", kindName(plan, plan.ops.kind[i])], ["device", plan.devices[events.row[i]].name], ...when,
                ["bytes in, out", `${inBytes(plan.ops.bytesIn[i])}, ${inBytes(plan.ops.bytesOut[i])}`], ...rest]};
        const tensor = plan.transfers.tensor[i];
        return {name: plan.tensors.name[tensor], facts: [["kind", "transfer"], ["link", linkName(plan, events.row[i])], ...when,
            ["bytes", inBytes(plan.tensors.bytes[tensor])], ["made by", plan.ops.name[plan.tensors.op[tensor]]], ...rest]};
    }

    describe(step) {
        const {name, facts} = this.facts(step);
        return [make("p", {class: "facts-name"}, name), make("dl", {class: "facts"},
            facts.flatMap(([term, words]) => [make("dt", {}, term), make("dd", {}, words)]))];
    }

    pin(step) {
        const box = byId("pinned");
        this.pinned = step;
        box.hidden = step === null;
        box.replaceChildren(...(step === null ? [] : [...this.describe(step),
            make("button", {type: "button", class: "close no-print", "aria-label": "Let go", onclick: () => this.pin(null)}, "×")]));
        this.view.redraw();
    }

    // Pins a step and brings it into view.
    go(step) {
        const row = this.rowOf(step), i = step >= 0 ? step : -1 - step, {view, scroller} = this;
        const start = row.events.start[i], time = row.events.time[i], span = view.to - view.from;
        const close = Math.min(span, Math.max(time * 12, view.whole / 500));
        if (start < view.from || start + time > view.to || time < span / 60)
            view.show(start + time / 2 - close / 2, start + time / 2 + close / 2);
        if (row.y < scroller.scrollTop + AXIS || row.y + row.height > scroller.scrollTop + scroller.clientHeight)
            scroller.scrollTop = row.y - scroller.clientHeight / 2;
        this.pin(step);
        byId("timeline").scrollIntoView({block: "nearest"});
    }

    // Shift + arrow keys: to the next op of the row, or to what runs on another row.
    walk(key) {
        const {plan} = this, step = this.pinned;
        if (step === null) {
            if (plan.ops.count > 0)
                this.go(Math.min(plan.ops.count - 1, firstAbove(plan.ops.finish, plan.ops.begin[0], plan.ops.begin[1], this.view.from)));
            return;
        }
        const row = this.rowOf(step), i = step >= 0 ? step : -1 - step;
        let at = row, next = i + (key === "ArrowRight" ? 1 : -1);
        if (key === "ArrowUp" || key === "ArrowDown") {
            do
                at = this.rows[this.rows.indexOf(at) + (key === "ArrowDown" ? 1 : -1)];
            while (at && at.begin === at.end);
            if (at)
                next = Math.min(at.end - 1, firstAbove(at.events.finish, at.begin, at.end, row.events.start[i]));
        }
        if (at && next >= at.begin && next < at.end)
            this.go(at.kind === "op" ? next : -1 - next);
    }

    listen() {
        const {board, view, scroller} = this, {canvas} = board, tip = byId("tip");
        navigate(board, view, place => this.pin(this.at(place)));
        scroller.addEventListener("scroll", () => view.redraw(), {passive: true});
        canvas.addEventListener("pointermove", event => {
            const box = canvas.getBoundingClientRect(), place = {x: event.clientX - box.left, y: event.clientY - box.top};
            const step = event.buttons ? null : this.at(place);
            const inside = place.x >= board.left && place.x <= board.left + board.plotWidth;
            view.cursor = inside ? board.tick(view, place.x) : null;
            if (step !== null && step !== this.hover)
                tip.replaceChildren(...this.describe(step));
            this.hover = step;
            tip.hidden = step === null;
            if (step !== null)
                placeTip(tip, event);
            view.redraw();
        });
        canvas.addEventListener("pointerleave", () => {
            this.hover = view.cursor = null;
            tip.hidden = true;
            view.redraw();
        });
        canvas.addEventListener("keydown", event => {
            if (event.key === "Escape")
                this.pin(null);
            else if (event.shiftKey && event.key.startsWith("Arrow"))
                this.walk(event.key);
            else
                return;
            event.preventDefault();
        });
        const middle = () => (view.from + view.to) / 2;
        byId("zoom-in").addEventListener("click", () => view.zoom(0.5, middle()));
        byId("zoom-out").addEventListener("click", () => view.zoom(2, middle()));
        byId("zoom-all").addEventListener("click", () => view.show(0, view.whole));
        byId("show-critical").addEventListener("change", event => {
            this.showCritical = event.target.checked;
            view.redraw();
        });
        const {plan} = this;
        canvas.setAttribute("aria-label", `Timeline of ${things(plan.ops.count, "op")} on ${things(plan.devices.length, "device")} and ${things(plan.transfers.count, "transfer")} on ${things(plan.links.length, "link")}, ${inTicks(plan.makespan)} long. The tables below tell the same.`);
    }

    showLegend() {
        const few = this.order.filter(one => this.kindShade[one.kind] < colours.kinds.length);
        const rest = this.order.filter(one => this.kindShade[one.kind] === colours.kinds.length);
        const busy = Math.max(1, this.order.reduce((sum, one) => sum + one.ticks, 0));
        const entry = (colour, name, words) => {
            const patch = make("i", {"aria-hidden": "true"});
            patch.style.background = colour;
            return make("li", {}, patch, make("b", {}, name), words);
        };
        const entries = few.map(one => entry(colours.kinds[this.kindShade[one.kind]], kindName(this.plan, one.kind), inPercent(one.ticks / busy)));
        if (rest.length > 0)
            entries.push(entry(colours.other, rest.length === 1 ? kindName(this.plan, rest[0].kind) : things(rest.length, "other kind"), inPercent(rest.reduce((sum, one) => sum + one.ticks, 0) / busy)));
        if (this.plan.transfers.count > 0)
            entries.push(entry(colours.transfer, "transfer", ""));
        const path = entry(colours.ink, "critical path", "");
        path.firstChild.style.height = "3px";
        byId("legend").replaceChildren(...entries, path);
    }
}
