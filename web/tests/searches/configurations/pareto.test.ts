import { describe, expect, it } from "vitest";
import type { TrialRow } from "../../../app/api/trial_types";
import { build_series } from "../../../app/figures/series";
import { accuracy_of, pareto_points } from "../../../app/searches/configurations/pareto_model";
import {
  keeps_real_time,
  real_time_share,
} from "../../../app/searches/configurations/step_time_plot";
import { short_time } from "../../../app/text/format";
import { configuration, curve } from "../../api/sample";

const curves = [
  curve(0, { test: "step", configuration: configuration("1") }),
  curve(1, { test: "ramp", configuration: configuration("1") }),
  curve(2, { test: "step", configuration: configuration("2") }),
  curve(3, { test: "ramp", configuration: configuration("2") }),
];
const set = build_series(curves);

function trial(id: number, curve_id: number, h: number, cost: number, error: number | null) {
  const row: TrialRow = {
    id,
    curve_id,
    macro_step_s: h,
    status: error === null ? "diverged" : "complete",
    relative_residual: error,
    nrmse: null,
    rhs_evaluations: cost,
  };
  return row;
}

const trials = [
  trial(0, 0, 1e-3, 100, 0.1),
  trial(1, 1, 1e-3, 50, 0.3),
  trial(2, 2, 1e-3, 100, 0.2),
  trial(3, 3, 1e-3, 100, 0.4),
  trial(4, 0, 2e-3, 40, 0.5),
  trial(5, 1, 2e-3, 20, null),
];

describe("accuracy against cost", () => {
  it("has the trials of one test", () => {
    const points = pareto_points(trials, curves, set, ["step"], "relative_residual");
    expect(points.map((one) => [one.trial_id, one.cost, one.error, one.on_front])).toEqual([
      [4, 40, 0.5, true],
      [0, 100, 0.1, true],
      [2, 100, 0.2, false],
    ]);
  });

  it("adds the costs of all tests and keeps the largest error with its trial", () => {
    const points = pareto_points(trials, curves, set, ["step", "ramp"], "relative_residual");
    expect(points.map((one) => [one.cost, one.error, one.trial_id, one.test])).toEqual([
      [150, 0.3, 1, "ramp"],
      [200, 0.4, 3, "ramp"],
    ]);
    expect(points.map((one) => one.on_front)).toEqual([true, false]);
  });

  it("takes the newest of trials at the same place", () => {
    const again = [...trials, trial(9, 0, 1e-3, 100, 0.05)];
    const points = pareto_points(again, curves, set, ["step"], "relative_residual");
    expect(points.find((one) => one.macro_step_s === 1e-3)?.error).toBe(0.05);
  });

  it("shows the true error where it is known", () => {
    expect(accuracy_of(trials)).toBe("relative_residual");
    expect(accuracy_of([{ ...trials[0]!, nrmse: 0.2 }])).toBe("nrmse");
  });

  it("leaves out configurations that are hidden", () => {
    const some = curves.slice(0, 2);
    expect(pareto_points(trials, some, set, ["step"], "relative_residual")).toHaveLength(2);
  });
});

describe("the limit of real time", () => {
  const row = {
    configuration: configuration("1"),
    macro_step_s: 1e-3,
    macro_steps: 1000,
    median_s: 1e-4,
    p999_s: 7e-4,
    worst_s: 2e-3,
  };

  it("is a share of H, and none where the job sets none", () => {
    expect(real_time_share({ search: { real_time: { share: 0.8 } } })).toBe(0.8);
    expect(real_time_share({ search: { real_time: null } })).toBeNull();
    expect(real_time_share({})).toBeNull();
  });

  it("is kept by the 99.9 % time, not the worst one", () => {
    expect(keeps_real_time(row, 0.8)).toBe(true);
    expect(keeps_real_time(row, 0.6)).toBe(false);
    expect(keeps_real_time({ ...row, p999_s: null }, 0.8)).toBe(false);
  });

  it("is written as people say it", () => {
    expect([4.56e-6, 1.2e-3, 2, null].map(short_time)).toEqual(
      ["4.56 µs", "1.2 ms", "2 s", "–"].map((t) => t.replace(" ", "\u202f")),
    );
  });
});
