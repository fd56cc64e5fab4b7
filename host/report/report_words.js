// Numbers and elements for people. Integers may be numbers, or strings where they are beyond 2^53.

function scaled(number, units) {
    let value = Number(number), unit = 0;
    while (Math.abs(value) >= 999.95 && unit + 1 < units.length) {
        value /= 1000;
        unit++;
    }
    const size = Math.abs(value);
    return `${value.toFixed(unit === 0 ? 0 : size < 9.9995 ? 3 : size < 99.995 ? 2 : 1)} ${units[unit]}`;
}
const inTicks = number => scaled(number, ["ns", "µs", "ms", "s"]); // a tick is 1 ns
const inBytes = number => scaled(number, ["B", "kB", "MB", "GB", "TB", "PB", "EB"]);
// As few decimals as the number has, for axes.
const inFewDigits = words => words.replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");
const inCount = number => String(BigInt(number)).replace(/\B(?=(\d{3})+$)/g, ",");
const inPercent = share => `${(100 * share).toFixed(1)} %`;
const inSmallPercent = share => share < 0.0001 ? "less than 0.01 %" : `${(100 * share).toPrecision(2)} %`;
const inRatio = (part, whole) => Number(whole) > 0 ? (Number(part) / Number(whole)).toFixed(3) : "–";
const things = (number, thing) => `${inCount(number)} ${thing}${Number(number) === 1 ? "" : "s"}`;

function inSeconds(seconds) {
    if (seconds < 0.1)
        return `${(seconds * 1000).toFixed(1)} ms`;
    if (seconds < 120)
        return `${seconds.toFixed(seconds < 9.95 ? 2 : 0)} s`;
    return seconds < 7200 ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
                          : `${(seconds / 3600).toFixed(1)} h`;
}

// A name shortened from its front, where paths are alike.
function shortName(name, length) {
    return name.length <= length ? name : `…${name.slice(name.length - length + 1)}`;
}

const byId = id => document.getElementById(id);

// An element with attributes (on...: listeners) and children (nodes or text; null: none).
function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (typeof value === "function")
            element.addEventListener(name.slice(2), value);
        else if (value !== null && value !== false)
            element.setAttribute(name, value);
    }
    element.append(...children.flat().filter(child => child !== null && child !== undefined));
    return element;
}
const nameOf = text => make("span", {class: "name"}, text);

// A figure of the plan: what people read, and the exact integer for whoever compares.
function figure(key, value, words) {
    return make("span", {"data-figure": key, "data-value": String(value), title: inCount(value)}, words);
}

// columns: [title, class]; rows: arrays of cells, or {class, cells}; the first cell heads its row.
function makeTable(columns, rows, caption) {
    const head = make("tr", {}, columns.map(([title, kind]) => make("th", {scope: "col", class: kind}, title)));
    const body = rows.map(row => make("tr", {class: row.class || null}, (row.cells || row).map(
        (cell, i) => make(i === 0 ? "th" : "td",
                          {scope: i === 0 ? "row" : null, class: columns[i][1]}, cell))));
    return make("table", {}, caption ? make("caption", {}, caption) : null, make("thead", {}, head),
                make("tbody", {}, body));
}
const inFrame = table => make("div", {class: "table"}, table);

function bar(share) {
    const inner = make("i");
    inner.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
    return make("span", {class: "bar", "aria-hidden": "true"}, inner);
}
