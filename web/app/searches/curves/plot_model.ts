// Geometry of one residual-versus-H plot in pixels, without any drawing: what a test can check.
import { scaleLog } from "d3-scale";
import { line } from "d3-shape";
import type { Curve, Point, TableRow } from "../../api/types";
import { log_domain } from "../../figures/scales";
import type { Series, SeriesSet } from "../../figures/series";
import { configuration_key } from "../../text/names";

interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number; // of the plot area; the band for failed trials is above it
  bottom: number;
}

interface PlotPoint {
  x: number;
  y: number;
  place: "inside" | "above" | "diverged" | "failed";
  point: Point;
}

export interface PlotSeries {
  series: Series;
  curve: Curve;
  points: PlotPoint[];
  path: string;
  markers: string;
  bend: { x: number; y: number } | null;
  best: { x: number; y: number } | null; // at the H of the table, where no configuration has a larger one
}

export interface Plot {
  frame: Frame;
  x: (value: number) => number;
  y: (value: number) => number;
  x_domain: [number, number];
  y_domain: [number, number];
  lines: PlotSeries[];
  end_labels: { extrapolation: string; x: number; y: number }[];
}

export type Quantity = "residual_J" | "relative_residual";

const headroom = 30; // the axis ends at most this factor above the largest residual on a line
const marker_distance = 16; // pixels between the markers of one line
const label_distance = 12;
const same_place = 2; // pixels
export const band_height = 20;
const narrowest = 200; // below it the drawing is cut off rather than turned inside out

export function frame_of(available: number): Frame {
  const width = Math.max(available, narrowest);
  const height = Math.round(Math.min(380, Math.max(260, width * 0.68)));
  return { width, height, left: 56, right: width - 40, top: 34, bottom: height - 42 };
}

export function is_inside(curve: Curve, point: Point): boolean {
  return (
    point.inside_linear_region ??
    (curve.bend_s === null || point.macro_step_s <= curve.bend_s * (1 + 1e-9))
  );
}

/** Runs that end beyond the linear region reach any size: they must not squeeze the lines. */
export function residual_domain(curves: Curve[], quantity: Quantity): [number, number] | null {
  const all: number[] = [];
  let largest_on_line = 0;
  for (const curve of curves) {
    for (const point of curve.points) {
      const value = point[quantity];
      if (point.status !== "complete" || value === null || !(value > 0)) continue;
      all.push(value);
      if (is_inside(curve, point)) largest_on_line = Math.max(largest_on_line, value);
    }
  }
  const cap = largest_on_line > 0 ? largest_on_line * headroom : Number.POSITIVE_INFINITY;
  return log_domain(all.map((value) => Math.min(value, cap)));
}

export function step_domain(curves: Iterable<Curve>): [number, number] | null {
  const steps: number[] = [];
  for (const curve of curves) for (const point of curve.points) steps.push(point.macro_step_s);
  return log_domain(steps, 0.02);
}

export function build_plot(
  curves: Curve[],
  set: SeriesSet,
  key_of: (curve: Curve) => string,
  x_domain: [number, number],
  quantity: Quantity,
  frame: Frame,
  row: TableRow | null = null,
): Plot {
  const y_domain = residual_domain(curves, quantity) ?? [1e-3, 1];
  const x = scaleLog().domain(x_domain).range([frame.left, frame.right]);
  const y = scaleLog().domain(y_domain).range([frame.bottom, frame.top]);
  const band = frame.top - band_height / 2 - 4;
  const draw = line<PlotPoint>(
    (p) => p.x,
    (p) => p.y,
  ).defined((p) => p.place === "inside");

  const best = new Set(row?.configurations.map(configuration_key));
  const lines: PlotSeries[] = [];
  for (const curve of curves) {
    const series = set.by_key.get(key_of(curve));
    if (!series) continue;
    const points = curve.points.map((point): PlotPoint => {
      const value = point[quantity];
      const at = x(point.macro_step_s);
      if (point.status === "diverged") return { x: at, y: band, place: "diverged", point };
      if (point.status !== "complete" || value === null)
        return { x: at, y: band, place: "failed", point };
      if (value > y_domain[1]) return { x: at, y: band, place: "above", point };
      return { x: at, y: value > 0 ? y(value) : frame.bottom, place: "inside", point };
    });
    lines.push({
      series,
      curve,
      points,
      path: draw(points) ?? "",
      markers: marker_path(points, set, series),
      bend: place_of(points, curve.bend_s),
      best: row && best.has(series.key) ? place_of(points, row.macro_step_s) : null,
    });
  }
  return {
    frame,
    x,
    y,
    x_domain,
    y_domain,
    lines,
    end_labels: place_labels(lines, frame),
  };
}

/** Where the curve is at this H, if that is inside the area. */
function place_of(points: PlotPoint[], h: number | null): { x: number; y: number } | null {
  const found = points.find(
    (p) => p.place === "inside" && h !== null && Math.abs(p.point.macro_step_s / h - 1) < 1e-9,
  );
  return found ? { x: found.x, y: found.y } : null;
}

/** Symbols along the line, as one path; thinned, so that dense scans stay a line. */
function marker_path(points: PlotPoint[], set: SeriesSet, series: Series): string {
  const shape = set.styles[series.style]?.marker ?? "";
  const parts: string[] = [];
  // Neighbouring styles begin at another place, so that equal curves show both markers.
  let next = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    if (point.place !== "inside" || point.x < next) continue;
    if (parts.length === 0 && next === Number.NEGATIVE_INFINITY && series.style > 0) {
      next = point.x + (series.style * marker_distance) / set.styles.length;
      if (point.x < next) continue;
    }
    parts.push(`M${point.x.toFixed(1)},${point.y.toFixed(1)}${shape}`);
    next = point.x + marker_distance;
  }
  return parts.join("");
}

/** One label per extrapolation at the end of its longest line, moved apart vertically. */
function place_labels(lines: PlotSeries[], frame: Frame): Plot["end_labels"] {
  const labels: Plot["end_labels"] = [];
  for (const one of lines) {
    const last = one.points.filter((p) => p.place === "inside").pop();
    if (!last) continue;
    const { extrapolation } = one.series;
    const known = labels.find((label) => label.extrapolation === extrapolation);
    if (!known) labels.push({ extrapolation, x: last.x, y: last.y });
    else if (last.x > known.x + 1) Object.assign(known, { x: last.x, y: last.y });
  }
  labels.sort((a, b) => a.y - b.y);
  for (let n = 1; n < labels.length; ++n) {
    const before = labels[n - 1]!;
    const here = labels[n]!;
    if (Math.abs(here.x - before.x) < 36) here.y = Math.max(here.y, before.y + label_distance);
  }
  for (const label of labels) label.y = Math.min(label.y, frame.bottom - 2);
  return labels;
}

export interface Hit {
  line: PlotSeries;
  point: PlotPoint;
}

/** How many other curves go through the same place: nothing but their names tells them apart. */
export function others_at(plot: Plot, hit: Hit): number {
  const same = (p: PlotPoint) =>
    p.place === hit.point.place &&
    Math.abs(p.x - hit.point.x) < 1 &&
    Math.abs(p.y - hit.point.y) < same_place;
  return plot.lines.filter((one) => one !== hit.line && one.points.some(same)).length;
}

/** The point nearest to the pointer, at most `reach` pixels away. */
export function nearest(plot: Plot, x: number, y: number, reach = 40): Hit | null {
  let best: Hit | null = null;
  let distance = reach * reach;
  for (const one of plot.lines) {
    for (const point of one.points) {
      const d = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (d < distance) {
        distance = d;
        best = { line: one, point };
      }
    }
  }
  return best;
}

/** What a cursor keeps: it stays where it was when the plot is drawn anew. */
export interface Cursor {
  key: string; // of the series
  macro_step_s: number;
}

export function hit_at(plot: Plot | null, cursor: Cursor | null): Hit | null {
  const line = cursor && plot?.lines.find((one) => one.series.key === cursor.key);
  const point = line?.points.find((one) => one.point.macro_step_s === cursor?.macro_step_s);
  return line && point ? { line, point } : null;
}

/**
 * Left and right along a curve, up and down to the curve next in order, at the H closest to this.
 * From nowhere: to the bend of `first`, or of the first line.
 */
export function moved_hit(
  plot: Plot,
  hit: Hit | null,
  key: string,
  first: PlotSeries | null = null,
): Hit | null {
  const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
  const lines = plot.lines.filter((one) => one.points.length > 0);
  if (!arrows.includes(key) || lines.length === 0) return null;
  if (!hit) {
    const line = first && lines.includes(first) ? first : lines[0]!;
    const bend = line.points.find((one) => one.point.macro_step_s === line.curve.bend_s);
    return { line, point: bend ?? line.points[0]! };
  }
  const { line, point } = hit;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const place = lines.indexOf(line) + (key === "ArrowUp" ? -1 : 1) + lines.length;
    const other = lines[place % lines.length]!;
    const distance = (x: number) => Math.abs(x - point.x);
    const closest = other.points.reduce((a, b) => (distance(b.x) < distance(a.x) ? b : a));
    return { line: other, point: closest };
  }
  const last = line.points.length - 1;
  const at = line.points.indexOf(point);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key] ?? at;
  return { line, point: line.points[Math.min(last, Math.max(0, to))]! };
}
