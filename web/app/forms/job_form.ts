// The form of a new search: its state, the job it stands for, and where an error belongs.

import type { FieldError, Job, Problem, Test } from "../api/types";
import { completed, is_object, names_or } from "./job_text";
import { asks_for_paper, with_preset, without_preset } from "./preset";

/** The scan in H and the limits on what is recommended, as typed. */
export interface ScanState {
  initial_ms: string;
  increment_ms: string;
  maximum_ms: string;
  relative_residual_max: string; // empty: no limit
  accuracy_percent: string; // NRMSE of the outputs; empty: stable is enough
  real_time_percent: string; // of H, that a macro-step may take; empty: no limit
  paper: boolean; // the paper's own answer, without any of these limits
}

/** Numbers stay text until the job is built, so that nothing typed is lost. */
export interface FormState extends ScanState {
  name: string;
  couplings: string[];
  schemes: string[];
  extrapolation: string[];
  integrators: Record<string, string[]>;
  corrections: string[];
  tests: string[];
  parameters: Record<string, string>;
}

export function to_ms(seconds: unknown): string {
  return typeof seconds !== "number" ? "" : String(Number((seconds * 1e3).toPrecision(12)));
}

/** An empty or unreadable number becomes null, which the server refuses at that field. */
export function number_or_null(text: string): number | null {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

/** A share, or an object that holds one, as a job's real_time. */
export function to_percent(value: unknown): string {
  const share = is_object(value) ? value.share : value;
  return typeof share === "number" ? String(Number((share * 100).toPrecision(12))) : "";
}

export function to_seconds(text: string): number | null {
  const value = number_or_null(text);
  return value === null ? null : Number((value / 1e3).toPrecision(12));
}

/**
 * What the form shows of a job; what that leaves out is the problem's. Members that are not what
 * they should be show the problem's, too: the server tells what is wrong with them.
 */
export function initial_form(problem: Problem, job: Job = problem.job): FormState {
  const defaults = problem.job.search ?? {};
  const search = completed(is_object(job.search) ? job.search : {}, defaults);
  const step = is_object(search.macro_step) ? search.macro_step : (defaults.macro_step ?? {});
  const given = is_object(job.parameters) ? job.parameters : {};
  const name = typeof job.name === "string" ? job.name : "";
  const names = (member: string) => names_or(search[member], names_or(defaults[member], []));
  const usual = defaults.integrators ?? {};
  const chosen = is_object(search.integrators) ? search.integrators : usual;
  return {
    name: name === problem.name ? "" : name,
    couplings: names("couplings"),
    schemes: names("schemes"),
    extrapolation: names("extrapolation"),
    integrators: Object.fromEntries(
      Object.entries(chosen).map(([group, list]) => [group, names_or(list, usual[group] ?? [])]),
    ),
    corrections: names("corrections"),
    tests: tests_of(problem, job).map((test) => test.name),
    initial_ms: to_ms(step.initial_s),
    increment_ms: to_ms(step.increment_s),
    maximum_ms: to_ms(step.maximum_s),
    relative_residual_max: String(search.relative_residual_max ?? ""),
    accuracy_percent: to_percent(search.accuracy),
    real_time_percent: to_percent(search.real_time),
    paper: asks_for_paper(job),
    parameters: Object.fromEntries(
      Object.entries(given).map(([path, value]) => [path, value === null ? "" : String(value)]),
    ),
  };
}

/** The tests of a job, each with a name: without one it is called after its kind. */
function tests_of(problem: Problem, job: Job): Test[] {
  if (!Array.isArray(job.tests)) return problem.job.tests ?? [];
  return job.tests.filter(is_object).map((test) => ({
    ...test,
    kind: String(test.kind ?? ""),
    name: String(test.name ?? test.kind ?? ""),
  })) as Test[];
}

/** All tests to choose from: the problem's, and those that the job brings along. */
export function offered_tests_of(problem: Problem, job: Job): Test[] {
  const known = [...(problem.job.tests ?? []), ...(problem.other_tests ?? [])];
  const brought = tests_of(problem, job).filter((one) => !is_named_alone(one));
  const others = brought.filter((one) => known.every((test) => test.name !== one.name));
  return [...known.map((test) => brought.find((one) => one.name === test.name) ?? test), ...others];
}

/** A name without a kind stands for the problem's own test. */
function is_named_alone(test: Test): boolean {
  return test.kind === "";
}

/** Empty means no limit, which null says, too: what cannot be read must not turn into it. */
function limit(text: string): number | string | null {
  return text.trim() === "" ? null : (number_or_null(text) ?? text);
}

/** The share for a percentage as typed; null: none. */
function share_of(text: string): number | string | null {
  const percent = limit(text);
  return typeof percent === "number" ? Number((percent / 100).toPrecision(12)) : percent;
}

/** The members of a job's search that ScanState stands for. */
export function scan_of(
  form: ScanState,
): Pick<
  NonNullable<Job["search"]>,
  "macro_step" | "relative_residual_max" | "accuracy" | "real_time"
> {
  const share = share_of(form.real_time_percent);
  return {
    macro_step: {
      initial_s: to_seconds(form.initial_ms),
      increment_s: to_seconds(form.increment_ms),
      maximum_s: to_seconds(form.maximum_ms),
    } as Record<string, number>,
    relative_residual_max: limit(form.relative_residual_max),
    accuracy: share_of(form.accuracy_percent),
    real_time: share === null ? null : { share },
  };
}

/** On the relative residual; null: none. */
export function limit_of(job: Job): number | null {
  const value = job.search?.relative_residual_max;
  return typeof value === "number" ? value : null;
}

/** `base` with the form's choices put in: what the form does not show stays as it is there. */
export function build_job(problem: Problem, form: FormState, base: Job = problem.job): Job {
  const parameters: Record<string, number | null> = {};
  for (const [path, text] of Object.entries(form.parameters)) {
    if (text.trim() === "") continue;
    const known = problem.parameters.find((one) => one.path === path);
    const value = number_or_null(text);
    if (value !== known?.default) parameters[path] = value;
  }
  const defaults = problem.job;
  const given = is_object(base.search) ? base.search : {};
  const search = asks_for_paper(base) ? without_preset(given) : given;
  const scan = scan_of(form);
  const usual = scan_of(initial_form(problem)).macro_step;
  const job: Job = {
    ...defaults,
    ...base,
    kind: "search",
    problem: problem.name,
    parameters: parameters as Record<string, number>,
    search: with_preset(
      {
        ...completed(search, defaults.search ?? {}),
        couplings: form.couplings,
        schemes: form.schemes,
        extrapolation: form.extrapolation,
        integrators: form.integrators,
        corrections: form.corrections,
        ...scan,
      },
      form.paper,
    ),
    tests: offered_tests_of(problem, base).filter((test) => form.tests.includes(test.name)),
  };
  // The paper's grid is another one, unless somebody typed theirs.
  if (form.paper && JSON.stringify(scan.macro_step) === JSON.stringify(usual))
    delete job.search?.macro_step;
  if (form.name.trim() === "") delete job.name;
  else job.name = form.name.trim();
  return job;
}

/** Configurations, curves, and the most macro-steps sizes one curve can try; null if unknown. */
export function size_of(
  form: ScanState &
    Pick<FormState, "couplings" | "extrapolation" | "integrators" | "tests"> &
    Partial<Pick<FormState, "schemes" | "corrections">>,
): {
  configurations: number;
  curves: number;
  trials: number | null;
} {
  const integrators = Object.values(form.integrators).reduce((n, names) => n * names.length, 1);
  const configurations =
    Math.max(1, form.couplings.length) *
    (form.schemes?.length ?? 1) *
    (form.corrections?.length ?? 1) *
    form.extrapolation.length *
    integrators;
  const curves = configurations * form.tests.length;
  const initial = to_seconds(form.initial_ms);
  const increment = to_seconds(form.increment_ms);
  const maximum = to_seconds(form.maximum_ms);
  const known = initial !== null && increment !== null && maximum !== null && increment > 0;
  const per_curve = known ? Math.floor((maximum - initial) / increment + 1e-9) + 1 : Number.NaN;
  return { configurations, curves, trials: per_curve > 0 ? curves * per_curve : null };
}

/** "/a~1b/0" → ["a/b", "0"] (RFC 6901) */
export function pointer_parts(pointer: string): string[] {
  if (!pointer.startsWith("/")) return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

const search_fields = [
  "preset",
  "couplings",
  "schemes",
  "extrapolation",
  "corrections",
  "relative_residual_max",
  "accuracy",
  "real_time",
];

const macro_step_fields: Record<string, string> = {
  initial_s: "initial",
  increment_s: "increment",
  maximum_s: "maximum",
};

/** The id of the form's field that a pointer is about; null: shown in the summary alone. */
export function field_of_pointer(pointer: string): string | null {
  const [first, second, third] = pointer_parts(pointer);
  if (first === "name" || first === "problem" || first === "tests") return first;
  if (first === "parameters") return second === undefined ? "parameters" : `parameter:${second}`;
  if (first !== "search") return null;
  if (search_fields.includes(second ?? "")) return second ?? null;
  if (second === "integrators") return third === undefined ? "integrators" : `integrators:${third}`;
  if (second === "macro_step")
    return third === undefined ? "initial" : (macro_step_fields[third] ?? "initial");
  return null;
}

/** Errors by field; the key "" holds those without a field of the form. */
export function errors_by_field(
  errors: FieldError[],
  fields: Set<string>,
  field_of: (pointer: string) => string | null = field_of_pointer,
): Map<string, FieldError[]> {
  const result = new Map<string, FieldError[]>();
  for (const error of errors) {
    const field = field_of(error.pointer);
    const key = field !== null && fields.has(field) ? field : "";
    result.set(key, [...(result.get(key) ?? []), error]);
  }
  return result;
}

/**
 * What cannot be read as a number is sent as null or text. The server's words about that would
 * puzzle somebody who typed "1 ms" or nothing.
 */
export function worded(errors: FieldError[], form: FormState): FieldError[] {
  return worded_by(errors, (pointer) => {
    const field = field_of_pointer(pointer) ?? "";
    return typed_scan(field, form) ?? form.parameters[field.replace(/^parameter:/, "")];
  });
}

/** What was typed into a field of the scan; undefined: it is another field. */
export function typed_scan(field: string, form: ScanState): string | undefined {
  if (field === "initial" || field === "increment" || field === "maximum")
    return form[`${field}_ms`];
  if (field === "real_time") return form.real_time_percent;
  if (field === "accuracy") return form.accuracy_percent;
  return field === "relative_residual_max" ? form.relative_residual_max : undefined;
}

/** `typed_at`: what was typed where a number is wanted; undefined: no number is wanted there. */
export function worded_by(
  errors: FieldError[],
  typed_at: (pointer: string) => string | undefined,
): FieldError[] {
  return errors.map((error) => {
    const typed = typed_at(error.pointer);
    if (typed === undefined || number_or_null(typed) !== null) return error;
    const detail = typed.trim() === "" ? "a number is needed" : `“${typed}” is not a number`;
    return { ...error, detail };
  });
}

/** The ids of all fields that the form of this problem shows. */
export function fields_of(problem: Problem): Set<string> {
  return new Set([
    "name",
    "problem",
    "tests",
    "schemes",
    "extrapolation",
    "corrections",
    "initial",
    "increment",
    "maximum",
    "preset",
    "relative_residual_max",
    "accuracy",
    "real_time",
    ...(problem.couplings.length > 1 ? ["couplings"] : []),
    ...problem.groups.map((group) => `integrators:${group.name}`),
    ...problem.parameters.map((parameter) => `parameter:${parameter.path}`),
  ]);
}

/** Whether some number cannot be read, so that there is nothing to ask the server about. */
export function has_unreadable(form: FormState): boolean {
  const scan = [form.initial_ms, form.increment_ms, form.maximum_ms];
  const limits = [form.relative_residual_max, form.accuracy_percent, form.real_time_percent];
  const others = [...(form.paper ? [] : limits), ...Object.values(form.parameters)];
  return (
    scan.some((text) => number_or_null(text) === null) ||
    others.some((text) => text.trim() !== "" && number_or_null(text) === null)
  );
}
