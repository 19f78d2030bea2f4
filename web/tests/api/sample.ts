// Small values that several tests share.
import type {
  Configuration,
  Curve,
  Point,
  Problem,
  Progress,
  Recommendation,
  Search,
} from "../../app/api/types";

export function configuration(
  extrapolation: Configuration["extrapolation"],
  mechanics: Configuration["integrators"][string] = "i1al",
  hydraulics: Configuration["integrators"][string] = "forward_euler",
): Configuration {
  return {
    coupling: "force_displacement",
    scheme: "jacobi",
    extrapolation,
    integrators: { mechanics, hydraulics },
    substeps: {},
    correction: "none",
  };
}

export function recommendation(change: Partial<Recommendation> = {}): Recommendation {
  return {
    ...configuration("2"),
    macro_step_s: 0.0018,
    bend_s: 0.0018,
    cliff_s: 0.0024,
    relative_residual: 1.4e-5,
    rule: "max_min",
    confidence: null,
    notices: [],
    reason: "",
    ties: [],
    ...change,
  };
}

export function curve(id: number, change: Partial<Curve> = {}): Curve {
  return {
    id,
    configuration: configuration("2"),
    test: "step",
    bend_s: null,
    cliff_s: null,
    stability_limit_s: null,
    rejected_from_s: null,
    slope: null,
    fit: null,
    reason: "",
    flags: [],
    counts: null,
    usable_s: null,
    limited_by: null,
    points: [],
    ...change,
  };
}

export function point(macro_step_s: number, change: Partial<Point> = {}): Point {
  return {
    trial_id: 0,
    macro_step_s,
    residual_J: 1,
    relative_residual: null,
    status: "complete",
    inside_linear_region: null,
    ...change,
  };
}

export function progress(change: Partial<Progress> = {}): Progress {
  return {
    curves_done: 0,
    curves_total: 2,
    trials_done: 0,
    cost_done: null,
    cost_expected: null,
    eta_s: null,
    stage: null,
    stage_text: null,
    ...change,
  };
}

export function search(change: Partial<Search> = {}): Search {
  return {
    id: "a",
    name: "",
    problem: "double_actuator_crane",
    status: "running",
    complete: false,
    created_at: "2026-01-01T00:00:00Z",
    started_at: null,
    note: "",
    tags: [],
    priority: 0,
    queue_position: null,
    finished_at: null,
    progress: progress(),
    recommendation: null,
    reason: null,
    job: {},
    table: null,
    paper_rule: null,
    cost: null,
    provenance: null,
    ...change,
  };
}

export const problem: Problem = {
  name: "double_actuator_crane",
  title: "Double-actuator crane",
  description: "",
  source: "",
  groups: [
    {
      name: "hydraulics",
      members: ["hydraulics_1", "hydraulics_2"],
      integrators: ["forward_euler", "trapezoidal"],
      micro_step_s: 1e-4,
    },
    {
      name: "mechanics",
      members: ["mechanics"],
      integrators: ["i1al", "i3al"],
      micro_step_s: null,
    },
  ],
  parameters: [
    {
      path: "hydraulics.c",
      unit: "N s/m",
      default: 1e5,
      minimum: 0,
      maximum: 1e7,
      description: "",
    },
  ],
  couplings: ["force_displacement"],
  job: {
    kind: "search",
    problem: "double_actuator_crane",
    micro_steps: { hydraulics: 1e-4 },
    search: {
      couplings: ["force_displacement"],
      schemes: ["jacobi"],
      corrections: ["none"],
      extrapolation: ["0", "1"],
      integrators: { mechanics: ["i1al", "i3al"], hydraulics: ["forward_euler"] },
      macro_step: { initial_s: 2e-4, increment_s: 2e-4, maximum_s: 0.02 },
      relative_residual_max: null,
      accuracy: null,
      real_time: null,
    },
    tests: [
      { name: "step", kind: "step", duration_s: 1 },
      { name: "ramp", kind: "ramp", duration_s: 1 },
    ],
  },
};
