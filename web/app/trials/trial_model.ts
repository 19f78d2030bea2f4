// What the page of a trial works out from answers: neighbours on its curve, what to compare it
// with, the inputs that can be drawn.

import type { TraceConnection } from "../api/trial_types";
import type { Curve, Point, Test } from "../api/types";

/** The trials of a curve by H. */
export function curve_of(curves: Curve[], curve_id: number): Point[] {
  const points = curves.find((one) => one.id === curve_id)?.points ?? [];
  return [...points].sort((a, b) => a.macro_step_s - b.macro_step_s);
}

/** The complete trial with the smallest H, where that is smaller than this one's. */
export function reference_of(curve: Point[], macro_step_s: number): Point | null {
  const first = curve.find((one) => one.status === "complete");
  return first && first.macro_step_s < macro_step_s * (1 - 1e-9) ? first : null;
}

export function trial_at(curves: Curve[], curve_id: number, h: number): Point | null {
  const same = (one: Point) => Math.abs(one.macro_step_s / h - 1) < 1e-9;
  return curve_of(curves, curve_id).find(same) ?? null;
}

interface DrawnInput {
  to: string;
  from: string;
  order: number;
  delay: number;
  held: boolean; // whatever the extrapolation
}

/** The inputs whose course is known: those that are held, or continued by a polynomial. */
export function drawn_inputs(
  connections: TraceConnection[] | null,
  outputs: string[],
): DrawnInput[] {
  return (connections ?? []).flatMap((one) =>
    one.order === null || !outputs.includes(one.from)
      ? []
      : [
          {
            to: one.to,
            from: one.from,
            order: one.order,
            delay: one.delay_macro_steps,
            held: !one.extrapolate,
          },
        ],
  );
}

/** How long the test lasts, where the job says so. */
export function duration_of(test: Test | undefined): number | null {
  if (typeof test?.duration_s === "number") return test.duration_s;
  if (typeof test?.periods === "number" && typeof test.frequency_hz === "number")
    return test.periods / test.frequency_hz;
  return null;
}
