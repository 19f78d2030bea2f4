// How far each curve may be used, by the rules of engine/finish_curve.cpp, and how configurations
// rank by it: what the heat map shows and why the others were not recommended.
import { configuration_key } from "./names";
import { is_inside } from "./plot_model";
import type { Configuration, Curve, Job, Recommendation } from "./types";

const meaningful_relative_residual = 1; // beyond, the coupling adds more energy than it transmits
const unusable = [
  "residual_of_iteration",
  "no_energy",
  "no_linear_region",
  "unsupported",
  "relative_residual_exceeded",
  "unstable",
  "no_allowed_macro_step",
];

/** The largest H of the curve that may be recommended; null: none. */
export function usable_step(curve: Curve, job: Job): number | null {
  if (curve.flags.some((flag) => unusable.includes(flag))) return null;
  const wanted = job.search?.relative_residual_max;
  const limit = Math.min(
    typeof wanted === "number" ? wanted : meaningful_relative_residual,
    meaningful_relative_residual,
  );
  const stable = curve.stability_limit_s ?? Number.POSITIVE_INFINITY;
  let largest: number | null = null;
  for (const point of curve.points) {
    const fits =
      point.status === "complete" &&
      is_inside(curve, point) &&
      (point.relative_residual ?? 0) <= limit &&
      point.macro_step_s <= stable;
    if (!fits) break;
    largest = point.macro_step_s;
  }
  const allowed = job.search?.allowed_macro_steps_s;
  if (!Array.isArray(allowed) || allowed.length === 0 || largest === null) return largest;
  const first = curve.points[0]!.macro_step_s;
  const [from, to] = [first, largest];
  const fitting = allowed.filter((one) => typeof one === "number" && one >= from && one <= to);
  return fitting.length === 0 ? null : Math.max(...fitting);
}

export function counts_in_test(curve: Curve): boolean {
  return !curve.flags.includes("too_few_macro_steps");
}

export interface Candidate {
  configuration: Configuration;
  key: string;
  macro_step_s: number; // smallest over the tests that count
  limiting: Curve[];
}

export interface Ranking {
  candidates: Candidate[]; // with the largest H first
  unusable: { configuration: Configuration; curve: Curve }[]; // with the first test that forbids it
}

/** As the rule max_min ranks, but for the cost that decides between equals. */
export function rank(curves: Curve[], job: Job): Ranking {
  const groups = new Map<string, Curve[]>();
  for (const curve of curves) {
    const key = configuration_key(curve.configuration);
    groups.set(key, [...(groups.get(key) ?? []), curve]);
  }
  const ranking: Ranking = { candidates: [], unusable: [] };
  for (const [key, group] of groups) {
    const { configuration } = group[0]!;
    const steps = group.map((curve) => usable_step(curve, job));
    const bad = group.find((curve, n) => steps[n] === null && !curve.flags.includes("no_energy"));
    if (bad) {
      ranking.unusable.push({ configuration, curve: bad });
      continue;
    }
    const counting = group.filter((curve, n) => steps[n] !== null && counts_in_test(curve));
    if (counting.length === 0) continue;
    const step_of = (curve: Curve) => steps[group.indexOf(curve)]!;
    const macro_step_s = Math.min(...counting.map(step_of));
    const limiting = counting.filter((curve) => step_of(curve) === macro_step_s);
    ranking.candidates.push({ configuration, key, macro_step_s, limiting });
  }
  ranking.candidates.sort((a, b) => b.macro_step_s - a.macro_step_s);
  return ranking;
}

export interface RunnersUp {
  macro_step_s: number;
  configurations: Configuration[];
  tests: string[]; // that limit them
  reason: string; // of the first of these curves
}

/**
 * What comes after the recommended configuration and its ties, the largest H first. Null where this
 * ranking is not that of the server: then the page would explain another decision.
 */
export function runners_up(
  ranking: Ranking,
  answer: Recommendation,
  most: number,
): RunnersUp[] | null {
  const [best] = ranking.candidates;
  const same = (h: number) => Math.abs(h / answer.macro_step_s - 1) < 1e-9;
  const key = configuration_key(answer);
  const own = ranking.candidates.find((one) => one.key === key);
  if (!best || !own || !same(best.macro_step_s) || !same(own.macro_step_s)) return null;
  const groups: RunnersUp[] = [];
  for (const one of ranking.candidates) {
    if (same(one.macro_step_s)) continue;
    let group = groups.find((g) => g.macro_step_s === one.macro_step_s);
    if (!group) {
      if (groups.length === most) break;
      group = {
        macro_step_s: one.macro_step_s,
        configurations: [],
        tests: [],
        reason: one.limiting[0]?.reason ?? "",
      };
      groups.push(group);
    }
    group.configurations.push(one.configuration);
    for (const curve of one.limiting) {
      if (!group.tests.includes(curve.test)) group.tests.push(curve.test);
    }
  }
  return groups;
}
