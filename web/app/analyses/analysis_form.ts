// The form of a new analysis: its state, the job that it stands for, and where an error belongs.

import type { Job, Parameter, Problem } from "../api/types";
import {
  build_job,
  type FormState,
  field_of_pointer,
  fields_of,
  initial_form,
  number_or_null,
  pointer_parts,
  to_ms,
  to_seconds,
} from "../forms/job_form";
import { is_object } from "../forms/job_text";

export interface AxisForm {
  parameter: string;
  minimum: string;
  maximum: string;
  count: string;
  scale: string;
}

export interface AnalysisForm {
  kind: "map" | "tune";
  space: FormState; // configurations, tests and parameters, as of a search
  x: AxisForm;
  y: AxisForm;
  listed: boolean; // H as a list, not as a range
  steps_ms: string; // the list
  first_ms: string;
  last_ms: string;
  steps: string;
  quantity: string;
  error_max: string;
  test: string; // "": the first
  tune_ms: string;
  objective: string; // "": the first that is known
}

const usual_span = 100; // of an axis to either side of the parameter's default
const usual_count = "50";
const usual_steps = 8;

type Members = Record<string, unknown>;

function members(value: unknown): Members {
  return is_object(value) ? value : {};
}

function text(value: unknown, otherwise: string): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : otherwise;
}

/** Around its default, or all that it may be. */
export function usual_axis(parameter: Parameter | undefined): AxisForm {
  const { default: middle = 1, minimum = null, maximum = null } = parameter ?? {};
  const is_log = middle > 0;
  const low = is_log ? middle / usual_span : (minimum ?? middle - 1);
  const high = is_log ? middle * usual_span : (maximum ?? middle + 1);
  const number = (value: number) => String(Number(value.toPrecision(6)));
  return {
    parameter: parameter?.path ?? "",
    minimum: number(Math.max(low, minimum ?? low)),
    maximum: number(Math.min(high, maximum ?? high)),
    count: usual_count,
    scale: is_log ? "log" : "linear",
  };
}

/** The two that are looked at first: those of the coupling, where it has any. */
function usual_parameters(problem: Problem): [Parameter | undefined, Parameter | undefined] {
  const positive = problem.parameters.filter((one) => one.default > 0);
  const coupling = positive.filter((one) => one.path.startsWith("coupling."));
  const [first, second] = [...coupling, ...positive.filter((one) => !coupling.includes(one))];
  return [first, second];
}

function axis_of(value: unknown, problem: Problem, usual: AxisForm): AxisForm {
  const axis = members(value);
  if (typeof axis.parameter !== "string") return usual;
  const known = usual_axis(problem.parameters.find((one) => one.path === axis.parameter));
  return {
    parameter: axis.parameter,
    minimum: text(axis.minimum, known.minimum),
    maximum: text(axis.maximum, known.maximum),
    count: text(axis.count, usual_count),
    scale: text(axis.scale, "log"),
  };
}

export function analysis_form(problem: Problem, job: Job): AnalysisForm {
  const map = members(job.map);
  const tune = members(job.tune);
  const range = members(map.macro_steps_s);
  const list = Array.isArray(map.macro_steps_s) ? map.macro_steps_s : null;
  const [first, second] = usual_parameters(problem);
  const scan = problem.job.search?.macro_step ?? {};
  return {
    kind: job.kind === "tune" ? "tune" : "map",
    space: initial_form(problem, job),
    x: axis_of(map.x, problem, usual_axis(first)),
    y: axis_of(map.y, problem, usual_axis(second)),
    listed: list !== null,
    steps_ms: (list ?? []).map(to_ms).join(" "),
    first_ms: to_ms(range.minimum_s ?? scan.initial_s),
    last_ms: to_ms(range.maximum_s ?? scan.maximum_s),
    steps: text(range.count, String(usual_steps)),
    quantity: text(map.quantity, "stability"),
    error_max: text(map.error_max, "0.01"),
    test: text(map.test, ""),
    tune_ms: to_ms(tune.macro_step_s ?? scan.initial_s),
    objective: text(tune.objective, ""),
  };
}

/** With one configuration, as a tuning needs it. */
export function one_configuration(space: FormState): FormState {
  return {
    ...space,
    couplings: space.couplings.slice(0, 1),
    schemes: space.schemes.slice(0, 1),
    extrapolation: space.extrapolation.slice(0, 1),
    corrections: space.corrections.includes("energy") ? ["energy"] : ["none"],
    integrators: Object.fromEntries(
      Object.entries(space.integrators).map(([group, names]) => [group, names.slice(0, 1)]),
    ),
  };
}

function axis_json(axis: AxisForm) {
  return {
    parameter: axis.parameter,
    minimum: number_or_null(axis.minimum),
    maximum: number_or_null(axis.maximum),
    count: number_or_null(axis.count),
    scale: axis.scale,
  };
}

function step_texts(form: AnalysisForm): string[] {
  return form.steps_ms.split(/[\s;]+|,(?=\s|$)/).filter((one) => one !== "");
}

function map_json(form: AnalysisForm, base: Job) {
  const is_accuracy = form.quantity === "accuracy";
  const { error_max: _, test: __, ...kept } = members(base.map);
  return {
    ...kept,
    x: axis_json(form.x),
    y: axis_json(form.y),
    macro_steps_s: form.listed
      ? step_texts(form).map(to_seconds)
      : {
          minimum_s: to_seconds(form.first_ms),
          maximum_s: to_seconds(form.last_ms),
          count: number_or_null(form.steps),
        },
    quantity: form.quantity,
    ...(is_accuracy ? { error_max: number_or_null(form.error_max) } : {}),
    ...(is_accuracy && form.test !== "" ? { test: form.test } : {}),
  };
}

/** `base` with the form's choices put in; what is left out of it is left out of the job. */
export function build_analysis(problem: Problem, form: AnalysisForm, base: Job): Job {
  const whole = build_job(problem, form.space, base);
  const { couplings, schemes, extrapolation, integrators, corrections } = whole.search ?? {};
  const { map: _, tune: __, search, tests: ___, kind: ____, ...kept } = base;
  const has_tests = form.kind === "tune" || form.quantity === "accuracy";
  const job: Job = {
    ...kept,
    kind: form.kind,
    problem: problem.name,
    parameters: whole.parameters ?? {},
    search: {
      ...search,
      couplings,
      schemes,
      extrapolation,
      integrators,
      corrections,
    } as NonNullable<Job["search"]>,
    ...(has_tests ? { tests: whole.tests ?? [] } : {}),
    ...(form.kind === "map"
      ? { map: map_json(form, base) }
      : {
          tune: {
            ...members(base.tune),
            macro_step_s: to_seconds(form.tune_ms),
            objective: form.objective === "" ? null : form.objective,
          },
        }),
  };
  if (form.space.name.trim() === "") delete job.name;
  else job.name = form.space.name.trim();
  return job;
}

const axis_members = ["parameter", "minimum", "maximum", "count", "scale"];

export function field_of_analysis(pointer: string): string | null {
  const [first, second, third] = pointer_parts(pointer);
  if (first === "map") {
    if (second === "x" || second === "y")
      return `${second}:${axis_members.includes(third ?? "") ? third : "parameter"}`;
    if (second === "macro_steps_s") {
      const names: Record<string, string> = { maximum_s: "last_ms", count: "steps" };
      return names[third ?? ""] ?? "first_ms";
    }
    return second ?? "x:parameter";
  }
  if (first === "tune") return second === "objective" ? "objective" : "tune_ms";
  return field_of_pointer(pointer);
}

export function fields_of_analysis(problem: Problem, form: AnalysisForm): Set<string> {
  const axes = ["x", "y"].flatMap((axis) => axis_members.map((name) => `${axis}:${name}`));
  const all = fields_of(problem);
  const of_searches = [
    "initial",
    "increment",
    "maximum",
    "relative_residual_max",
    "accuracy",
    "real_time",
  ];
  for (const one of of_searches) all.delete(one);
  if (form.kind === "tune") return new Set([...all, "tune_ms", "objective"]);
  if (form.quantity !== "accuracy") all.delete("tests");
  const steps = form.listed ? ["first_ms"] : ["first_ms", "last_ms", "steps"];
  return new Set([...all, ...axes, ...steps, "quantity", "error_max", "test"]);
}

/** What was typed where a number is wanted. */
export function typed_at_analysis(pointer: string, form: AnalysisForm): string | undefined {
  const field = field_of_analysis(pointer) ?? "";
  const [axis, member] = field.split(":");
  if ((axis === "x" || axis === "y") && member !== "parameter" && member !== "scale")
    return form[axis][member as "minimum" | "maximum" | "count"];
  if (field === "first_ms" && form.listed)
    return step_texts(form).find((one) => number_or_null(one) === null);
  const plain = ["first_ms", "last_ms", "steps", "error_max", "tune_ms"] as const;
  const found = plain.find((one) => one === field);
  if (found) return form[found];
  return field.startsWith("parameter:") ? form.space.parameters[field.slice(10)] : undefined;
}

/** Whether some number cannot be read, so that there is nothing to ask the server about. */
export function has_unreadable(form: AnalysisForm): boolean {
  const axis = (one: AxisForm) => [one.minimum, one.maximum, one.count];
  const steps = form.listed ? step_texts(form) : [form.first_ms, form.last_ms, form.steps];
  const map = [...axis(form.x), ...axis(form.y), ...steps];
  if (form.quantity === "accuracy") map.push(form.error_max);
  const numbers = form.kind === "map" ? map : [form.tune_ms];
  const given = Object.values(form.space.parameters).filter((one) => one.trim() !== "");
  return [...numbers, ...given].some((one) => number_or_null(one) === null);
}
