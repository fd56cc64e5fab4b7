// What the charts share: colours, the range of time that they show, drawing on frames, navigation.

const LIGHT = {surface: "#ffffff", ink: "#1b1f24", muted: "#5a636e", line: "#e3e6e9", soft: "#f4f5f6", accent: "#0a5fb4", bad: "#b3261e",
    transfer: "#6b7785", other: "#a3abb5", area: "#0a5fb4", on: "#ffffff", onOther: "#1b1f24",
    kinds: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"]};
const DARK = {surface: "#191d21", ink: "#e6e9ec", muted: "#9ba5af", line: "#2c3238", soft: "#1f2429", accent: "#74b4f5", bad: "#ff8a7f",
    transfer: "#7f8b99", other: "#6d7680", area: "#4d9be8", on: "#0e1114", onOther: "#ffffff",
    kinds: ["#3f9be0", "#e8a72c", "#2bb68c", "#d890b6", "#7fcdf5", "#ec7a38", "#d6c62f"]};

let colours = LIGHT;
let printing = false; // charts then have the width of a page, whatever the window has

const PAPER_WIDTH = 1000, PAPER_SHARPNESS = 2.5;
const GUTTER = 132, MOBILE_GUTTER = 84, AXIS = 24, RIGHT = 12;

// The range of time on show. Listeners draw on the next frame, once for any number of changes.
class TimeView {
    constructor(whole) {
        this.whole = whole;
        this.from = 0;
        this.to = whole;
        this.drawers = [];
        this.asked = false;
        this.cursor = null; // a tick that the pointer is at
    }
    redraw() {
        if (this.asked)
            return;
        this.asked = true;
        requestAnimationFrame(() => this.drawNow());
    }
    drawNow() {
        this.asked = false;
        for (const draw of this.drawers)
            draw();
    }
    show(from, to) {
        const least = Math.min(this.whole, 20);
        const span = Math.min(this.whole, Math.max(least, to - from));
        this.from = Math.max(0, Math.min(this.whole - span, (from + to) / 2 - span / 2));
        this.to = this.from + span;
        this.redraw();
    }
    // by < 1 nears; the tick stays where it is.
    zoom(by, tick) {
        const span = this.to - this.from, next = Math.min(this.whole, Math.max(Math.min(this.whole, 20), span * by));
        const share = (tick - this.from) / span, from = tick - share * next;
        this.show(from, from + next);
    }
    pan(ticks) {
        const span = this.to - this.from, from = Math.max(0, Math.min(this.whole - span, this.from + ticks));
        this.show(from, from + span);
    }
}

// A canvas as wide as its frame; draws in CSS pixels.
class Board {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d", {alpha: false, willReadFrequently: location.hash === "#bench"});
    }
    prepare(height) {
        const width = printing ? PAPER_WIDTH : Math.max(240, this.canvas.parentElement.clientWidth);
        const scale = Math.min(printing ? PAPER_SHARPNESS : window.devicePixelRatio || 1, 16000 / Math.max(width, height));
        const w = Math.round(width * scale), h = Math.round(height * scale);
        if (this.canvas.width !== w || this.canvas.height !== h) {
            this.canvas.width = w;
            this.canvas.height = h;
            this.canvas.style.height = `${height}px`;
        }
        this.width = width;
        this.height = height;
        this.left = width < 640 ? MOBILE_GUTTER : GUTTER;
        this.plotWidth = width - this.left - RIGHT;
        this.context.setTransform(scale, 0, 0, scale, 0, 0);
        this.context.fillStyle = colours.surface;
        this.context.fillRect(0, 0, width, height);
        return this.context;
    }
    x(view, tick) { return this.left + (tick - view.from) / (view.to - view.from) * this.plotWidth; }
    tick(view, x) { return view.from + (x - this.left) / this.plotWidth * (view.to - view.from); }
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const BOLD = `600 ${FONT}`;

// 1, 2 or 5 times a power of ten.
function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].find(factor => factor * power >= least * 0.999) * power;
}

function axisWords(tick, step) {
    if (tick === 0)
        return "0";
    const unit = tick >= 1e9 ? [1e9, "s"] : tick >= 1e6 ? [1e6, "ms"] : tick >= 1e3 ? [1e3, "µs"] : [1, "ns"];
    return `${(tick / unit[0]).toFixed(Math.max(0, Math.min(9, Math.ceil(Math.log10(unit[0] / step) - 1e-9))))} ${unit[1]}`;
}

// Lines over [top, bottom], words above.
function drawTimeAxis(board, view, top, bottom) {
    const g = board.context, step = Math.max(1, niceStep((view.to - view.from) / Math.max(2, board.plotWidth / 110)));
    g.font = FONT;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let tick = Math.ceil(view.from / step) * step; tick <= view.to; tick += step) {
        const x = Math.round(board.x(view, tick)) + 0.5;
        g.fillStyle = colours.line;
        g.fillRect(x - 0.5, top, 1, bottom - top);
        g.fillStyle = colours.muted;
        const words = axisWords(tick, step), half = g.measureText(words).width / 2;
        g.fillText(words, Math.min(Math.max(x, board.left + half), board.width - half - 3), top - AXIS / 2);
    }
}

// Text that ends in … where it is too long; the widths of characters are taken to be alike.
function fitText(g, text, width) {
    const size = g.measureText("abcdefgh_0").width / 10;
    const room = Math.floor(width / size);
    if (room < 2)
        return "";
    let fit = shortName(text, room);
    while (fit.length > 2 && g.measureText(fit).width > width)
        fit = shortName(text, fit.length - 1);
    return g.measureText(fit).width <= width ? fit : "";
}

// Pan by drag, zoom by wheel (with Ctrl, or once the chart has the focus) and pinch.
function navigate(board, view, onClick) {
    const canvas = board.canvas, pointers = new Map();
    let moved = 0;
    const place = event => {
        const box = canvas.getBoundingClientRect();
        return {x: event.clientX - box.left, y: event.clientY - box.top};
    };
    canvas.addEventListener("wheel", event => {
        const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
        if (!event.ctrlKey && !event.metaKey && !sideways && document.activeElement !== canvas)
            return;
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 16 : 1, span = view.to - view.from;
        if (sideways || event.shiftKey)
            view.pan((event.deltaX || event.deltaY) * unit * span / board.plotWidth);
        else
            view.zoom(Math.exp(event.deltaY * unit * (event.ctrlKey ? 0.008 : 0.0025)), board.tick(view, place(event).x));
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
        pointers.set(event.pointerId, place(event));
        moved = pointers.size > 1 ? 100 : 0;
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
        const old = pointers.get(event.pointerId), now = place(event), span = view.to - view.from;
        if (!old)
            return;
        const other = [...pointers].find(([id]) => id !== event.pointerId);
        pointers.set(event.pointerId, now);
        moved += Math.abs(now.x - old.x);
        if (other) {
            const before = Math.max(8, Math.abs(old.x - other[1].x)), after = Math.max(8, Math.abs(now.x - other[1].x));
            view.zoom(before / after, board.tick(view, other[1].x));
        } else if (moved > 3) {
            view.pan((old.x - now.x) * span / board.plotWidth);
        }
    });
    const release = event => {
        const known = pointers.delete(event.pointerId);
        if (known && event.type === "pointerup" && moved <= 3 && onClick)
            onClick(place(event), event);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("dblclick", event => view.zoom(0.4, board.tick(view, place(event).x)));
    canvas.addEventListener("keydown", event => {
        const span = view.to - view.from, middle = (view.from + view.to) / 2;
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key !== "+")
            return;
        const action = {"+": () => view.zoom(0.6, middle), "=": () => view.zoom(0.6, middle), "-": () => view.zoom(1 / 0.6, middle),
            "0": () => view.show(0, view.whole), Home: () => view.show(0, view.whole),
            ArrowLeft: () => view.pan(-span / 8), ArrowRight: () => view.pan(span / 8)}[event.key];
        if (action) {
            event.preventDefault();
            action();
        }
    });
}

// Near the pointer, within the window.
function placeTip(tip, event) {
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(event.clientX + 16, window.innerWidth - box.width - 10))}px`;
    tip.style.top = `${event.clientY + 20 + box.height > window.innerHeight ? Math.max(6, event.clientY - box.height - 14) : event.clientY + 20}px`;
}
