import { describe, expect, it } from "vitest";
import { heat_rows } from "../app/heat_map";
import { build_series } from "../app/series";
import type { Curve, Job, Point } from "../app/types";
import { rank, runners_up, usable_step } from "../app/usable";
import { configuration, curve, recommendation } from "./sample";

/** Complete at 0.2, 0.4, … ms, on the line up to `bend`. */
function points(bend_ms: number, relative: number[] = []): Point[] {
  return [0.2, 0.4, 0.6, 0.8, 1].map((ms, n) => ({
    macro_step_s: ms / 1e3,
    residual_J: ms,
    relative_residual: relative[n] ?? 0.01,
    status: "complete",
    inside_linear_region: ms <= bend_ms,
  }));
}

function with_bend(id: number, test: string, extrapolation: string, bend_ms: number): Curve {
  return curve(id, {
    test,
    configuration: configuration(extrapolation),
    bend_s: bend_ms / 1e3,
    points: points(bend_ms),
    reason: `curve ${id} leaves the line`,
  });
}

describe("the largest usable H of a curve", () => {
  it("is the last one on the line", () => {
    expect(usable_step(with_bend(0, "step", "1", 0.6), {})).toBe(6e-4);
  });

  it("ends where more energy is added than transmitted, or the limit of the job is exceeded", () => {
    const one = curve(0, { points: points(1, [0.01, 0.02, 0.3, 1.2, 0.1]) });
    expect(usable_step(one, {})).toBe(6e-4);
    expect(usable_step(one, { search: { relative_residual_max: 0.05 } })).toBe(4e-4);
    expect(usable_step(one, { search: { relative_residual_max: 0.001 } })).toBeNull();
  });

  it("does not reach beyond the limit of stability", () => {
    expect(usable_step(curve(0, { points: points(1), stability_limit_s: 7e-4 }), {})).toBe(6e-4);
  });

  it("is a multiple of the rig's own where the job names them", () => {
    const job: Job = { search: { allowed_macro_steps_s: [1e-4, 5e-4, 9e-4] } };
    expect(usable_step(with_bend(0, "step", "1", 0.8), job)).toBe(5e-4);
    expect(
      usable_step(with_bend(0, "step", "1", 0.8), { search: { allowed_macro_steps_s: [9e-4] } }),
    ).toBeNull();
  });

  it("is none where the server says that none is", () => {
    expect(usable_step(curve(0, { points: points(1), flags: ["unstable"] }), {})).toBeNull();
  });
});

const curves = [
  with_bend(0, "step", "1", 0.4),
  with_bend(1, "ramp", "1", 0.8),
  with_bend(2, "step", "2", 0.8),
  with_bend(3, "ramp", "2", 0.6),
  with_bend(4, "step", "3", 1),
  curve(5, { test: "ramp", configuration: configuration("3"), flags: ["no_linear_region"] }),
];

describe("the ranking", () => {
  it("goes by the smallest H over the tests, and leaves out what fails in one", () => {
    const ranking = rank(curves, {});
    expect(ranking.candidates.map((one) => one.macro_step_s)).toEqual([6e-4, 4e-4]);
    expect(ranking.candidates[0]!.limiting.map((one) => one.test)).toEqual(["ramp"]);
    expect(ranking.unusable.map((one) => one.curve.id)).toEqual([5]);
  });

  it("does not ask tests with too few macro-steps", () => {
    const short = curves.map((one) =>
      one.id === 3 ? { ...one, flags: ["too_few_macro_steps"] } : one,
    );
    expect(rank(short, {}).candidates[0]!.macro_step_s).toBe(8e-4);
  });

  it("says what comes after the answer, and why", () => {
    const answer = recommendation({ macro_step_s: 6e-4 });
    expect(runners_up(rank(curves, {}), answer, 3)).toEqual([
      {
        macro_step_s: 4e-4,
        configurations: [configuration("1")],
        tests: ["step"],
        reason: "curve 0 leaves the line",
      },
    ]);
  });

  it("says nothing where the server decided by something else", () => {
    expect(runners_up(rank(curves, {}), recommendation({ macro_step_s: 2e-4 }), 3)).toBeNull();
    const other = recommendation({ ...configuration("1"), macro_step_s: 6e-4 });
    expect(runners_up(rank(curves, {}), other, 3)).toBeNull();
  });
});

describe("the heat map", () => {
  const rows = heat_rows(curves, build_series(curves), ["step", "ramp", "sine"], {});

  it("has a row per configuration and a cell per test", () => {
    expect(rows.map((row) => row.cells.map((cell) => cell?.macro_step_s))).toEqual([
      [4e-4, 8e-4, undefined],
      [8e-4, 6e-4, undefined],
      [1e-3, null, undefined],
    ]);
  });

  it("marks the best of each test and shades by H", () => {
    expect(rows.map((row) => row.cells.map((cell) => cell?.best ?? null))).toEqual([
      [false, true, null],
      [false, false, null],
      [true, false, null],
    ]);
    expect(rows[0]!.cells[0]!.shade).toBe(0);
    expect(rows[2]!.cells[0]!.shade).toBe(5);
  });
});
