"""Draws the residual curves of a search: residual energy over the macro-step H, both axes logarithmic, one
panel per test input. The recommended configuration stands out, with its line, bend, cliff and H.

    python3 residual_curves.py SEARCH_ID [--url URL] [--token-file FILE] [--tests A,B] [--out curves.svg]
    python3 residual_curves.py double_actuator_crane          submits that problem first, and waits

Draws by matplotlib where it is installed and --out is no SVG; otherwise it writes the SVG itself.
"""

import argparse
import math
import sys
from xml.sax.saxutils import escape

from macrostep_client import Client, MacrostepError

PANEL_W, PANEL_H, LEFT, TOP, GAP, BOTTOM = 300, 240, 62, 46, 26, 64
WIDE_PANEL_W = 560  # of a picture with one panel
LARGEST_OVER_CHOSEN = 30  # residuals of others beyond so many times its own are not shown
GREY, BLUE, RED, GREEN = "#9aa3ad", "#1f5fa8", "#b3261e", "#2e7d4f"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("search", help="id of a search, or name of a built-in problem to search first")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--token-file")
    parser.add_argument("--tests", help="names of tests, with commas between; all unless told")
    parser.add_argument("--out", default="curves.svg", help="file to write")
    return parser.parse_args()


def find_search(macrostep, name):
    """The search of that id, waited for; of a problem's name a new one."""
    if any(problem["name"] == name for problem in macrostep.problems()):
        name = macrostep.submit({"problem": name})["id"]

    def show(progress):
        print(f"\r{progress['curves_done']} of {progress['curves_total']} curves", end="", file=sys.stderr)

    search = macrostep.wait(name, on_progress=show)
    print(file=sys.stderr)
    return search


def points_of(curve):
    """(H, residual energy) of the runs that completed; on logarithmic axes zero has no place."""
    return [
        (point["macro_step_s"], point["residual_J"])
        for point in curve["points"]
        if point["status"] == "complete" and point["residual_J"] is not None and point["residual_J"] > 0
    ]


def same_configuration(curve, recommendation):
    return recommendation is not None and all(
        recommendation.get(member) == value for member, value in curve["configuration"].items()
    )


class Scale:
    """From decades to the picture's length."""

    def __init__(self, values, begin, end):
        low, high = math.log10(min(values)), math.log10(max(values))
        margin = max(0.05 * (high - low), 0.05)
        self.low, self.high, self.begin, self.end = low - margin, high + margin, begin, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        """1, 2 and 5 of every decade where there are few, else every so many a decade."""
        first, last = math.ceil(self.low), math.floor(self.high)
        steps = [1, 2, 5] if self.high - self.low < 2 else [1]
        every = max(1, math.ceil((last - first) / 6))
        ticks = [step * 10.0**k for k in range(math.floor(self.low), last + 1, every) for step in steps]
        return [tick for tick in ticks if self.low <= math.log10(tick) <= self.high]


def number(value):
    return f"{value:.3g}"


class Svg:
    def __init__(self):
        self.parts = []

    def line(self, x1, y1, x2, y2, colour, width=1.0, dash=None):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{style}/>'
        )

    def path(self, points, colour, width, opacity=1.0):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-opacity="{opacity}"/>'
        )

    def dot(self, x, y, colour, filled=True):
        fill = colour if filled else "#fff"
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{colour}"/>')

    def text(self, x, y, text, anchor="middle", colour="#333", size=11, turn=None):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}"'
            f"{turned}>{escape(text)}</text>"
        )


def draw_panel(svg, left, top, width, test, curves, recommendation):
    own = [curve for curve in curves if curve["test"] == test]
    chosen = [curve for curve in own if same_configuration(curve, recommendation)]
    most = LARGEST_OVER_CHOSEN * max((energy for curve in chosen for _, energy in points_of(curve)), default=math.inf)

    def shown(curve):
        return [(h, energy) for h, energy in points_of(curve) if energy <= most]

    both = [point for curve in own for point in shown(curve)]
    if not both:
        svg.text(left + width / 2, top + PANEL_H / 2, f"{test}: no energy is exchanged")
        return
    marks = [recommendation["macro_step_s"]] if recommendation else []
    for curve in chosen:
        marks += [curve[mark] for mark in ("bend_s", "cliff_s") if curve[mark] is not None]
    x = Scale([h for h, _ in both] + marks, left, left + width)
    y = Scale([energy for _, energy in both], top + PANEL_H, top)
    svg.text(left + width / 2, top - 10, test, size=13)
    for tick in x.ticks():
        svg.line(x(tick), top, x(tick), top + PANEL_H, "#e3e6ea")
        svg.text(x(tick), top + PANEL_H + 16, number(1e3 * tick))
    for tick in y.ticks():
        svg.line(left, y(tick), left + width, y(tick), "#e3e6ea")
        svg.text(left - 6, y(tick) + 4, number(tick), anchor="end")
    svg.text(left + width / 2, top + PANEL_H + 34, "macro-step H, ms")

    for curve in own:
        if curve not in chosen:
            svg.path([(x(h), y(energy)) for h, energy in shown(curve)], GREY, 1, 0.45)
    for curve in chosen:
        points = shown(curve)
        fit = curve["fit"]
        if fit is not None and points:
            ends = [h for h in (points[0][0], points[-1][0])]
            line = [(h, fit["coefficient"] * h ** fit["exponent"]) for h in ends]
            line = [(h, energy) for h, energy in line if y.low <= math.log10(energy) <= y.high]
            if len(line) == 2:
                svg.line(x(line[0][0]), y(line[0][1]), x(line[1][0]), y(line[1][1]), BLUE, 1, "5 4")
        svg.path([(x(h), y(energy)) for h, energy in points], BLUE, 2)
        for h, energy in points:
            svg.dot(x(h), y(energy), BLUE, filled=curve["bend_s"] is None or h <= curve["bend_s"] * (1 + 1e-9))
        for mark, name, colour, height in (("bend_s", "bend", BLUE, 14), ("cliff_s", "cliff", RED, 28)):
            if curve[mark] is not None:
                svg.line(x(curve[mark]), top, x(curve[mark]), top + PANEL_H, colour, 1.2, "2 3")
                svg.text(x(curve[mark]) - 4, top + height, name, anchor="end", colour=colour)
    if recommendation:
        h = x(recommendation["macro_step_s"])
        svg.line(h, top, h, top + PANEL_H, GREEN, 2)
        svg.text(h - 4, top + PANEL_H - 8, f"{number(1e3 * recommendation['macro_step_s'])} ms", "end", GREEN)
    svg.parts.append(
        f'<rect x="{left}" y="{top}" width="{width}" height="{PANEL_H}" fill="none" stroke="#777"/>'
    )


def draw_svg(search, curves, tests):
    columns = min(3, len(tests))
    rows = math.ceil(len(tests) / columns)
    panel_width = PANEL_W if columns > 1 else WIDE_PANEL_W
    width = columns * (panel_width + LEFT + GAP)
    height = rows * (PANEL_H + TOP + BOTTOM) + 24
    svg = Svg()
    for index, test in enumerate(tests):
        left = LEFT + (index % columns) * (panel_width + LEFT + GAP)
        top = TOP + (index // columns) * (PANEL_H + TOP + BOTTOM)
        draw_panel(svg, left, top, panel_width, test, curves, search["recommendation"])
        svg.text(left - 50, top + PANEL_H / 2, "residual energy, J", turn=-90)
    note = "Blue: recommended, filled up to its bend; dashed: its line. Grey: others."
    svg.text(LEFT - 50, height - 10, f"{search['name']}. {note}", anchor="start")
    body = "\n".join(svg.parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif">\n<title>{escape(search["name"])}: residual energy over H'
        f'</title>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )


def draw_by_matplotlib(search, curves, tests, out):
    import matplotlib.pyplot as pyplot

    figure, panels = pyplot.subplots(1, len(tests), figsize=(4.5 * len(tests), 4), squeeze=False)
    for panel, test in zip(panels[0], tests):
        for curve in (one for one in curves if one["test"] == test and points_of(one)):
            chosen = same_configuration(curve, search["recommendation"])
            h, energy = zip(*points_of(curve))
            panel.loglog(h, energy, "o-" if chosen else "-", color=BLUE if chosen else GREY, alpha=1 if chosen else 0.4)
        if search["recommendation"]:
            panel.axvline(search["recommendation"]["macro_step_s"], color=GREEN)
        panel.set(title=test, xlabel="macro-step H, s", ylabel="residual energy, J")
    figure.tight_layout()
    figure.savefig(out)


def main():
    arguments = parse_arguments()
    macrostep = Client(arguments.url, token_file=arguments.token_file)
    search = find_search(macrostep, arguments.search)
    print(search["sentence"] or f"The search has {search['status']}: {search['reason']}")
    curves = macrostep.curves(search["id"])
    names = list(dict.fromkeys(curve["test"] for curve in curves))
    tests = names if arguments.tests is None else arguments.tests.split(",")
    unknown = [test for test in tests if test not in names]
    if unknown or not tests:
        sys.exit(f"no test {', '.join(unknown)}: the search has {', '.join(names) or 'none'}")
    if not arguments.out.endswith(".svg"):
        try:
            draw_by_matplotlib(search, curves, tests, arguments.out)
        except ImportError:
            sys.exit("matplotlib is not installed: name a file that ends in .svg")
    else:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(draw_svg(search, curves, tests))
    print(f"{arguments.out}: {', '.join(tests)}; {len(curves)} curves in all")


if __name__ == "__main__":
    try:
        main()
    except MacrostepError as error:
        sys.exit(str(error))
