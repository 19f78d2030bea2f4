import { describe, expect, it } from "vitest";
import type { Configuration, Curve } from "../../../app/api/types";
import { build_series } from "../../../app/figures/series";
import {
  build_plot,
  frame_of,
  is_inside,
  nearest,
  others_at,
  residual_domain,
  step_domain,
} from "../../../app/searches/curves/plot_model";
import { configuration_key } from "../../../app/text/names";
import { configuration, curve, point } from "../../api/sample";

function bent(
  id: number,
  extrapolation: Configuration["extrapolation"],
  mechanics: Configuration["integrators"][string] = "i1al",
): Curve {
  const points = [1, 2, 3, 4, 5, 6].map((n) =>
    point(n * 1e-3, {
      residual_J: n < 5 ? n * (n > 3 ? 1e9 : 1) : null,
      relative_residual: n < 5 ? n * 1e-6 : null,
      status: n < 5 ? "complete" : n === 5 ? "diverged" : "solver_failed",
      inside_linear_region: n <= 3,
    }),
  );
  return curve(id, {
    configuration: configuration(extrapolation, mechanics),
    bend_s: 0.003,
    cliff_s: 0.004,
    points,
  });
}

const curves = [bent(0, "2"), bent(1, "0"), bent(2, "i2", "i3al")];
const set = build_series(curves);
const key = (one: Curve) => configuration_key(one.configuration);
const frame = frame_of(500);
const plot = build_plot(curves, set, key, step_domain(curves)!, "residual_J", frame);

describe("series", () => {
  it("are in the order of ties, with one style per set of integrators", () => {
    expect(set.series.map((one) => one.extrapolation)).toEqual(["0", "2", "i2"]);
    expect(set.styles).toHaveLength(2);
    expect(new Set(set.series.map((one) => one.colour)).size).toBe(3);
  });
});

describe("plot", () => {
  it("puts ends of every kind where they are seen", () => {
    const places = plot.lines[0]!.points.map((point) => point.place);
    expect(places).toEqual(["inside", "inside", "inside", "above", "diverged", "failed"]);
    for (const point of plot.lines[0]!.points) {
      expect(point.x).toBeGreaterThanOrEqual(frame.left);
      expect(point.x).toBeLessThanOrEqual(frame.right);
      if (point.place !== "inside") expect(point.y).toBeLessThan(frame.top);
    }
  });

  it("is not squeezed by runs beyond the linear region", () => {
    const [low, high] = residual_domain(curves, "residual_J")!;
    expect(low).toBeGreaterThan(0.5);
    expect(high).toBeLessThan(1e3);
  });

  it("counts points of a running search as inside, up to a bend that is known", () => {
    const running = { ...curves[0]!, bend_s: null };
    const told = { ...curves[0]!.points[4]!, inside_linear_region: null };
    expect(is_inside(running, told)).toBe(true);
    expect(is_inside(curves[0]!, told)).toBe(false);
    expect(is_inside(curves[0]!, { ...told, macro_step_s: 0.003 })).toBe(true);
  });

  it("marks the bend on the line", () => {
    expect(plot.lines[0]!.bend?.x).toBeCloseTo(plot.x(0.003), 6);
  });

  it("writes only finite numbers into paths", () => {
    for (const one of plot.lines) expect(one.path + one.markers).not.toMatch(/NaN|Infinity/);
  });

  it("finds the nearest point within reach only", () => {
    const target = plot.lines[1]!.points[1]!;
    expect(nearest(plot, target.x + 2, target.y - 2)?.point.point.macro_step_s).toBe(0.002);
    expect(nearest(plot, frame.right + 300, frame.bottom + 300)).toBeNull();
  });

  it("marks the best of the test", () => {
    const row = {
      test: "step",
      configurations: [curves[0]!.configuration],
      macro_step_s: 0.002,
      cliff_s: null,
      flags: [],
    };
    const marked = build_plot(curves, set, key, [1e-3, 6e-3], "residual_J", frame, row);
    expect(marked.lines[0]!.best?.x).toBeCloseTo(marked.x(0.002), 6);
    expect(marked.lines[1]!.best).toBeNull();
    expect(plot.lines[0]!.best).toBeNull();
  });

  it("counts the curves that lie upon each other", () => {
    const line = plot.lines[0]!;
    expect(others_at(plot, { line, point: line.points[0]! })).toBe(2);
    const higher = { ...curves[1]!, points: curves[1]!.points.slice(0, 1) };
    const apart = build_plot([curves[0]!, higher], set, key, [1e-3, 6e-3], "residual_J", frame);
    const alone = apart.lines[0]!;
    expect(others_at(apart, { line: alone, point: alone.points[1]! })).toBe(0);
  });

  it("names an extrapolation where its longest line ends", () => {
    const short = { ...curves[0]!, points: curves[0]!.points.slice(0, 2) };
    const long = bent(7, "2", "i3al");
    const pair = build_series([short, long]);
    const drawn = build_plot([short, long], pair, key, [1e-3, 6e-3], "residual_J", frame);
    expect(drawn.end_labels).toHaveLength(1);
    expect(drawn.end_labels[0]!.x).toBeCloseTo(drawn.x(0.003), 6);
  });

  it("can be empty", () => {
    const empty = build_plot([], set, key, [1e-4, 1e-2], "residual_J", frame);
    expect(empty.lines).toEqual([]);
    expect(empty.y_domain[1]).toBeGreaterThan(empty.y_domain[0]);
  });
});
