// What the figures of a map say in words.
import type { MapConfiguration, MapResult, ResultAxis } from "./analysis_api";
import { milliseconds, scientific, typed, unit_text } from "./format";
import type { Cell, Layer } from "./map_model";

export function parameter_text(axis: ResultAxis, index: number): string {
  const unit = unit_text(axis.unit);
  return `${axis.parameter} = ${typed(axis.values[index] ?? 0)}${unit === "" ? "" : `\u202f${unit}`}`;
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
    if (step !== null) return `${where}: ${good} up to H = ${milliseconds(step)}.`;
    const blank = configuration.layers.every((one) => one.values?.[row]?.[column] === null);
    return `${where}: ${blank ? "not computed" : `not ${good} at any H tried`}.`;
  }
  const value = configuration.layers[layer]?.values?.[row]?.[column] ?? null;
  if (value === null) return `${where}: not computed.`;
  const symbol = result.quantity === "stability" ? "ρ" : "NRMSE";
  const judged = value <= result.limit ? good : good === "stable" ? "unstable" : "not accurate";
  return `${where}: ${symbol} = ${radius_text(value)}, ${judged}.`;
}

/** Close to 1 the digits that tell it from 1 count. */
export function radius_text(value: number): string {
  return scientific(value, Math.abs(value - 1) < 0.01 ? 7 : 4);
}
