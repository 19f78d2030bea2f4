// What is said about the answer beside the server's sentence, built from the recommendation alone.

import type { Configuration, Recommendation, TableRow } from "../../api/types";
import { as_sentence, macro_step_text, percent, short_time, significant } from "../../text/format";
import {
  companion,
  configuration_key,
  configuration_short,
  extrapolation_rank,
  extrapolation_short,
  group_order,
  test_title,
  word,
} from "../../text/names";

function list(parts: string[], conjunction: string): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${conjunction} ${parts[parts.length - 1]}`;
}

/**
 * The server's sentence in parts: "Use … with ", "H = 1.8 ms", ", …", "why". Without an H or a
 * reason in it the part is empty.
 */
export function sentence_parts(sentence: string): [string, string, string, string] {
  const colon = sentence.lastIndexOf(": ");
  const [what, why] =
    colon < 0 ? [sentence, ""] : [sentence.slice(0, colon), sentence.slice(colon + 2)];
  const [macro_step = ""] = what.match(/H = [^,]*ms/) ?? [];
  const at = macro_step === "" ? what.length : what.indexOf(macro_step);
  return [what.slice(0, at), macro_step, what.slice(at + macro_step.length), why];
}

/**
 * What the reasons add to the sentence, which holds the first one already. Of a search that an older
 * version ran only their text is known.
 */
export function more_of(answer: Pick<Recommendation, "reason" | "reasons">): string {
  const parts = answer.reasons?.map((one) => one.sentence) ?? answer.reason.split("; ");
  return parts.slice(1).map(as_sentence).join(" ");
}

/** Whether an H is known to be stable; null: the server did not say. */
export function verified_text(
  of: Pick<Recommendation, "verified" | "macro_step_verified_s">,
): string | null {
  if (of.verified === undefined) return null;
  if (of.verified) return "Verified.";
  return of.macro_step_verified_s == null
    ? "Not verified."
    : `Not verified at this H; ${macro_step_text(of.macro_step_verified_s)} is.`;
}

/** What the recommended correction buys, and what it costs; null without one to compare. */
export function gain_text(answer: Recommendation): string | null {
  const gain = answer.correction_gain;
  if (!gain) return null;
  const h = gain.macro_step_s_without;
  if (gain.without === null || h === null)
    return "Without a correction nothing can be recommended.";
  const cost =
    gain.cost_per_macro_step !== null && gain.cost_per_macro_step_without
      ? `, for ${significant(gain.cost_per_macro_step / gain.cost_per_macro_step_without, 3)} times the cost of a macro-step`
      : "";
  return (
    `The correction allows ${significant(answer.macro_step_s / h, 3)} times the H that is possible ` +
    `without one (${macro_step_text(h)} by ${configuration_short(gain.without)})${cost}.`
  );
}

/** How far H is from the end of the linear region, the cliff and the exact limit of stability. */
export function margin(answer: Recommendation): string {
  const parts: string[] = [];
  const h = answer.macro_step_s;
  if (answer.bend_s !== null) {
    if (answer.bend_s < h * (1 - 1e-9)) {
      parts.push(
        `H lies beyond the line, which ends at ${macro_step_text(answer.bend_s)} (the bend)`,
      );
    } else if (answer.bend_s <= h * (1 + 1e-9)) {
      parts.push("H is the last step on the line (the bend)");
    } else {
      const below = percent((answer.bend_s - h) / answer.bend_s);
      parts.push(`H is ${below} below the bend at ${macro_step_text(answer.bend_s)}`);
    }
  } else {
    parts.push("the scan ended before a bend was reached");
  }
  if (answer.cliff_s !== null) {
    parts.push(
      `the cliff is at ${macro_step_text(answer.cliff_s)}, ${(answer.cliff_s / h).toFixed(2)} times H`,
    );
  } else if (answer.stability_limit_s == null) {
    parts.push("no instability was met within the scan");
  }
  const growth = answer.growth;
  if (growth && growth.rate_per_s !== null && growth.verdict_by !== "exact") {
    const where =
      growth.verdict_by === "operating_points" ? " around states that the tests reach" : "";
    const rate = `${significant(growth.rate_per_s, 3)} ± ${significant(growth.uncertainty_per_s ?? 0, 2)}`;
    parts.push(`by runs${where} the largest rate of growth is ${rate} per s`);
    if (growth.unseen_share) {
      const share = significant(growth.unseen_share, 2);
      parts.push(`motions smaller than ${share} of all that moves were not seen`);
    }
  }
  if (answer.stability_limit_s != null) {
    const limit = answer.stability_limit_s;
    parts.push(
      `the exact limit of stability is ${macro_step_text(limit)}, ${(limit / h).toFixed(2)} times H`,
    );
  }
  if (growth?.session_s != null && growth.verdict_by !== "operating_points") {
    parts.push(`growth is judged over a session of ${significant(growth.session_s, 4)} s`);
  }
  const text = `${parts.join("; ")}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether macro-steps end in time, as measured; null: the job does not ask. */
export function real_time_text(answer: Recommendation): string | null {
  const { real_time } = answer;
  if (!real_time || real_time.p999_s === null) return null;
  const limit = `the limit, ${percent(real_time.share)} of H, is ${short_time(real_time.limit_s)}`;
  return `Real time: 99.9 % of the macro-steps take at most ${short_time(real_time.p999_s)}; ${limit}.`;
}

/** The energy that the coupling makes up at this H, and how far off the outputs really are. */
export function accuracy(answer: Recommendation): string | null {
  const parts: string[] = [];
  if (answer.relative_residual !== null) {
    const size = percent(answer.relative_residual);
    parts.push(`At this H the coupling adds or removes up to ${size} of the energy it transmits.`);
  }
  const { error } = answer;
  if (error && error.nrmse !== null) {
    parts.push(
      `Against the monolithic solution (${error.reference}) the outputs are off by ` +
        `${percent(error.nrmse)} of their standard deviation (NRMSE, largest over all tests` +
        `${error.test === null ? "" : `, in ${test_title(error.test)}`}).`,
    );
  } else if (error) {
    parts.push(`The error of the outputs is not known: ${error.reference.replace(/^none: /, "")}.`);
  }
  return parts.length === 0 ? null : parts.join(" ");
}

interface Group {
  extrapolation: string;
  members: Configuration[];
}

/**
 * Ties in few words: "m = 2 with I1AL or I3AL + forward Euler or trapezoidal rule". Configurations
 * of one extrapolation that form a full product of integrators are written as that product,
 * everything else one by one.
 */
export function configurations_text(configurations: Configuration[]): string[] {
  const unique = new Map(configurations.map((one) => [configuration_key(one), one]));
  const groups: Group[] = [];
  for (const one of unique.values()) {
    const group = groups.find((g) => g.extrapolation === one.extrapolation);
    if (group) group.members.push(one);
    else groups.push({ extrapolation: one.extrapolation, members: [one] });
  }
  groups.sort((a, b) => extrapolation_rank(a.extrapolation) - extrapolation_rank(b.extrapolation));
  return groups.map((group) => {
    const short = extrapolation_short(group.extrapolation);
    const text = product_text(group.members) ?? list(group.members.map(companion), "or");
    return text === "" ? short : `${short} with ${text}`;
  });
}

/** The configurations of a row, with what is verified of each where that differs. */
export function largest_text(
  row: Pick<TableRow, "configurations" | "macro_steps_verified_s">,
): string[] {
  const groups = new Map<number | null, Configuration[]>();
  row.configurations.forEach((one, n) => {
    const verified_s = row.macro_steps_verified_s?.[n] ?? null;
    groups.set(verified_s, [...(groups.get(verified_s) ?? []), one]);
  });
  if (groups.size < 2) return configurations_text(row.configurations);
  return [...groups].flatMap(([verified_s, configurations]) => {
    const verified =
      verified_s === null ? "not verified" : `verified ${macro_step_text(verified_s)}`;
    return configurations_text(configurations).map((text) => `${text}: ${verified}`);
  });
}

function product_text(members: Configuration[]): string | null {
  const first = members[0];
  if (!first || members.length < 2) return null;
  const groups = Object.keys(first.integrators).sort(group_order);
  const same_rest = members.every(
    (one) =>
      configuration_key({ ...one, integrators: {} }) ===
        configuration_key({ ...first, integrators: {} }) &&
      Object.keys(one.integrators).length === groups.length,
  );
  if (!same_rest) return null;
  const choices = groups.map((group) => [
    ...new Set(members.map((one) => one.integrators[group] ?? "")),
  ]);
  if (choices.reduce((product, options) => product * options.length, 1) !== members.length)
    return null;
  return choices.map((options) => list(options.map(word), "or")).join(" + ");
}

/** The sentence about ties, or null without any. `whose`: integrators, where it must be said. */
export function ties_text(answer: Recommendation, whose = ""): string | null {
  const own = configuration_key(answer);
  const others = answer.ties.filter((one) => configuration_key(one) !== own);
  if (others.length === 0) return null;
  const order = whose === "" ? "" : ` (integrators${whose})`;
  return `Reaches the same H${order}: ${configurations_text(others).join("; ")}.`;
}
