// What the figures of a map say in words.
import type { MapConfiguration, MapResult, ResultAxis } from "../api/analysis_api";
import { macro_step_text, scientific, unit_text } from "../text/format";
import { blank_words, type Cell, type Layer } from "./map_model";

export function parameter_text(axis: ResultAxis, index: number): string {
  const unit = unit_text(axis.unit);
  return `${axis.parameter} = ${scientific(axis.values[index] ?? 0, 4)}${unit === "" ? "" : `\u202f${unit}`}`;
}

export function axis_title(axis: ResultAxis): string {
  const unit = unit_text(axis.unit);
  return unit === "" ? axis.parameter : `${axis.parameter} [${unit}]`;
}

/** What a cell says, in words. */
export function cell_text(
  result: MapResult,
  configuration: MapConfiguration,
  layer: Layer,
  { column, row }: Cell,
): string {
  const good = result.quantity === "stability" ? "stable" : "accurate";
  const where = `${parameter_text(result.x, column)}, ${parameter_text(result.y, row)}`;
  if (layer === "largest") {
    const step = configuration.largest_macro_step_s[row]?.[column] ?? null;
    if (step !== null) return `${where}: ${good} up to H = ${macro_step_text(step)}.`;
    const blank = configuration.layers.every((one) => one.values?.[row]?.[column] === null);
    return `${where}: ${blank ? blank_words(result) : `not ${good} at any H tried`}.`;
  }
  const value = configuration.layers[layer]?.values?.[row]?.[column] ?? null;
  if (value === null) return `${where}: ${blank_words(result)}.`;
  const symbol = result.quantity === "stability" ? "ρ" : "NRMSE";
  const judged = value <= result.limit ? good : good === "stable" ? "unstable" : "not accurate";
  return `${where}: ${symbol} = ${radius_text(value)}, ${judged}.`;
}

/** Close to 1 the digits that tell it from 1 count. */
export function radius_text(value: number): string {
  return scientific(value, Math.abs(value - 1) < 0.01 ? 7 : 4);
}

const most_reasons = 4;

/** Reasons that tell the same but for a time, together; the most frequent first, then the rest. */
export function grouped_reasons(
  reasons: { reason: string; points: number }[],
): { reason: string; points: number }[] {
  const groups = new Map<string, number>();
  for (const { reason, points } of reasons) {
    const kind = reason.replace(/ at [\d.]+(e[+-]?\d+)? s$/, "");
    groups.set(kind, (groups.get(kind) ?? 0) + points);
  }
  const sorted = [...groups].map(([reason, points]) => ({ reason, points }));
  sorted.sort((a, b) => b.points - a.points);
  const rest = sorted.slice(most_reasons).reduce((sum, one) => sum + one.points, 0);
  const others = { reason: "for other reasons, which are in the CSV file", points: rest };
  return rest > 0 ? [...sorted.slice(0, most_reasons), others] : sorted;
}
