import { describe, expect, it } from "vitest";
import {
  type FitLine,
  fit_line,
  fit_rule,
  type Sample,
} from "../../../app/searches/curves/fit_line";
import { curve, point } from "../../api/sample";

// E = 2 H^2 up to H = 8 s, then far above it.
const points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((h) =>
  point(h, {
    residual_J: h <= 8 ? 2 * h ** 2 : 1e6,
    relative_residual: 0.1,
    status: h < 10 ? "complete" : "diverged",
    inside_linear_region: h <= 8,
  }),
);
const bent = curve(0, {
  bend_s: 8,
  slope: 2,
  fit: { coefficient: 2, exponent: 2 },
  points,
});
const line = (rule: string, count = 5): FitLine => fit_line(bent, { name: rule, points: count })!;
const ends = (samples: Sample[]) => [samples[0]?.[0], samples[samples.length - 1]?.[0]];

describe("the line of a fit", () => {
  it("covers the last points up to the bend, and leaves the curve at the next one", () => {
    const drawn = line("local_power_law");
    expect(ends(drawn.fitted)).toEqual([4, 8]);
    expect(ends(drawn.continued)).toEqual([8, 9]);
    expect(drawn.continued[drawn.continued.length - 1]![1]).toBeCloseTo(162, 9);
  });

  it("covers all points of a region that has fewer", () => {
    expect(ends(line("local_power_law", 40).fitted)).toEqual([1, 8]);
  });

  it("covers the first points of a baseline, which runs on to where it is left", () => {
    const drawn = line("baseline_power_law", 3);
    expect(ends(drawn.fitted)).toEqual([1, 3]);
    expect(ends(drawn.continued)).toEqual([3, 9]);
  });

  it("is the straight line through the last two points of a tangent", () => {
    const drawn = line("tangent");
    expect(ends(drawn.fitted)).toEqual([7, 8]);
    expect(drawn.fitted[0]![1]).toBeCloseTo(98, 9);
    expect(drawn.continued[drawn.continued.length - 1]![1]).toBeCloseTo(128 + 30, 9);
  });

  it("ends with the scan where no bend was reached", () => {
    const straight = { ...bent, bend_s: null, points: points.slice(0, 8) };
    const drawn = fit_line(straight, { name: "local_power_law", points: 5 });
    expect(ends(drawn!.fitted)).toEqual([4, 8]);
    expect(drawn?.continued).toEqual([]);
  });

  it("is absent without a fit or a region", () => {
    const rule = { name: "local_power_law", points: 5 };
    expect(fit_line({ ...bent, fit: null }, rule)).toBeNull();
    expect(fit_line({ ...bent, points: [] }, rule)).toBeNull();
  });

  it("takes its rule from the job", () => {
    expect(fit_rule({})).toEqual({ name: "local_power_law", points: 5 });
    const search = { linear_region: { rule: "tangent", points: 7 } };
    expect(fit_rule({ search })).toEqual({ name: "tangent", points: 7 });
  });
});
