// The bytes that each device holds, on the time axis of the timeline.

const BAND = 84, BAND_GAP = 14;

class MemoryChart {
    constructor(plan, view) {
        this.plan = plan;
        this.view = view;
        this.board = new Board(byId("memory-canvas"));
        this.high = new Float64Array(4096);
        this.low = new Float64Array(4096);
        view.drawers.push(() => this.draw());
        navigate(this.board, view, null);
        this.listen();
    }

    // The scale of a device reaches to its cap unless that is far above.
    scale(d) {
        const peak = Number(this.plan.figures.peak[d]), cap = Number(this.plan.devices[d].cap);
        return 1.24 * Math.max(1, peak, cap > 0 && cap <= 3 * peak ? cap : 0);
    }

    draw() {
        const {board, view, plan} = this, count = plan.devices.length;
        const height = AXIS + count * (BAND + BAND_GAP) + 4, g = board.prepare(height);
        if (board.plotWidth + 2 > this.high.length) {
            this.high = new Float64Array(2 * board.plotWidth);
            this.low = new Float64Array(2 * board.plotWidth);
        }
        drawTimeAxis(board, view, AXIS, height);
        for (let d = 0; d < count; d++)
            this.drawBand(g, d, AXIS + 6 + d * (BAND + BAND_GAP));
        if (view.cursor !== null) {
            g.fillStyle = colours.muted;
            g.fillRect(Math.round(board.x(view, view.cursor)), AXIS, 1, height);
        }
    }

    // The least and greatest bytes within each column of pixels.
    fillColumns(curve, columns) {
        const {view, high, low} = this, {tick, bytes} = curve, step = (view.to - view.from) / columns;
        let i = Math.max(0, firstAbove(tick, 0, tick.length, view.from) - 1);
        for (let column = 0; column < columns; column++) {
            const end = view.from + (column + 1) * step;
            let most = bytes[i] || 0, least = most;
            while (i + 1 < tick.length && tick[i + 1] < end) {
                i++;
                most = Math.max(most, bytes[i]);
                least = Math.min(least, bytes[i]);
            }
            high[column] = most;
            low[column] = least;
        }
    }

    drawBand(g, d, top) {
        const {board, plan, high, low} = this, device = plan.devices[d], scale = this.scale(d), bottom = top + BAND;
        const columns = Math.floor(board.plotWidth), y = bytes => bottom - bytes / scale * BAND;
        this.fillColumns(plan.memory[d], columns);
        g.fillStyle = colours.soft;
        g.fillRect(board.left, top, board.plotWidth, BAND);
        g.beginPath();
        g.moveTo(board.left, bottom);
        for (let column = 0; column < columns; column++) {
            g.lineTo(board.left + column, y(high[column]));
            g.lineTo(board.left + column + 1, y(high[column]));
        }
        g.lineTo(board.left + columns, bottom);
        g.globalAlpha = 0.28;
        g.fillStyle = colours.area;
        g.fill();
        g.globalAlpha = 1;
        for (let column = 0, from = 0; column < columns; column++) {
            const flat = high[column] === low[column];
            if (flat && column + 1 < columns && high[column + 1] === high[column] && low[column + 1] === low[column])
                continue; // one line for all
            const before = from > 0 ? y(high[from - 1]) : y(high[from]), upper = y(high[column]);
            g.fillRect(board.left + from, upper, column + 1 - from, Math.max(1.5, y(low[column]) - upper));
            g.fillRect(board.left + from, Math.min(upper, before), 1, Math.max(1.5, Math.abs(before - upper)));
            from = column + 1;
        }
        this.drawMarks(g, d, device, y);
        this.drawLabel(g, d, device, top);
    }

    drawMarks(g, d, device, y) {
        const {board, view, plan} = this, cap = Number(device.cap), peak = Number(plan.figures.peak[d]);
        if (cap > 0 && cap <= this.scale(d)) {
            g.strokeStyle = colours.bad;
            g.lineWidth = 1.5;
            g.setLineDash([6, 4]);
            g.beginPath();
            g.moveTo(board.left, y(cap));
            g.lineTo(board.left + board.plotWidth, y(cap));
            g.stroke();
            g.setLineDash([]);
        }
        const tick = Number(device.peak_tick);
        if (peak <= 0 || tick < view.from || tick > view.to)
            return;
        const x = board.x(view, tick), above = y(peak) - 10;
        g.fillStyle = colours.ink;
        g.beginPath();
        g.arc(x, y(peak), 3.5, 0, 7);
        g.fill();
        g.font = BOLD;
        g.textAlign = x > board.left + board.plotWidth - 40 ? "right" : x < board.left + 40 ? "left" : "center";
        g.textBaseline = "middle";
        g.lineWidth = 3;
        g.strokeStyle = colours.surface;
        g.strokeText(inBytes(peak), x, above);
        g.fillText(inBytes(peak), x, above);
    }

    drawLabel(g, d, device, top) {
        const cap = Number(device.cap), peak = Number(this.plan.figures.peak[d]), room = this.board.left - 20;
        g.textAlign = "left";
        g.textBaseline = "middle";
        g.font = BOLD;
        g.fillStyle = colours.ink;
        g.fillText(fitText(g, device.name, room), 12, top + 12);
        g.font = FONT;
        g.fillStyle = colours.muted;
        g.fillText(fitText(g, cap > 0 ? `cap ${inBytes(cap)}` : "no cap", room), 12, top + 30);
        if (cap > 0)
            g.fillText(fitText(g, `${inPercent(peak / cap)} used`, room), 12, top + 47);
    }

    listen() {
        const {board, view, plan} = this, {canvas} = board, tip = byId("tip");
        canvas.addEventListener("pointermove", event => {
            const box = canvas.getBoundingClientRect(), x = event.clientX - box.left;
            const d = Math.floor((event.clientY - box.top - AXIS - 6) / (BAND + BAND_GAP));
            const inside = x >= board.left && x <= board.left + board.plotWidth && d >= 0 && d < plan.devices.length && !event.buttons;
            view.cursor = inside ? board.tick(view, x) : null;
            view.redraw();
            tip.hidden = !inside;
            if (!inside)
                return;
            const {tick, bytes} = plan.memory[d], peak = Number(plan.figures.peak[d]), op = opAt(plan, d, view.cursor);
            const now = bytes[firstAbove(tick, 0, tick.length, view.cursor) - 1] || 0;
            tip.replaceChildren(make("p", {class: "facts-name"}, plan.devices[d].name), make("dl", {class: "facts"},
                [["at", inTicks(view.cursor)], ["holds", `${inBytes(now)}${peak > 0 ? ` (${inPercent(now / peak)} of its peak)` : ""}`], ["runs", op >= 0 ? plan.ops.name[op] : "nothing"]]
                    .flatMap(([term, words]) => [make("dt", {}, term), make("dd", {}, words)])));
            placeTip(tip, event);
        });
        canvas.addEventListener("pointerleave", () => {
            view.cursor = null;
            tip.hidden = true;
            view.redraw();
        });
        canvas.setAttribute("aria-label", `Memory over time: ${plan.devices.slice(0, 8).map((device, d) => `${device.name} peaks at ${inBytes(plan.figures.peak[d])} at ${inTicks(device.peak_tick)}`).join("; ")}.`);
    }
}
