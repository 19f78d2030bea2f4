// How configurations rank by how far the server says that their curves may be used, and why the
// others were not recommended.

import type { Configuration, Curve, Recommendation } from "../../api/types";
import { configuration_key } from "../../text/names";

interface Candidate {
  configuration: Configuration;
  key: string;
  macro_step_s: number; // smallest over the tests that count
  limiting: Curve[];
}

export interface Ranking {
  candidates: Candidate[]; // with the largest H first
  unusable: { configuration: Configuration; curve: Curve }[]; // with the first test that forbids it
}

/** How far the curves that count may be used; in an old search one may count and have no such H. */
export function counted_steps(curves: Curve[]): number[] {
  return curves.flatMap(({ counts, usable_s }) => (counts && usable_s !== null ? [usable_s] : []));
}

/** As the rule max_min ranks, but for the cost that decides between equals. */
export function rank(curves: Curve[]): Ranking {
  const groups = new Map<string, Curve[]>();
  for (const curve of curves) {
    const key = configuration_key(curve.configuration);
    groups.set(key, [...(groups.get(key) ?? []), curve]);
  }
  const ranking: Ranking = { candidates: [], unusable: [] };
  for (const [key, group] of groups) {
    const { configuration } = group[0]!;
    const bad = group.find((one) => one.usable_s === null && !one.flags.includes("no_energy"));
    if (bad) {
      ranking.unusable.push({ configuration, curve: bad });
      continue;
    }
    const steps = counted_steps(group);
    if (steps.length === 0) continue;
    const macro_step_s = Math.min(...steps);
    const limiting = group.filter((curve) => curve.counts && curve.usable_s === macro_step_s);
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
