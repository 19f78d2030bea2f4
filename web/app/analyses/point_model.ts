// One point of a map over all H: spectral radius or error of every configuration.
import type { MapResult } from "../api/analysis_api";
import { log_domain } from "../figures/scales";
import type { Cell } from "./map_model";

interface PointValue {
  macro_step_s: number;
  value: number | null;
}

export interface PointSeries {
  index: number; // of the configuration
  label: string;
  values: PointValue[];
}

export function series_at(result: MapResult, cell: Cell): PointSeries[] {
  return result.configurations.map((one, index) => ({
    index,
    label: one.label,
    values: one.layers.map((layer) => ({
      macro_step_s: layer.macro_step_s,
      value: layer.values?.[cell.row]?.[cell.column] ?? null,
    })),
  }));
}

export function step_domain(result: MapResult): [number, number] {
  return log_domain(result.macro_steps_s, 0.06) ?? [1e-3, 1];
}

const largest_shown = 1e3; // of ρ or of the limit's multiples: what is beyond is drawn at the edge

/** The vertical range of the plot: all values that are not far beyond the limit, and the limit. */
export function value_domain(result: MapResult, series: PointSeries[]): [number, number] {
  const highest = result.limit * largest_shown;
  const values = series.flatMap((one) => one.values.map(({ value }) => value ?? 0));
  const shown = values.filter((value) => value > 0 && value <= highest);
  return log_domain([...shown, result.limit], 0.08) ?? [0.1, 10];
}

/** Between the two smallest H that have an error: what the order of convergence comes to. */
export function order_of(series: PointSeries): number | null {
  const [first, second] = series.values.filter(({ value }) => value !== null && value > 0);
  if (!first || !second || second.macro_step_s <= first.macro_step_s) return null;
  const rise = Math.log(second.value! / first.value!);
  return rise / Math.log(second.macro_step_s / first.macro_step_s);
}

/** The value of the smallest H that has one: where lines of reference slopes begin. */
export function anchor_of(series: PointSeries): { macro_step_s: number; value: number } | null {
  const found = series.values.find(({ value }) => value !== null && value > 0);
  return found ? { macro_step_s: found.macro_step_s, value: found.value! } : null;
}

/** Where a cursor is: numbers within the list of series and within the values of one. */
export interface PointHit {
  series: number;
  step: number;
}

/** Left and right along a configuration, up and down to the next one. */
export function moved_point(series: PointSeries[], from: PointHit, key: string): PointHit | null {
  const last = (series[from.series]?.values.length ?? 1) - 1;
  const steps: Record<string, number> = {
    ArrowLeft: Math.max(0, from.step - 1),
    ArrowRight: Math.min(last, from.step + 1),
    Home: 0,
    End: last,
  };
  if (key in steps) return { ...from, step: steps[key]! };
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (by === undefined) return null;
  const count = series.length;
  return { series: (from.series + by + count) % count, step: Math.max(0, from.step) };
}
