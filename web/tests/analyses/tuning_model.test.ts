import { describe, expect, it } from "vitest";
import * as tuning from "../../app/analyses/tuning_model";
import type { TuningPoint, TuningResult } from "../../app/api/analysis_api";

const point = (mu: number, nu: number, limit: number, a: number | null, b = 1): TuningPoint => ({
  mu,
  nu,
  limit,
  objective: { a, b },
  ratio: null,
});

const result: TuningResult = {
  objective: "energy_deviation",
  best: point(0.55, 0.05, 1, 0.1, 0.2),
  by_formula: null,
  no_formula: null,
  uncorrected: point(0, 0, 1, 10, 1),
  left_out_ratio: null,
  reason: null,
  grid_points: 3,
  landscape: [
    point(0.5, 0, 1, 1, 0.5),
    point(1, 0, 1, null),
    point(0.5, 0.1, 1, 1, 4),
    point(0.55, 0, 1, 1),
  ],
};

describe("landscape of a tuning", () => {
  const of = tuning.landscape_of(result);

  it("has the settings of the grid, not those between them", () => {
    expect([of.mu, of.nu, of.limits, of.tests]).toEqual([[0.5, 1], [0, 0.1], [1], ["a", "b"]]);
  });

  it("compares with the objective without a correction, in the worst test", () => {
    expect(tuning.share_of(result, result.landscape[0]!, null)).toBe(0.5);
    expect(tuning.share_of(result, result.landscape[0]!, "a")).toBe(0.1);
    expect(tuning.share_of(result, result.landscape[1]!, null)).toBeNull();
  });

  it("tells better, worse and not computed apart", () => {
    const plane = tuning.tuning_plane(result, of, 1, null);
    const tones = plane.cells.map((row) => row.map((cell) => plane.classes[cell]!.tone));
    expect(tones).toEqual([
      ["good", "none"],
      ["bad", "none"],
    ]);
  });

  it("knows what no correction comes to, whatever its limit", () => {
    const none = tuning.point_at(result, { mu: 0, nu: 0, limit: 0.1 });
    expect(none && tuning.share_of(result, none, null)).toBe(1);
  });

  it("places settings between cells, and no farther than the ends", () => {
    expect(tuning.place_of([0, 0.1, 0.25, 1], 0.25)).toBe(2);
    expect(tuning.place_of([0, 0.1, 0.2], 0.15)).toBeCloseTo(1.5, 12);
    expect(tuning.place_of([0, 0.1], 7)).toBe(1);
    expect(tuning.place_of([0, 0.1], -1)).toBe(0);
  });

  it("is shown at the first limit with more than one colour, if there is any", () => {
    const of_points = (...landscape: TuningPoint[]) => {
      const own = { ...result, best: null, grid_points: landscape.length, landscape };
      return tuning.first_limit(own, tuning.landscape_of(own));
    };
    const flat = [point(0.5, 0, 1, 1), point(1, 0, 1, 1)];
    expect(of_points(...flat, point(0.5, 0, 2, 1), point(1, 0, 2, 30))).toBe(2);
    expect(of_points(...flat, point(0.5, 0, 2, 1), point(1, 0, 2, 1))).toBe(1);
  });

  it("says what to stay with where no setting is better", () => {
    expect(tuning.stay_text({ ...result, best: null })).toBe("Stay with no correction.");
    const by_formula = point(1, 0, 1, 1);
    expect(tuning.stay_text({ ...result, by_formula })).toBe("Stay with the formula.");
  });

  it("tells how the first of the runs that do not complete ended", () => {
    expect(tuning.incomplete_text(result)).toBeNull();
    const incomplete_runs = { count: 2, of: 440, first: "the trial crashed" };
    expect(tuning.incomplete_text({ ...result, incomplete_runs })).toBe(
      "2 of 440 runs do not complete: the trial crashed (the first).",
    );
  });
});
