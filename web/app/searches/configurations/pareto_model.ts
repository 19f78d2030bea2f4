// Accuracy against cost: every configuration at every H, and the front that nothing beats in both.

import type { TrialRow } from "../../api/trial_types";
import type { Curve } from "../../api/types";
import type { SeriesSet } from "../../figures/series";
import { configuration_key } from "../../text/names";

export interface ParetoPoint {
  key: string; // of the configuration
  macro_step_s: number;
  cost: number; // evaluations of right-hand sides
  error: number;
  trial_id: number; // the one with that error
  test: string; // its test
  on_front: boolean;
}

export type Accuracy = "nrmse" | "relative_residual";

/** The true error where the server knows any, else the relative residual. */
export function accuracy_of(trials: TrialRow[]): Accuracy {
  return trials.some((one) => one.nrmse !== null) ? "nrmse" : "relative_residual";
}

/**
 * One point per configuration and H. Of one test: that trial. Of several: the sum of the costs and
 * the largest error, where the trials of all of them are complete.
 */
export function pareto_points(
  trials: TrialRow[],
  curves: Curve[],
  set: SeriesSet,
  tests: string[],
  accuracy: Accuracy,
): ParetoPoint[] {
  const by_id = new Map(curves.map((curve) => [curve.id, curve]));
  const latest = new Map<string, TrialRow>();
  for (const one of trials) {
    const place = `${one.curve_id} ${one.macro_step_s}`;
    if ((latest.get(place)?.id ?? -1) < one.id) latest.set(place, one);
  }
  const groups = new Map<string, { point: ParetoPoint; tests: number }>();
  for (const one of latest.values()) {
    const curve = by_id.get(one.curve_id);
    const error = one[accuracy];
    if (!curve || !tests.includes(curve.test)) continue;
    if (one.status !== "complete" || error === null || !(error > 0)) continue;
    const key = configuration_key(curve.configuration);
    if (!set.by_key.has(key)) continue;
    const place = `${key} ${one.macro_step_s}`;
    const known = groups.get(place);
    const point = {
      key,
      macro_step_s: one.macro_step_s,
      cost: one.rhs_evaluations + (known?.point.cost ?? 0),
      error,
      trial_id: one.id,
      test: curve.test,
      on_front: false,
    };
    if (known && known.point.error > error) {
      const { trial_id, test: worst } = known.point;
      Object.assign(point, { error: known.point.error, trial_id, test: worst });
    }
    groups.set(place, { point, tests: (known?.tests ?? 0) + 1 });
  }
  const points = [...groups.values()]
    .filter((group) => group.tests === tests.length && group.point.cost > 0)
    .map((group) => group.point);
  points.sort((a, b) => a.cost - b.cost || a.error - b.error);
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) {
    point.on_front = point.error < least;
    if (point.on_front) least = point.error;
  }
  return points;
}
