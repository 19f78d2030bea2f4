// Requests about analyses and the shapes of their answers.
import { request, rows_of_page } from "./api";
import type { Configuration, Job, Status } from "./types";

export interface AnalysisRow {
  id: string;
  kind: "map" | "tune";
  name: string;
  problem: string;
  status: Status;
  queue_position: number | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  points_done: number;
  points_total: number;
  wall_s: number | null;
  reason: string | null;
}

export interface ResultAxis {
  parameter: string;
  unit: string;
  scale: "log" | "linear";
  values: number[];
}

interface MapLayer {
  macro_step_s: number;
  points_within_limit: number;
  points_without_value: { reason: string; points: number }[];
  values?: (number | null)[][]; // a row per value of y; only in the export
}

export interface MapConfiguration {
  label: string;
  configuration: Configuration;
  layers: MapLayer[];
  largest_macro_step_s: (number | null)[][];
}

export interface MapResult {
  problem: string;
  quantity: "stability" | "accuracy";
  limit: number;
  test: string | null;
  x: ResultAxis;
  y: ResultAxis;
  macro_steps_s: number[];
  configurations: MapConfiguration[];
}

export interface TuningPoint {
  mu: number;
  nu: number;
  limit: number;
  objective: Record<string, number | null>;
  ratio: number | null;
}

export interface TuningResult {
  objective: "energy_deviation" | "interface_energy";
  best: TuningPoint | null;
  by_formula: TuningPoint | null;
  no_formula: string | null;
  uncorrected: TuningPoint;
  left_out_ratio: number | null;
  reason: string | null;
  grid_points: number;
  /** Absent in results of builds that did not count them. */
  incomplete_runs?: { count: number; of: number; first: string | null };
  landscape: TuningPoint[];
}

export interface Analysis extends AnalysisRow {
  job: Job;
  result: MapResult | TuningResult | null;
}

export interface MapCheck {
  configurations: number;
  points: number;
  estimate: { values: number; macro_steps_max: number | null };
  job: Job;
}

export interface TuneCheck {
  configuration: Configuration;
  job: Job;
}

const path_of = (id: string) => `/analyses/${encodeURIComponent(id)}`;

export function fetch_analyses(
  after: string | null,
): Promise<{ analyses: AnalysisRow[]; next: string | null }> {
  const query = after === null ? "" : `&after=${encodeURIComponent(after)}`;
  return request(`/analyses?limit=${rows_of_page}${query}`);
}

export function fetch_analysis(id: string): Promise<Analysis> {
  return request(path_of(id));
}

/** With the values of all points. */
export function fetch_map(id: string): Promise<MapResult> {
  return request(`${path_of(id)}/export?format=json`);
}

export function submit_analysis(job: Job, key: string): Promise<AnalysisRow> {
  return request("/analyses", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(job),
  });
}

export function cancel_analysis(id: string): Promise<AnalysisRow> {
  return request(`${path_of(id)}/cancel`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
}

export function delete_analysis(id: string): Promise<null> {
  return request(path_of(id), { method: "DELETE" });
}

export function is_map(result: MapResult | TuningResult): result is MapResult {
  return "configurations" in result;
}
