"""The figure of models/learned: panels of bars as SVG, readable on light and dark."""
import math

from learned_measures import BIASES, KINDS, OBJECTIVES, PRIORITY, QUARTERS

STYLE = """text{font:11px sans-serif;fill:#6e7781}.t{font-weight:bold;font-size:12px}.n{font-size:10px}
.a{stroke:#8c959f;stroke-width:1}.g{stroke:#8c959f;stroke-width:.5;stroke-opacity:.35}
.e{stroke:#6e7781;stroke-width:1.2}.b{fill:#3b82c4;fill-opacity:.8}.c{fill:#d9822b;fill-opacity:.8}
@media(prefers-color-scheme:dark){text{fill:#a8b1bb}.e{stroke:#c9d1d9}}"""
CAPTION = ("Shipped policies on held-out problems; blue: trained, orange: random priorities (top), untrained "
           "policy (second row);",
           "lines are standard errors over problems. Losses are of the gain over a search without a policy.")
LABELS, PLOT, LINE = 140, 250, 15


def tick_step(width):
    rough = width / 4
    power = 10 ** math.floor(math.log10(rough))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= rough)


def axis_of(values, base):
    """(low, high, step), with the base of the bars and every error mark inside."""
    low = min([base] + [m - e for m, e in values])
    high = max([base] + [m + e for m, e in values])
    step = tick_step(max(high - low, 1e-6))
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


class Figure:
    def __init__(self):
        self.parts = []

    def text(self, x, y, text, style="", anchor="start"):
        self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}">'
                          f'{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, style):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" class="{style}"/>')

    def panel(self, left, top, title, label, rows, axis, base):
        """Bars from `base`; a row is (label, [values with errors])."""
        low, high, step = axis
        x0, y = left + LABELS, top + 20
        place = lambda value: x0 + PLOT * (value - low) / (high - low)
        bottom = y + sum(panel_row_height(values) for _, values in rows)
        self.text(left, top + 10, title, "t")
        for i in range(round((high - low) / step) + 1):
            tick = low + i * step
            self.line(place(tick), y, place(tick), bottom, "g")
            self.text(place(tick), bottom + 12, f"{round(tick, 6):g}", "n", "middle")
        for name, values in rows:
            height = panel_row_height(values)
            self.text(x0 - 6, y + height / 2 + 4, name, "", "end")
            bar = (height - 5) / len(values)
            for i, (mean, error) in enumerate(values):
                ends = sorted((place(base), place(mean)))
                at = y + 2.5 + i * bar
                self.parts.append(f'<rect x="{ends[0]:.1f}" y="{at:g}" width="{ends[1] - ends[0]:.1f}" '
                                  f'height="{bar:g}" class="{"bc"[i]}"/>')
                self.line(place(mean - error), at + bar / 2, place(mean + error), at + bar / 2, "e")
            y += height
        self.line(place(base), top + 20, place(base), bottom, "a")
        self.text(x0 + PLOT / 2, bottom + 26, label, "n", "middle")
        return bottom + 46


def panel_row_height(values):
    return LINE if len(values) == 1 else LINE + 5


def figure_panels(found):
    """(title of each objective, axis label, rows of each objective, base of the bars)."""
    yield ([f"{o}: which ops have priority" for o in OBJECTIVES], "greater one goes first, % of pairs",
           [[(PRIORITY[k], [v["first"], v["random"]]) for k, v in found[o]["priorities"].items()]
            for o in OBJECTIVES], 50)
    titles, rows = [], []
    for objective, key, title in BIASES[:2]:
        pair = found[objective]["devices"][key]
        titles.append(f"{objective}: devices, by {title}")
        rows.append([(name, [kind["quarters"][q] for kind in pair]) for q, name in enumerate(QUARTERS)])
    yield titles, "agreement of rows", rows, 0
    for kind, words in KINDS.items():
        yield ([f"{o}: without {words}" for o in OBJECTIVES], "loss of gain, points",
               [[(t, [v]) for t, v in found[o][kind].items()] for o in OBJECTIVES], 0)


def figure(found):
    made, top, column = Figure(), 8, LABELS + PLOT + 30
    for titles, label, sides, base in figure_panels(found):
        axis = axis_of([v for rows in sides for _, values in rows for v in values], base)
        top = max([made.panel(12 + i * column, top, titles[i], label, rows, axis, base)
                   for i, rows in enumerate(sides)])
    for line in CAPTION:
        made.text(12, top + 4, line)
        top += 15
    width, height = 12 + 2 * column, top
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" '
            f'height="{height:g}" role="img"><title>What the policies learned</title>'
            f"<style>{STYLE}</style>\n" + "\n".join(made.parts) + "\n</svg>\n")
