// What an input really was between the communication points: the value it was held at, or the
// polynomial through the newest values of its source that the extrapolation continues (Newton's
// form, as engine/job/extrapolation.hpp writes it). Known here for the orders m = 0 … 4 of the scheme
// jacobi without sub-steps or corrections: elsewhere the trace does not tell enough.
import type { Configuration } from "../api/types";

const samples = 4; // stretches per macro-step of a curved polynomial
const nearly_one = 1 - 1e-7; // the end of a macro-step is drawn before the start of the next one

/** The order of the polynomial; null where it cannot be drawn from a trace. */
export function drawn_order(configuration: Configuration): number | null {
  const order = "01234".indexOf(configuration.extrapolation);
  const plain =
    configuration.scheme === "jacobi" &&
    configuration.correction === "none" &&
    Object.values(configuration.substeps).every((n) => n === 1);
  return plain && order >= 0 ? order : null;
}

interface AppliedInput {
  t: Float64Array;
  values: Float64Array;
}

/**
 * The input that follows `source` (its values at the communication points `t`), `delay` macro-steps
 * late. Every macro-step has its own points, so that the jump at its end is one.
 */
export function applied_input(
  t: Float64Array,
  source: Float64Array,
  order: number,
  delay = 0,
): AppliedInput {
  const stretches = order > 1 ? samples : 1;
  const steps = Math.max(0, t.length - 1);
  const times = new Float64Array(steps * (stretches + 1));
  const values = new Float64Array(times.length);
  const received = (n: number) => source[Math.max(0, n - delay)]!;
  let at = 0;
  for (let n = 0; n < steps; ++n) {
    const differences = [received(n)];
    // Until enough values are there, as many as there are.
    let row = Array.from({ length: Math.min(order, n) + 1 }, (_, k) => received(n - k));
    while (row.length > 1) {
      row = row.slice(1).map((older, k) => row[k]! - older);
      differences.push(row[0]!);
    }
    for (let s = 0; s <= stretches; ++s) {
      const theta = s / stretches;
      let factor = 1;
      let value = 0;
      differences.forEach((difference, k) => {
        value += difference * factor;
        factor *= (theta + k) / (k + 1);
      });
      times[at] = t[n]! + (theta < 1 ? theta : nearly_one) * (t[n + 1]! - t[n]!);
      values[at++] = value;
    }
  }
  return { t: times, values };
}
