"""What a limit on the relative residual costs: searches a problem with several limits and tells for each the
recommended macro-step H, the residual at it, and the error of the outputs. Draws both over the limit.

    python3 limits.py [PROBLEM] [--limits 0.2,0.05,0.01] [--url URL] [--token-file FILE] [--out limits.svg]
"""

import argparse
import sys

from macrostep_client import Client, MacrostepError
from residual_curves import BLUE, BOTTOM, GREEN, LEFT, PANEL_H, PANEL_W, TOP, Scale, Svg, number


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("problem", nargs="?", default="linear_oscillator", help="a built-in problem")
    parser.add_argument("--limits", default="0.2,0.1,0.05,0.02,0.01", help="relative residuals, 0.01 being 1 %%")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--token-file")
    parser.add_argument("--out", help="SVG file to write")
    return parser.parse_args()


def answers(macrostep, problem, limits):
    """(limit, search) of each, all submitted before the first is waited for: the server queues them."""
    searches = [
        macrostep.submit({"problem": problem, "name": f"limit {limit:g}", "search": {"relative_residual_max": limit}})
        for limit in limits
    ]
    for limit, search in zip(limits, searches):
        yield limit, macrostep.wait(search["id"])


def draw(rows):
    """H and NRMSE over the limit, each with an axis of its own."""
    svg = Svg()
    for index, (name, values, colour) in enumerate(
        (
            ("recommended H, ms", [(limit, 1e3 * h) for limit, h, _ in rows], GREEN),
            ("NRMSE", [(limit, error) for limit, _, error in rows if error], BLUE),
        )
    ):
        left, top = LEFT + index * (PANEL_W + LEFT), TOP
        x = Scale([limit for limit, _ in values], left, left + PANEL_W)
        y = Scale([value for _, value in values], top + PANEL_H, top)
        for tick in x.ticks():
            svg.line(x(tick), top, x(tick), top + PANEL_H, "#e3e6ea")
            svg.text(x(tick), top + PANEL_H + 16, number(tick))
        for tick in y.ticks():
            svg.line(left, y(tick), left + PANEL_W, y(tick), "#e3e6ea")
            svg.text(left - 6, y(tick) + 4, number(tick), anchor="end")
        svg.text(left + PANEL_W / 2, top - 10, name, size=13)
        svg.text(left + PANEL_W / 2, top + PANEL_H + 34, "relative_residual_max")
        svg.path([(x(limit), y(value)) for limit, value in values], colour, 2)
        for limit, value in values:
            svg.dot(x(limit), y(value), colour)
    width, height = 2 * (PANEL_W + LEFT) + 20, PANEL_H + TOP + BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">\n'
        + '<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(svg.parts)
        + "\n</svg>\n"
    )


def main():
    arguments = parse_arguments()
    macrostep = Client(arguments.url, token_file=arguments.token_file)
    limits = [float(limit) for limit in arguments.limits.split(",")]
    rows = []
    for limit, search in answers(macrostep, arguments.problem, limits):
        best = search["recommendation"]
        if best is None:
            print(f"{limit:8g}  none: {search['reason']}")
            continue
        error = best["error"]["nrmse"] if best["error"] else None
        rows.append((limit, best["macro_step_s"], error))
        residual = best["relative_residual"]
        print(
            f"{limit:8g}  H = {1e3 * best['macro_step_s']:.4g} ms, extrapolation {best['extrapolation']}, "
            f"relative residual {'unknown' if residual is None else f'{residual:.2g}'}, "
            f"NRMSE {'unknown' if error is None else f'{error:.2g}'}"
        )
    if arguments.out and rows:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(draw(rows))


if __name__ == "__main__":
    try:
        main()
    except MacrostepError as error:
        sys.exit(str(error))
