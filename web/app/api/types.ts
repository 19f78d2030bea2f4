// The shapes of the REST API that the page reads and writes. Times are RFC 3339 UTC, units are in
// the names, unknown numbers are null.
import type { components } from "../../build/openapi";

/** Generated from the server's own description of its API (`npm run types`). */
export type Schemas = components["schemas"];

export type Status = Schemas["SearchStatus"];

export type Configuration = Schemas["Configuration"];

interface CorrectionGain {
  without: Configuration | null; // the best one without a correction
  macro_step_s_without: number | null;
  cost_per_macro_step: number | null;
  cost_per_macro_step_without: number | null;
}

/** Rates are null where only the swing of runs is known. */
interface Growth {
  rate_per_s: number | null;
  uncertainty_per_s: number | null;
  unseen_share?: number | null; // of all that moves: smaller motions were not seen
  session_s?: number | null; // over which it is judged
  verdict_by: string; // exact, identified, operating_points or swing
}

export interface Recommendation extends Configuration {
  macro_step_s: number;
  /** By checks of runs or the exact analysis; absent: a server before it tells nothing of that. */
  verified?: boolean;
  macro_step_verified_s?: number | null; // the largest H of its configuration that is
  bend_s: number | null;
  cliff_s: number | null;
  stability_limit_s?: number | null; // exact, of linear problems, whatever the tests
  growth?: Growth | null; // of its fastest motion; null: not known
  relative_residual: number | null;
  /** What the recommended correction buys; null or absent: there is none, or none to compare. */
  correction_gain?: CorrectionGain | null;
  /** Absent where the job does not ask for real time. */
  real_time?: RealTime;
  /** Errors of the outputs against the monolithic solution; null or absent: not measured. */
  error?: {
    nrmse: number | null;
    max: number | null;
    test: string | null;
    reference: string;
  } | null;
  rule: string;
  confidence: number | null; // share of the study's recommendations like it that were stable
  checks?: Check[]; // of this run; a server before it tells none
  notices: Notice[]; // worst first
  sentence?: string;
  reason: string;
  reasons?: Notice[]; // its parts; absent: an older version ran the search
  ties: Configuration[];
  fmus?: Record<string, FmuRole>; // by subsystem; absent where there is none
}

/** What a person must know; the code says what it is about, the sentence says it in words. */
export type Notice = Schemas["Notice"];

/** What a check of a run says. */
export interface Check {
  check: string; // growth, change, swing or unseen
  verdict: string; // agrees, objects or unknown
  value: number | null;
  limit: number | null;
  detail: string; // the sentences of `findings`
  findings?: Notice[]; // absent: an older version ran the search
}

/** The limit is a share of H; `factor` by which it is longer than 99.9 % of the macro-steps. */
interface RealTime {
  share: number;
  limit_s: number;
  p999_s: number | null;
  factor: number | null;
}

export type Progress = Schemas["Progress"];

/** Where the trials of a search run. */
export type ExecutorChoice = Schemas["ExecutorChoice"];

/** What a server has for that. */
export type Executors = Schemas["ExecutorList"];

export interface Batch {
  executor: string;
  template: string | null;
  array: string | null;
  rounds: number;
  chunks: { queued: number; running: number; done: number; failed: number; resubmitted: number };
  message: string | null;
}

export interface Summary {
  id: string;
  name: string;
  problem: string; // "own" where the job holds the problem itself
  status: Status;
  complete: boolean;
  note: string;
  tags: string[];
  priority: number;
  queue_position: number | null; // 1 is the next; null: it does not wait
  batch?: Batch | null; // its chunks while they run elsewhere
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  progress: Progress;
  recommendation: Recommendation | null;
  reason: string | null;
  sentence?: string | null; // the answer, or why there is none; null until the end
}

/** What a user writes on a search. A priority that is no number is refused by the server. */
export interface SearchChange {
  name?: string;
  note?: string;
  tags?: string[];
  priority?: number | string;
}

export type TableRow = Schemas["TableRow"];

/** How long macro-steps took, measured alone after the search. */
export interface StepTime {
  configuration: Configuration;
  macro_step_s: number;
  macro_steps: number;
  median_s: number | null;
  p999_s: number | null;
  worst_s: number | null;
}

export interface Search extends Summary {
  job: Job;
  table: TableRow[] | null;
  flag_meanings?: Record<string, string>;
  paper_rule: Recommendation | null;
  curves?: Curve[];
  step_times?: StepTime[]; // absent: not measured
  cost: { trials: number; rhs_evaluations: number; wall_s: number } | null;
  provenance: { version: string; build_id: string; math_class: string } | null;
}

/** `inside_linear_region` is null while the search runs. */
export type Point = Schemas["CurvePoint"];
export type Curve = Schemas["CurveWithPoints"];

export interface Test {
  name: string;
  kind: string;
  duration_s?: number;
  width_s?: number;
  frequency_hz?: number;
  periods?: number;
  [member: string]: unknown;
}

export interface OwnSubsystem {
  name: string;
  fmu?: string; // SHA-256
  state_space?: unknown; // instead: matrices and ports
  parameters?: Record<string, unknown>;
  nominal?: unknown; // of an FMU: output → typical magnitude
}

/** How a configuration uses an FMU. */
interface FmuRole {
  interface: string;
  inputs: string;
  events: string;
}

export interface Job {
  kind?: string;
  name?: string;
  executor?: ExecutorChoice | null | undefined;
  problem?: string | { subsystems: OwnSubsystem[]; [member: string]: unknown };
  parameters?: Record<string, number>;
  search?: {
    preset?: string | null;
    couplings?: string[];
    extrapolation?: string[];
    integrators?: Record<string, string[]>;
    relative_residual_max?: number | string | null;
    accuracy?: number | string | null;
    real_time?: { share: number | string } | null;
    linear_region?: { rule?: string; points?: number; [member: string]: unknown };
    macro_step?: { initial_s?: number; increment_s?: number; maximum_s?: number };
    [member: string]: unknown;
  };
  tests?: Test[];
  [member: string]: unknown;
}

export type OwnJob = Job & { problem: { subsystems: OwnSubsystem[] } };

export interface Parameter {
  path: string;
  unit: string;
  default: number;
  minimum: number | null;
  maximum: number | null;
  description: string;
}

export interface Problem {
  name: string;
  title: string;
  description: string;
  source: string;
  groups: { name: string; members: string[]; integrators: string[]; micro_step_s: number | null }[];
  parameters: Parameter[];
  couplings: string[];
  other_tests?: Test[]; // that the default job does not have; a server before it tells none
  job: Job;
}

export interface FieldError {
  pointer: string;
  detail: string;
}

export function is_final(status: Status): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}
