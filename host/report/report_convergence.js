// How the best value fell, as a drawing in SVG.

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, value);
    if (text !== undefined)
        element.textContent = text;
    return element;
}

class Convergence {
    constructor(plan) {
        this.plan = plan;
        this.words = plan.figures.objective === "time" ? inTicks : inBytes;
        this.points = plan.points.map(point => ({...point, value: Number(point.value), evaluations: Number(point.evaluations), over: Number(point.excess) > 0}));
        byId("convergence").hidden = this.points.length === 0;
        byId("log-scale").addEventListener("change", () => this.draw());
    }

    draw() {
        if (this.points.length === 0)
            return;
        const frame = byId("convergence-chart"), width = printing ? PAPER_WIDTH : Math.max(320, frame.clientWidth), height = 300;
        const box = {left: 92, right: width - 20, top: 18, bottom: height - 44};
        const logarithmic = byId("log-scale").checked, {points} = this, bound = Number(this.plan.figures.bound || 0);
        const last = Math.max(points[points.length - 1].evaluations, Number(this.plan.made.evaluations || 0), 2);
        const values = points.map(point => point.value), high = Math.max(...values, bound), low = Math.min(...values, bound > 0 ? bound : Infinity);
        const margin = 0.06 * (high - low || high || 1), bottom = Math.max(0, low - margin), top = high + margin;
        const map = value => logarithmic ? Math.log10(Math.max(1, value)) : value;
        const first = logarithmic ? map(Math.max(1, points[0].evaluations)) : 0;
        const x = value => box.left + Math.max(0, (map(value) - first) / (map(last) - first || 1)) * (box.right - box.left);
        const y = value => box.bottom - (value - bottom) / (top - bottom) * (box.bottom - box.top);
        const chart = draw("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 12, fill: colours.muted,
            "aria-label": `Best value from ${this.words(points[0].value)} to ${this.words(points[points.length - 1].value)} in ${things(last, "evaluation")}.`});
        this.axes(chart, box, {logarithmic, first, last, x, y, bottom, top});
        this.lines(chart, box, {bound, x, y, last});
        frame.replaceChildren(chart);
    }

    axes(chart, box, {logarithmic, first, last, x, y, bottom, top}) {
        const step = niceStep((top - bottom) / 5);
        for (let value = Math.ceil(bottom / step) * step; value <= top; value += step) {
            chart.append(draw("line", {x1: box.left, x2: box.right, y1: y(value), y2: y(value), stroke: colours.line}));
            chart.append(draw("text", {x: box.left - 10, y: y(value) + 4, "text-anchor": "end"}, inFewDigits(this.words(value))));
        }
        const marks = [];
        if (logarithmic)
            for (let power = Math.ceil(first - 1e-9); 10 ** power <= last; power++)
                marks.push(10 ** power);
        else
            for (let value = 0, by = Math.max(1, niceStep(last / 8)); value <= last; value += by)
                marks.push(value);
        for (const value of marks) {
            chart.append(draw("line", {x1: x(value), x2: x(value), y1: box.top, y2: box.bottom, stroke: colours.line}));
            chart.append(draw("text", {x: x(value), y: box.bottom + 18, "text-anchor": "middle"}, inCount(Math.round(value))));
        }
        chart.append(draw("text", {x: (box.left + box.right) / 2, y: box.bottom + 37, "text-anchor": "middle"}, "evaluations"));
    }

    lines(chart, box, {bound, x, y, last}) {
        const {points} = this;
        if (bound > 0) {
            chart.append(draw("line", {x1: box.left, x2: box.right, y1: y(bound), y2: y(bound), stroke: colours.bad, "stroke-width": 1.5, "stroke-dasharray": "6 4"}));
            chart.append(draw("text", {x: box.left + 6, y: y(bound) - 7, fill: colours.bad}, `lower bound ${this.words(bound)}`));
        }
        const path = {over: "", within: ""};
        points.forEach((point, i) => {
            const end = i + 1 < points.length ? points[i + 1] : null, kind = point.over ? "over" : "within";
            path[kind] += `M${x(point.evaluations)} ${y(point.value)}H${x(end ? end.evaluations : last)}`;
            if (end)
                path[kind] += `V${y(end.value)}`;
        });
        for (const [kind, dash] of [["over", "3 3"], ["within", "none"]])
            if (path[kind])
                chart.append(draw("path", {d: path[kind], fill: "none", stroke: colours.area, "stroke-width": 2, "stroke-dasharray": dash, "stroke-linejoin": "round"}));
        const best = points[points.length - 1];
        chart.append(draw("circle", {cx: x(best.evaluations), cy: y(best.value), r: 4, fill: colours.area}));
        const right = x(best.evaluations) > box.right - 120;
        chart.append(draw("text", {x: x(best.evaluations) + (right ? -8 : 8), y: y(best.value) - 9, "text-anchor": right ? "end" : "start", fill: colours.ink, "font-weight": 600}, this.words(best.value)));
        if (path.over)
            chart.append(draw("text", {x: box.left + 8, y: box.top + 12}, "dashed: over the memory caps"));
    }
}
