// The shapes of the API that are about single trials.
import type { Configuration } from "./types";

export interface Trial {
  id: number;
  curve_id: number;
  test: string;
  configuration: Configuration;
  macro_step_s: number;
  status: string;
  reason: string | null;
  residual_J: number | null;
  startup_residual_J: number | null;
  relative_residual: number | null;
  macro_steps: number;
  rhs_evaluations: number;
  wall_s: number | null;
  event_delay_s: number | null; // null: not recorded
}

/** An output that feeds an input. */
export interface TraceConnection {
  from: string;
  to: string;
  extrapolate: boolean; // false: held, whatever the extrapolation
  order: number | null; // of the polynomial; null: it is none through the newest values
  delay_macro_steps: number;
}

/** How far a trial is from the monolithic solution; null of one that is not complete. */
interface Deviation {
  nrmse: number | null;
  max: number | null;
  outputs: Record<string, number | null>;
}

export interface Trace {
  search_id: string;
  trial_id: number;
  macro_step_s: number;
  test: string;
  status: string;
  reason: string | null;
  points_total: number;
  points: number;
  connections: TraceConnection[] | null; // null: not known
  reference: Deviation | null;
  reference_reason: string | null; // why there is none, though it was asked for
  columns: string[];
  rows: (number | null)[][];
}

export type Outcome = Record<string, number | string | null | (number | null)[]>;

export interface Rerun {
  identical: boolean;
  differing: string[];
  same_build: boolean | null;
  same_math_class: boolean | null;
  stored: Outcome;
  rerun: Outcome;
}

/** A line of the export as CSV: what the figures of a search need of every trial. */
export interface TrialRow {
  id: number;
  curve_id: number;
  macro_step_s: number;
  status: string;
  relative_residual: number | null;
  nrmse: number | null;
  rhs_evaluations: number;
}
