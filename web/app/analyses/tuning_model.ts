// The landscape of a tuning: planes of mu and nu, one per limit of the correction force.
import type { TuningPoint, TuningResult } from "../api/analysis_api";
import { scientific, significant } from "../text/format";
import type { AxisTick, CellClass, CellPlane } from "./map_model";

export interface Landscape {
  mu: number[];
  nu: number[];
  limits: number[];
  tests: string[];
}

function sorted(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

export function landscape_of(result: TuningResult): Landscape {
  const grid = result.landscape.slice(0, result.grid_points);
  return {
    mu: sorted(grid.map((one) => one.mu)),
    nu: sorted(grid.map((one) => one.nu)),
    limits: sorted(grid.map((one) => one.limit)),
    tests: Object.keys(result.uncorrected.objective),
  };
}

/** The ratio of the objective to that without a correction; `test` null: the largest over the tests. */
export function share_of(
  result: TuningResult,
  point: TuningPoint,
  test: string | null,
): number | null {
  const tests = test === null ? Object.keys(result.uncorrected.objective) : [test];
  let largest: number | null = null;
  for (const name of tests) {
    const [with_it, without] = [point.objective[name], result.uncorrected.objective[name]];
    if (with_it === null || with_it === undefined || !without) return null;
    largest = Math.max(largest ?? 0, with_it / without);
  }
  return largest;
}

const bounds = [0.01, 0.03, 0.1, 0.3, 1, 3];

const classes: CellClass[] = [
  ...[...bounds, Number.POSITIVE_INFINITY].map((bound, n): CellClass => {
    const from = n === 0 ? "" : scientific(bounds[n - 1]!, 2);
    const good = bound <= 1;
    const label =
      n === 0
        ? `at most ${scientific(bound, 2)}`
        : Number.isFinite(bound)
          ? `${from} to ${scientific(bound, 2)}`
          : `above ${from}`;
    return {
      label: good ? label : `${label}, worse than none`,
      tone: good ? "good" : "bad",
      strength: good ? 0.95 - 0.2 * n : bound === 3 ? 0.3 : 0.6,
    };
  }),
  { label: "not computed, or a run did not complete", tone: "none", strength: 0 },
];

export function point_at(
  result: TuningResult,
  setting: { mu: number; nu: number; limit: number },
): TuningPoint | null {
  if (setting.mu === 0 && setting.nu === 0) return result.uncorrected; // whatever the limit
  return (
    result.landscape
      .slice(0, result.grid_points)
      .find(
        (one) => one.mu === setting.mu && one.nu === setting.nu && one.limit === setting.limit,
      ) ?? null
  );
}

export function tuning_plane(
  result: TuningResult,
  of: Landscape,
  limit: number,
  test: string | null,
): CellPlane {
  const none = classes.length - 1;
  return {
    classes,
    cells: of.nu.map((nu) =>
      of.mu.map((mu) => {
        const point = point_at(result, { mu, nu, limit });
        const share = point && share_of(result, point, test);
        if (share === null) return none;
        const found = bounds.findIndex((bound) => share <= bound);
        return found < 0 ? bounds.length : found;
      }),
    ),
  };
}

/** In the words of the command line, where no setting is better than what is known. */
export function stay_text(result: TuningResult): string {
  return `Stay with ${result.by_formula ? "the formula" : "no correction"}.`;
}

/** Null where all runs completed. */
export function incomplete_text(result: TuningResult): string | null {
  const runs = result.incomplete_runs;
  if (!runs?.first) return null;
  const more = runs.count > 1 ? " (the first)" : "";
  return `${runs.count} of ${runs.of} runs do not complete: ${runs.first}${more}.`;
}

/** The limit to begin with: the best setting's, or one with more to see than a single colour. */
export function first_limit(result: TuningResult, of: Landscape): number {
  const near = result.best ? Math.round(place_of(of.limits, result.best.limit)) : 0;
  const colours = (limit: number) =>
    new Set(tuning_plane(result, of, limit, null).cells.flat()).size;
  const tried = [of.limits[near]!, ...of.limits];
  return tried.find((limit) => colours(limit) > 1) ?? of.limits[near]!;
}

/** Where a value lies between the cells of a list; outside: the nearest end. */
export function place_of(values: number[], value: number): number {
  const after = values.findIndex((one) => one >= value);
  if (after < 0) return values.length - 1;
  if (after === 0) return 0;
  const [low, high] = [values[after - 1]!, values[after]!];
  return after - 1 + (value - low) / (high - low);
}

/** Every cell has its value, as far as there is room. */
export function value_ticks(values: number[], length: number, room: number): AxisTick[] {
  const stride = Math.max(1, Math.ceil((values.length * room) / length));
  return values.map((value, n) => ({
    at: (n + 0.5) / values.length,
    label: n % stride === 0 ? significant(value, 3) : null,
  }));
}
