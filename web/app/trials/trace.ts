// A trial over time: the rows of the API as columns, compared with another trace, and integrated.
import type { Trace } from "../api/trial_types";

const residual_power = "residual_power_W";

export interface TraceColumns {
  t: Float64Array;
  outputs: Map<string, Float64Array>; // by SUBSYSTEM.OUTPUT
  external: Map<string, Float64Array>; // by SUBSYSTEM.INPUT
  power_W: Float64Array;
  reference: Map<string, Float64Array> | null; // the monolithic solution, by SUBSYSTEM.OUTPUT
  complete: boolean; // every communication point is here
}

/** What is not finite is NaN. */
export function columns_of(trace: Trace): TraceColumns {
  const rows = trace.rows.length;
  const at_power = trace.columns.indexOf(residual_power);
  const columns = trace.columns.map((_, column) => {
    const values = new Float64Array(rows);
    for (let row = 0; row < rows; ++row) values[row] = trace.rows[row]![column] ?? Number.NaN;
    return values;
  });
  const named = (from: number, to: number) =>
    new Map(trace.columns.slice(from, to).map((name, n) => [name, columns[from + n]!] as const));
  const end = at_power < 0 ? trace.columns.length : at_power;
  // The last columns are as many as there are outputs, in their order.
  const outputs = named(1, end);
  const at_reference = trace.columns.length - (trace.reference ? outputs.size : 0);
  const of_reference = [...outputs.keys()].map(
    (name, n) => [name, columns[at_reference + n]!] as const,
  );
  return {
    t: columns[0] ?? new Float64Array(0),
    outputs,
    external: at_power < 0 ? new Map() : named(at_power + 1, at_reference),
    power_W: columns[at_power] ?? new Float64Array(rows).fill(Number.NaN),
    reference: trace.reference ? new Map(of_reference) : null,
    complete: trace.points >= trace.points_total,
  };
}

/** `values` over `t`, straight between its points, at the times `at`; NaN outside. */
export function resample(t: Float64Array, values: Float64Array, at: Float64Array): Float64Array {
  const result = new Float64Array(at.length).fill(Number.NaN);
  const slack = t.length > 1 ? (t[t.length - 1]! - t[0]!) * 1e-12 : 0;
  let n = 0;
  for (let k = 0; k < at.length; ++k) {
    const time = at[k]!;
    while (n + 1 < t.length && t[n + 1]! < time) ++n;
    const [left, right] = [t[n], t[n + 1]];
    if (left === undefined || time < left - slack) continue;
    if (right === undefined) {
      if (time <= left + slack) result[k] = values[n]!;
      continue;
    }
    if (time > right + slack) continue;
    const share = Math.min(1, Math.max(0, (time - left) / (right - left)));
    // A neighbour that is not finite must not spoil the point itself.
    result[k] =
      share === 0
        ? values[n]!
        : share === 1
          ? values[n + 1]!
          : values[n]! + share * (values[n + 1]! - values[n]!);
  }
  return result;
}

export function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, n) => value - b[n]!);
}

/** The largest size of a value, without those that are not finite; null where there is none. */
export function largest(values: Float64Array): number | null {
  let most = -1;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most < 0 ? null : most;
}

interface Energies {
  net_J: Float64Array; // what the interface has added so far, sign included
  residual_J: Float64Array; // Σ|δE| so far, as in E, without the start-up
}

/** First macro-step (from 0) that counts in E, as engine/cosim/residual.hpp has it. */
export function first_counted(extrapolation: string): number {
  const highest: Record<string, number> = {
    i1: 1,
    i2: 2,
    least_squares: 4,
    smooth_c0: 1,
    smooth: 1,
    hermite: 3,
    adaptive: 4,
  };
  return 2 * ((highest[extrapolation] ?? Number(extrapolation)) + 1);
}

/**
 * The sums of engine/cosim/residual.hpp over a trace that is complete: per macro-step the rectangle where
 * inputs are held, else the trapezoid; the last macro-step counts with its share inside the test.
 */
export function energies(
  columns: TraceColumns,
  extrapolation: string,
  duration_s: number | null,
): Energies {
  const { t, power_W } = columns;
  const held = extrapolation === "0";
  const first = first_counted(extrapolation);
  const net_J = new Float64Array(t.length);
  const residual_J = new Float64Array(t.length);
  for (let n = 1; n < t.length; ++n) {
    const end = duration_s === null ? t[n]! : Math.min(t[n]!, duration_s);
    const weight = Math.max(0, end - t[n - 1]!);
    const energy = weight * (held ? power_W[n]! : (power_W[n - 1]! + power_W[n]!) / 2);
    net_J[n] = net_J[n - 1]! + energy;
    residual_J[n] = residual_J[n - 1]! + (n > first ? Math.abs(energy) : 0);
  }
  return { net_J, residual_J };
}
