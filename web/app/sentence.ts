// The answer in plain words, built from the recommendation alone.
import { milliseconds, percent, scientific, significant } from "./format";
import {
  companion,
  configuration_key,
  extrapolation_long,
  extrapolation_rank,
  extrapolation_short,
  group_order,
  word,
} from "./names";
import type { Configuration, Recommendation } from "./types";

function list(parts: string[], conjunction: string): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${conjunction} ${parts[parts.length - 1]}`;
}

/** "I1AL mechanics and forward Euler hydraulics" */
export function integrators_text(integrators: Record<string, string>): string {
  const parts = Object.keys(integrators)
    .sort(group_order)
    .map((group) => `${word(integrators[group] ?? "")} for the ${word(group)}`);
  return list(parts, "and");
}

export function headline(answer: Recommendation): {
  before: string;
  macro_step: string;
  after: string;
} {
  const how = [integrators_text(answer.integrators)];
  if (answer.scheme !== "jacobi") how.push(`the ${word(answer.scheme)} scheme`);
  if (answer.correction !== "none") how.push(`the ${word(answer.correction)} correction`);
  const rest = list(
    how.filter((part) => part !== ""),
    "and",
  );
  return {
    before: `Use ${extrapolation_long(answer.extrapolation)} with `,
    macro_step: `H = ${milliseconds(answer.macro_step_s)}`,
    after: rest === "" ? "." : `, ${rest}.`,
  };
}

export function sentence(answer: Recommendation): string {
  const { before, macro_step, after } = headline(answer);
  return before + macro_step + after;
}

/** How far H is from the end of the linear region and from instability. */
export function margin(answer: Recommendation): string {
  const parts: string[] = [];
  const h = answer.macro_step_s;
  if (answer.bend_s !== null) {
    parts.push(
      answer.bend_s <= h * (1 + 1e-9)
        ? "H is the last step on the line (the bend)"
        : `H is ${percent((answer.bend_s - h) / answer.bend_s)} below the bend at ${milliseconds(answer.bend_s)}`,
    );
  } else {
    parts.push("the scan ended before a bend was reached");
  }
  if (answer.cliff_s !== null) {
    parts.push(
      `instability begins at ${milliseconds(answer.cliff_s)}, ${significant(answer.cliff_s / h, 3)} times H`,
    );
  } else {
    parts.push("no instability was met within the scan");
  }
  const text = `${parts.join("; ")}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function accuracy(answer: Recommendation): string | null {
  if (answer.relative_residual === null) return null;
  const size = scientific(answer.relative_residual, 2);
  return `Relative residual energy at this H: ${size} of the energy exchanged.`;
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

/** The sentence about ties, or null without any. */
export function ties_text(answer: Recommendation): string | null {
  const own = configuration_key(answer);
  const others = answer.ties.filter((one) => configuration_key(one) !== own);
  if (others.length === 0) return null;
  return `Reaches the same H: ${configurations_text(others).join("; ")}.`;
}
