// What the page of a trial works out from answers: neighbours on its curve, what to compare it
// with, the inputs that can be drawn.

import type { TrialRow } from "./trial_types";
import type { Job, Test } from "./types";

/** The trials of the same curve by H; of an H that was tried again the newest. */
export function curve_of(trials: TrialRow[], curve_id: number): TrialRow[] {
  const by_step = new Map<number, TrialRow>();
  for (const one of trials) {
    if (one.curve_id !== curve_id) continue;
    const known = by_step.get(one.macro_step_s);
    if (!known || known.id < one.id) by_step.set(one.macro_step_s, one);
  }
  return [...by_step.values()].sort((a, b) => a.macro_step_s - b.macro_step_s);
}

/** The complete trial with the smallest H, where that is smaller than this one's. */
export function reference_of(curve: TrialRow[], macro_step_s: number): TrialRow | null {
  const first = curve.find((one) => one.status === "complete");
  return first && first.macro_step_s < macro_step_s * (1 - 1e-9) ? first : null;
}

export function trial_at(trials: TrialRow[], curve_id: number, h: number): TrialRow | null {
  const same = (one: TrialRow) => Math.abs(one.macro_step_s / h - 1) < 1e-9;
  return curve_of(trials, curve_id).find(same) ?? null;
}

export interface DrawnInput {
  to: string | null; // null: whoever receives the output
  from: string;
  order: number;
  delay: number;
  held: boolean; // whatever the extrapolation
}

interface Connection {
  from: string;
  to: string;
  extrapolate?: boolean;
  delay_macro_steps?: number;
}

/**
 * The inputs whose course is known. Of a problem of one's own the job has the connections; of a
 * built-in one only the outputs are known, and what a receiver that extrapolates makes of them.
 */
export function drawn_inputs(job: Job, outputs: string[], order: number): DrawnInput[] {
  const own = typeof job.problem === "object" ? job.problem.connections : null;
  if (!Array.isArray(own)) {
    return outputs.map((from) => ({ to: null, from, order, delay: 0, held: false }));
  }
  return (own as Connection[])
    .filter((one) => outputs.includes(one.from))
    .map((one) => ({
      to: one.to,
      from: one.from,
      order: one.extrapolate === false ? 0 : order,
      delay: one.delay_macro_steps ?? 0,
      held: one.extrapolate === false && order > 0,
    }));
}

/** How long the test lasts, where the job says so. */
export function duration_of(test: Test | undefined): number | null {
  if (typeof test?.duration_s === "number") return test.duration_s;
  if (typeof test?.periods === "number" && typeof test.frequency_hz === "number")
    return test.periods / test.frequency_hz;
  return null;
}
