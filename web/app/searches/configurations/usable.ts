// How configurations rank by how far the server says that their curves may be used, and why the
// others were not recommended.

import type { Configuration, Curve, Recommendation } from "../../api/types";
import { as_sentence, macro_step_text } from "../../text/format";
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
  cause: string; // what limits each of them
}

export interface Unusable {
  count: number;
  configuration: Configuration; // the first of them
  test: string; // that leaves it no H
  cause: string;
}

const checks: Record<string, string> = {
  failed_growth: "growth: some motion grows",
  failed_change: "change: the outputs change too far with a quarter of H",
  failed_swing: "swing: the outputs swing farther than with a quarter of H",
  failed_unseen: "unseen inputs",
};

function failed_check(curve: Curve): string {
  const flag = curve.flags.find((one) => one in checks);
  return flag === undefined ? "verification" : `the check of ${checks[flag]}`;
}

/** What limits the H of a curve: with its own check, limit or bend, else in the server's words. */
export function cause_of(curve: Curve, meanings: Record<string, string>): string {
  const by = curve.limited_by ?? "";
  if (by === "rejected_by_checks") return `Every H fails ${failed_check(curve)}.`;
  if (by === "cut_at_checks") {
    const from = curve.rejected_from_s ?? null;
    return from === null
      ? `Larger H fail ${failed_check(curve)}.`
      : `From ${macro_step_text(from)} on it fails ${failed_check(curve)}.`;
  }
  if (by === "cut_at_stability_limit" && curve.stability_limit_s != null) {
    return `Its exact limit of stability, ${macro_step_text(curve.stability_limit_s)}, less the margin.`;
  }
  if (by === "bend") return `Its bend: ${curve.reason}.`;
  return as_sentence(meanings[by] ?? curve.reason);
}

/** What is known of the H at which a curve ends; empty of a server that does not say. */
export function standing_of(curve: Curve, told: boolean): string {
  if (!told) return "";
  if (curve.flags.includes("verified")) return "Verified.";
  const by_checks = ["cut_at_checks", "cut_at_unknown_growth", "cut_at_session_growth"];
  const is_checked = by_checks.includes(curve.limited_by ?? "");
  return is_checked ? "Not verified at this H." : "Never checked.";
}

/**
 * What comes after the recommended configuration and its ties, the largest H first. Null where this
 * ranking is not that of the server: then the page would explain another decision.
 */
export function runners_up(
  ranking: Ranking,
  answer: Recommendation,
  meanings: Record<string, string>,
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
    const [first] = one.limiting;
    const told = answer.verified !== undefined;
    const cause = first ? `${cause_of(first, meanings)} ${standing_of(first, told)}`.trim() : "";
    let group = groups.find((g) => g.macro_step_s === one.macro_step_s && g.cause === cause);
    if (!group) {
      if (groups.length === most) break;
      group = {
        macro_step_s: one.macro_step_s,
        configurations: [],
        tests: [],
        cause,
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

/** Configurations that no H is left of, by what left them none. */
export function unusable_causes(ranking: Ranking, meanings: Record<string, string>): Unusable[] {
  const groups = new Map<string, Unusable>();
  for (const { configuration, curve } of ranking.unusable) {
    const cause = cause_of(curve, meanings);
    const known = groups.get(cause);
    if (known) known.count += 1;
    else groups.set(cause, { count: 1, configuration, test: curve.test, cause });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
