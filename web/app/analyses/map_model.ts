// The figures of a map without drawing: classes of its cells, their outlines, the way of a cursor.
import type { MapConfiguration, MapResult } from "../api/analysis_api";
import { log_ticks } from "../figures/scales";
import { macro_step_text, scientific, significant } from "../text/format";

/** What cells of a class look like, and what they mean. */
export interface CellClass {
  label: string;
  tone: "good" | "bad" | "none";
  strength: number; // of the colour, 0 to 1
}

/** Classes by index; a row of `cells` per value of y, the lowest first. */
export interface CellPlane {
  classes: CellClass[];
  cells: number[][];
}

/** "largest": the largest H within the limit at each point; else one of the H tried. */
export type Layer = number | "largest";

const stability_bands = [0.9, 0.999]; // of ρ below its limit
const unstable_bands = [1.01, 1.1];
const accuracy_bands = [0.01, 0.1]; // of the limit, below it
const inaccurate_bands = [10, 100];
const most_levels = 8;

/** Why a point has no value: its radius was not computed, or its run did not complete. */
export function blank_words(result: { quantity: string }): string {
  return result.quantity === "stability" ? "not computed" : "the run did not complete";
}

function value_classes(result: MapResult): { bounds: number[]; classes: CellClass[] } {
  const { limit } = result;
  const is_stability = result.quantity === "stability";
  const good = is_stability ? stability_bands : accuracy_bands.map((share) => share * limit);
  const bad = is_stability ? unstable_bands : inaccurate_bands.map((share) => share * limit);
  const bounds = [...good, limit, ...bad];
  const symbol = is_stability ? "ρ" : "NRMSE";
  const text = (value: number) => scientific(value, 4);
  const [within, beyond] = is_stability ? ["stable", "unstable"] : ["accurate", "not accurate"];
  const names = bounds.map((bound, n) =>
    n === 0 ? `${symbol} ≤ ${text(bound)}` : `${text(bounds[n - 1]!)} to ${text(bound)}`,
  );
  names.push(`above ${text(bounds[bounds.length - 1]!)}`);
  const tones = names.map((_, n) => (n <= good.length ? "good" : "bad") as "good" | "bad");
  const strengths = [0.85, 0.55, 0.28, 0.22, 0.45, 0.75];
  return {
    bounds,
    classes: [
      ...names.map((name, n) => ({
        label: `${tones[n] === "good" ? within : beyond}, ${name}`,
        tone: tones[n]!,
        strength: strengths[n]!,
      })),
      { label: blank_words(result), tone: "none", strength: 0 },
    ],
  };
}

function class_of(value: number | null, bounds: number[]): number {
  if (value === null) return bounds.length + 1;
  const found = bounds.findIndex((bound) => value <= bound);
  return found < 0 ? bounds.length : found;
}

/** Which of the H tried it is; two lists of H that were computed alike are equal to the bit. */
function level_of(result: MapResult, macro_step_s: number): number {
  const at = result.macro_steps_s.indexOf(macro_step_s);
  if (result.macro_steps_s.length <= most_levels) return at;
  return Math.round((at / (result.macro_steps_s.length - 1)) * (most_levels - 1));
}

function level_classes(result: MapResult): CellClass[] {
  const steps = result.macro_steps_s;
  const levels = Math.min(steps.length, most_levels);
  const good = result.quantity === "stability" ? "stable" : "accurate";
  const labels = Array.from({ length: levels }, (_, level) => {
    const its = steps.filter((step) => level_of(result, step) === level);
    const [low, high] = [
      macro_step_text(its[0] ?? null),
      macro_step_text(its[its.length - 1] ?? null),
    ];
    return `${good} up to H = ${its.length > 1 ? `${low} to ${high}` : low}`;
  });
  return [
    ...labels.map((label, n) => ({
      label,
      tone: "good" as const,
      strength: levels === 1 ? 0.6 : 0.12 + (0.78 * n) / (levels - 1),
    })),
    { label: `not ${good} at any H tried`, tone: "bad", strength: 0.3 },
    { label: blank_words(result), tone: "none", strength: 0 },
  ];
}

/** Nothing was computed there, at no H. */
function is_blank(configuration: MapConfiguration, row: number, column: number): boolean {
  return configuration.layers.every((layer) => layer.values?.[row]?.[column] === null);
}

export function plane_of(
  result: MapResult,
  configuration: MapConfiguration,
  layer: Layer,
): CellPlane {
  if (layer === "largest") {
    const classes = level_classes(result);
    const none = classes.length - 2;
    return {
      classes,
      cells: configuration.largest_macro_step_s.map((row, y) =>
        row.map((step, x) => {
          if (step !== null) return level_of(result, step);
          return is_blank(configuration, y, x) ? none + 1 : none;
        }),
      ),
    };
  }
  const { bounds, classes } = value_classes(result);
  const values = configuration.layers[layer]?.values ?? [];
  return { classes, cells: values.map((row) => row.map((value) => class_of(value, bounds))) };
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Whole pixels, so that neighbours neither gap nor overlap. */
export function column_edge(box: Box, column: number, columns: number): number {
  return Math.round(box.left + (box.width * column) / columns);
}

export function row_edge(box: Box, row: number, rows: number): number {
  return Math.round(box.top + box.height - (box.height * row) / rows);
}

/** A path per class, of runs of equal cells: few pieces however many cells. */
export function class_paths(plane: CellPlane, box: Box): string[] {
  const parts: string[][] = plane.classes.map(() => []);
  const rows = plane.cells.length;
  plane.cells.forEach((row, y) => {
    const top = row_edge(box, y + 1, rows);
    const height = row_edge(box, y, rows) - top;
    let start = 0;
    for (let x = 1; x <= row.length; ++x) {
      if (x < row.length && row[x] === row[start]) continue;
      const left = column_edge(box, start, row.length);
      const width = column_edge(box, x, row.length) - left;
      parts[row[start]!]?.push(`M${left} ${top}h${width}v${height}h${-width}z`);
      start = x;
    }
  });
  return parts.map((one) => one.join(""));
}

/** The line between cells of different tones: what the colours say, without colours. */
export function tone_border(plane: CellPlane, box: Box): string {
  const rows = plane.cells.length;
  const columns = plane.cells[0]?.length ?? 0;
  const tone = (x: number, y: number) => plane.classes[plane.cells[y]?.[x] ?? -1]?.tone;
  const parts: string[] = [];
  for (let y = 0; y < rows; ++y) {
    for (let x = 0; x < columns; ++x) {
      if (x > 0 && tone(x, y) !== tone(x - 1, y)) {
        const [from, to] = [row_edge(box, y, rows), row_edge(box, y + 1, rows)];
        parts.push(`M${column_edge(box, x, columns)} ${from}V${to}`);
      }
      if (y > 0 && tone(x, y) !== tone(x, y - 1)) {
        const [from, to] = [column_edge(box, x, columns), column_edge(box, x + 1, columns)];
        parts.push(`M${from} ${row_edge(box, y, rows)}H${to}`);
      }
    }
  }
  return parts.join("");
}

export interface Cell {
  column: number;
  row: number;
}

export function cell_at(box: Box, columns: number, rows: number, x: number, y: number) {
  const column = Math.floor(((x - box.left) / box.width) * columns);
  const row = Math.floor(((box.top + box.height - y) / box.height) * rows);
  const inside = column >= 0 && column < columns && row >= 0 && row < rows;
  return inside ? { column, row } : null;
}

/** Arrows move by a cell, with Shift (page keys up and down) by a tenth; null: another key. */
export function moved(
  cell: Cell,
  columns: number,
  rows: number,
  key: string,
  far: boolean,
): Cell | null {
  const step = (count: number) => (far ? Math.max(1, Math.round(count / 10)) : 1);
  const by = {
    ArrowLeft: [-step(columns), 0],
    ArrowRight: [step(columns), 0],
    ArrowUp: [0, step(rows)],
    ArrowDown: [0, -step(rows)],
    PageUp: [0, Math.max(1, Math.round(rows / 10))],
    PageDown: [0, -Math.max(1, Math.round(rows / 10))],
    Home: [-columns, 0],
    End: [columns, 0],
  }[key];
  if (!by) return null;
  const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  return {
    column: within(cell.column + by[0]!, columns),
    row: within(cell.row + by[1]!, rows),
  };
}

/** "12,30"; anything else: the middle. */
export function cell_of_text(text: string | null, columns: number, rows: number): Cell {
  const found = /^(\d+),(\d+)$/.exec(text ?? "");
  const column = Number(found?.[1]);
  const row = Number(found?.[2]);
  if (found && column < columns && row < rows) return { column, row };
  return { column: Math.floor(columns / 2), row: Math.floor(rows / 2) };
}

export function text_of_cell(cell: Cell): string {
  return `${cell.column},${cell.row}`;
}

export interface AxisTick {
  at: number; // 0 to 1 of the axis
  label: string | null;
}

/** Cells are even on their scale: the first value is in the middle of the first cell. */
export function axis_ticks(
  values: number[],
  scale: "log" | "linear",
  length: number,
  room: number,
): AxisTick[] {
  const [low, high] = [values[0] ?? 0, values[values.length - 1] ?? 0];
  if (!(high > low) || values.length < 2) return [];
  const of = scale === "log" ? Math.log : (value: number) => value;
  const at = (value: number) =>
    (0.5 + ((of(value) - of(low)) / (of(high) - of(low))) * (values.length - 1)) / values.length;
  if (scale === "log" && low > 0) {
    return log_ticks(low, high, length, room, "powers").map(({ value, label }) => ({
      at: at(value),
      label,
    }));
  }
  const step = round_step((high - low) / Math.max(1, Math.floor(length / (room * 1.6))));
  const ticks: AxisTick[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; ++n) {
    const value = Number((n * step).toPrecision(12));
    ticks.push({ at: at(value), label: significant(value, 6) });
  }
  return ticks;
}

/** 1, 2 or 5 · 10ⁿ, not below `raw`. */
function round_step(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.999)!;
}

/** Every so many indices of `count`, ends included, at most about `most`. */
export function thinned(count: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(count / most));
  const found = Array.from({ length: count }, (_, n) => n).filter((n) => n % stride === 0);
  if (found[found.length - 1] !== count - 1) found.push(count - 1);
  return found;
}
