// Puts the page together. What a test wants to know stands in attributes of <html>: data-loaded,
// data-load-ms, data-error, and with #bench data-bench-ms, data-bench-worst-ms.

const root = document.documentElement;

function tellTrouble(words) {
    root.dataset.error = words;
    byId("trouble").textContent = `This report could not be drawn: ${words}`;
    byId("trouble").hidden = false;
}
window.addEventListener("error", event => tellTrouble(event.message));

function listSections() {
    for (const section of document.querySelectorAll("main section"))
        if (!section.hidden)
            byId("toc").append(make("li", {}, make("a", {href: `#${section.id}`}, section.querySelector("h2").textContent)));
}

function setUpSearch(plan, timeline, view) {
    const input = byId("search"), list = byId("search-hits"), count = byId("search-count");
    let found = [], at = -1;
    const leave = () => { list.hidden = true; };
    const go = i => {
        at = i;
        timeline.go(found[i]);
        count.textContent = `${inCount(i + 1)} of ${inCount(found.length)}`;
    };
    input.addEventListener("input", () => {
        const word = input.value.trim().toLowerCase();
        found = [];
        at = -1;
        for (let i = 0; word !== "" && i < plan.ops.count; i++)
            if (plan.ops.name[i].toLowerCase().includes(word))
                found.push(i);
        found.sort((a, b) => plan.ops.start[a] - plan.ops.start[b] || a - b);
        timeline.hits = word === "" ? null : new Set(found);
        count.textContent = word === "" ? "" : found.length === 0 ? "no op" : things(found.length, "op");
        list.hidden = found.length === 0;
        list.replaceChildren(...found.slice(0, 50).map((op, i) => make("li", {}, make("button", {type: "button", class: "link", onclick: () => { go(i); leave(); }},
            nameOf(plan.ops.name[op]), make("small", {}, `${plan.devices[plan.ops.row[op]].name}, ${inTicks(plan.ops.start[op])}`)))));
        view.redraw();
    });
    input.addEventListener("keydown", event => {
        if (event.key === "Enter" && found.length > 0) {
            go((at + (event.shiftKey ? found.length - 1 : 1)) % found.length);
            leave();
        } else if (event.key === "Escape") {
            leave();
        }
    });
    document.addEventListener("pointerdown", event => {
        if (!event.target.closest(".search"))
            leave();
    });
}

// The system's theme until the button was pressed; paper is always light.
function setUpTheme(redraw) {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    let chosen = null;
    const apply = () => {
        const theme = printing ? "light" : chosen || (dark.matches ? "dark" : "light");
        root.dataset.theme = theme;
        colours = theme === "dark" ? DARK : LIGHT;
        byId("theme").textContent = theme === "dark" ? "Light theme" : "Dark theme";
        redraw();
    };
    const print = on => {
        printing = on;
        apply();
    };
    byId("theme").addEventListener("click", () => {
        chosen = root.dataset.theme === "dark" ? "light" : "dark";
        apply();
    });
    dark.addEventListener("change", apply);
    window.addEventListener("beforeprint", () => print(true));
    window.addEventListener("afterprint", () => print(false));
    if (/^#(light|dark)$/.test(location.hash))
        chosen = location.hash.slice(1);
    apply();
}

// Frames of zooming in and out, each read back so that it is really drawn.
function measureFrames(timeline, view) {
    const times = [], rounds = 60;
    for (let i = 0; i <= rounds; i++) {
        const begun = performance.now(), half = Math.abs(1 - 2 * i / rounds), span = view.whole * 10 ** (-3 * (1 - half));
        view.from = (view.whole - span) * 0.4;
        view.to = view.from + span;
        view.drawNow();
        timeline.board.context.getImageData(0, 0, 1, 1);
        times.push(performance.now() - begun);
    }
    view.show(0, view.whole);
    view.drawNow();
    root.dataset.benchMs = (times.reduce((sum, time) => sum + time, 0) / times.length).toFixed(2);
    root.dataset.benchWorstMs = Math.max(...times).toFixed(2);
}

function start() {
    const read = id => JSON.parse(byId(id).textContent);
    const plan = unpack(read("data"), read("figures"));
    const view = new TimeView(plan.whole);
    const timeline = new Timeline(plan, view), convergence = new Convergence(plan);
    new MemoryChart(plan, view);
    const go = step => timeline.go(step);
    showHead(plan);
    showFindings(plan);
    showDevices(plan);
    showHeld(plan);
    showComparison(plan);
    showLinks(plan);
    showCritical(plan, go);
    showLongest(plan, go);
    listSections();
    setUpSearch(plan, timeline, view);
    const redraw = () => {
        timeline.showLegend();
        view.drawNow();
        convergence.draw();
    };
    setUpTheme(redraw);
    window.addEventListener("resize", () => {
        view.redraw();
        convergence.draw();
    });
    root.dataset.loadMs = performance.now().toFixed(1);
    root.dataset.loaded = "true";
    if (location.hash === "#bench")
        measureFrames(timeline, view);
}

try {
    start();
} catch (error) {
    tellTrouble(error.message);
    throw error;
}
