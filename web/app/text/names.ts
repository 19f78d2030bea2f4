// The names of the API in the words of the field.

import type { Configuration, Curve, Progress, TableRow, Test } from "../api/types";
import { as_sentence, significant, time_left } from "./format";

/** Characters of a name that is typed: the server takes as many bytes. */
export const longest_name = 200;

const thin = "\u202f";

const extrapolations: Record<string, { short: string; long: string; note?: string }> = {
  "0": { short: "m = 0", long: "zero-order extrapolation (hold)", note: "held" },
  "1": { short: "m = 1", long: "first-order extrapolation", note: "linear" },
  "2": { short: "m = 2", long: "second-order extrapolation", note: "quadratic" },
  "3": { short: "m = 3", long: "third-order extrapolation", note: "cubic" },
  "4": { short: "m = 4", long: "fourth-order extrapolation", note: "quartic" },
  i1: { short: "I1", long: "first-derivative integration (I1)", note: "from first derivatives" },
  i2: { short: "I2", long: "second-derivative integration (I2)", note: "from second derivatives" },
  least_squares: { short: "least squares", long: "least-squares extrapolation" },
  smooth_c0: { short: "smooth C0", long: "extrapolation without jumps" },
  smooth: { short: "smooth", long: "smooth extrapolation" },
  hermite: { short: "Hermite", long: "Hermite extrapolation" },
  adaptive: { short: "adaptive", long: "adaptive extrapolation" },
};

const words: Record<string, string> = {
  forward_euler: "forward Euler",
  symplectic_euler: "symplectic Euler",
  trapezoidal: "trapezoidal rule",
  rk4: "RK4",
  exact: "exact",
  cvode: "CVODE",
  i1al: "I1AL",
  i3al: "I3AL",
  al_symplectic_euler: "AL symplectic Euler",
  fmu: "the FMU's solver",
  co_simulation: "co-simulation",
  model_exchange: "model exchange",
  jacobi: "Jacobi",
  gauss_seidel: "Gauss–Seidel",
  nepce: "NEPCE",
  force_displacement: "force–displacement",
  displacement_displacement: "displacement–displacement",
  force_force: "force–force",
  pressure_displacement: "pressure–displacement",
  pressure_flow: "pressure–flow",
  single_actuator_crane: "single-actuator crane",
  double_actuator_crane: "double-actuator crane",
};

/** How the inputs of an FMU reach it. */
export const inputs_words: Record<string, string> = {
  native: "as polynomials, at every stage of the integrator",
  input_derivatives: "as value and derivatives at the start of each step",
  intermediate_update: "whenever the FMU asks for them within a step",
  micro_steps: "held, at their value in the middle of each micro-step",
  none: "not at all: they stay constant",
};

/** When the events of an FMU count. */
export const events_words: Record<string, string> = {
  inside: "when its own solver says",
  located: "when they happen: they are located",
  at_micro_step_end: "at the end of the micro-step",
};

/** While a search runs: the time left of its trials, or what follows them. */
export function what_is_left({ stage, stage_text, eta_s }: Progress): string {
  return stage_text && stage !== "curves" ? `, ${stage_text}` : time_left(eta_s);
}

/** A name without an entry is shown as it is, with spaces: a newer server must stay readable. */
export function word(name: string): string {
  return words[name] ?? name.replace(/_/g, " ");
}

export function extrapolation_short(name: string): string {
  return extrapolations[name]?.short ?? word(name);
}

/** In a word, beside the short name. */
export function extrapolation_note(name: string): string {
  return extrapolations[name]?.note ?? "";
}

export function extrapolation_long(name: string): string {
  return extrapolations[name]?.long ?? `${word(name)} extrapolation`;
}

const order = [
  "0",
  "1",
  "2",
  "3",
  "4",
  "i1",
  "i2",
  "least_squares",
  "smooth_c0",
  "smooth",
  "hermite",
  "adaptive",
];

/** 0 < 1 < 2 < 3 < 4 < i1 < i2 < the rest, also the order of ties. */
export function extrapolation_rank(name: string): number {
  const rank = order.indexOf(name);
  return rank < 0 ? order.length : rank;
}

/** Everything of a configuration but its extrapolation: what a dash and a marker stand for. */
export function companion(configuration: Configuration): string {
  const parts = Object.keys(configuration.integrators)
    .sort(group_order)
    .map((group) => word(configuration.integrators[group] ?? ""));
  const only_fmus = parts.length > 1 && parts.every((part) => part === words.fmu);
  const text = [only_fmus ? "the FMUs' solvers" : parts.join(" + ")];
  const steps = (configuration.order ?? []).map(word).join(" → ");
  if (configuration.scheme !== "jacobi" || steps !== "")
    text.push(`${word(configuration.scheme)} ${steps}`.trim());
  if (configuration.correction !== "none") text.push(word(configuration.correction));
  for (const [name, n] of Object.entries(configuration.substeps)) {
    if (n !== 1) text.push(`${n} sub-steps of ${word(name)}`);
  }
  return text.filter((part) => part !== "").join(", ");
}

/** Mechanics first, as the literature writes it; other groups by name. */
export function group_order(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "mechanics") return -1;
  if (b === "mechanics") return 1;
  return a < b ? -1 : 1;
}

export function configuration_short(configuration: Configuration): string {
  return [extrapolation_short(configuration.extrapolation), companion(configuration)]
    .filter((part) => part !== "")
    .join(", ");
}

/** One text per configuration whatever the order of its members: its identity on the page. */
export function configuration_key(configuration: Configuration): string {
  const sorted = (object: Record<string, unknown> | undefined) =>
    Object.keys(object ?? {})
      .sort()
      .map((key) => `${key}=${String(object?.[key])}`)
      .join(",");
  return [
    configuration.extrapolation,
    sorted(configuration.integrators),
    configuration.coupling,
    configuration.scheme,
    (configuration.order ?? []).join(","),
    sorted(configuration.substeps),
    configuration.correction,
  ].join("|");
}

export function test_title(name: string): string {
  return word(name).replace(/(\d) ?hz\b/i, `$1${thin}Hz`);
}

/** A text of the server, with tests and members of the job as the page calls them. */
export function prose(text: string): string {
  const called = text
    .replace(/\bsine_[\d.]+hz\b/g, test_title)
    .replace(/\brelative_residual_max\b/g, "the largest relative residual of the job");
  return as_sentence(called);
}

/** "1 s", "one period", "0.4 s wide, 1 s": what the test input does, from the job. */
export function test_detail(test: Test): string {
  const parts: string[] = [];
  const named = test.name.includes(`${String(test.frequency_hz)}hz`);
  if (typeof test.frequency_hz === "number" && !named)
    parts.push(`${significant(test.frequency_hz, 4)}${thin}Hz`);
  if (typeof test.width_s === "number") parts.push(`${significant(test.width_s, 3)}${thin}s wide`);
  if (typeof test.periods === "number") {
    parts.push(test.periods === 1 ? "one period" : `${significant(test.periods, 3)} periods`);
  }
  if (typeof test.duration_s === "number") parts.push(`${significant(test.duration_s, 3)}${thin}s`);
  return parts.join(", ");
}

const remarks = [
  "bend_not_reached",
  "cliff_not_reached",
  "cut_at_relative_residual",
  "cut_at_stability_limit",
  "cut_at_transmitted_energy",
  "cut_at_checks",
  "cut_at_unknown_growth",
  "cut_at_session_growth",
];

/** A remark about the scan, not a doubt about the row. */
export function is_remark(flag: string): boolean {
  return remarks.includes(flag);
}

/** Whether the H of a row of the table takes part in the recommendation. */
export function counts(row: TableRow): boolean {
  return row.macro_step_s !== null && !row.flags.includes("too_few_macro_steps");
}

/** The server's words for flags; none where it has not said them yet. */
export function flag_texts(flags: string[], meanings: Record<string, string>): string[] {
  return flags.map((flag) => as_sentence(meanings[flag] ?? "")).filter((text) => text !== "");
}

export const status_words: Record<string, string> = {
  complete: "complete",
  diverged: "diverged",
  solver_failed: "solver failed",
  fmu_error: "FMU error",
  crashed: "crashed",
  timed_out: "timed out",
};

export const verdict_words: Record<string, string> = {
  agrees: "passed",
  objects: "failed",
  unknown: "no verdict",
};

/** "the hydraulics"; "m1", which is a name already. */
export function of_group(name: string): string {
  return /\d/.test(name) ? name : `the ${word(name)}`;
}

/** The server's words for what limits the H of a curve; none before its end. */
export function limit_text(curve: Curve, meanings: Record<string, string>): string {
  return curve.limited_by === null ? "" : as_sentence(meanings[curve.limited_by] ?? "");
}
