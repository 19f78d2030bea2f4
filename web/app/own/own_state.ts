// The form of a problem of one's own made of FMUs: what has been chosen and typed. Numbers stay text
// until the job is built. Ports are named by their subsystem's id, so that renaming changes nothing.
import type { Fmu } from "../api/fmu_api";
import type { ExecutorChoice } from "../api/types";
import type { ScanState } from "../forms/job_form";
import { names_or } from "../forms/job_text";
import { first_linear, type LinearState, linear_key, restored_linear } from "./own_linear";
import { default_tests, restored_tests, type TestsState } from "./own_tests";

export interface SubsystemState {
  id: string;
  name: string;
  fmu: string; // SHA-256; of a linear subsystem a key of its own
  linear?: LinearState;
  integrators: string[];
  usual?: true; // a job did not say them: those that the server takes, once the FMU is known
  micro_step_ms: string; // empty: as long as the time between two exchanges
  parameters: Record<string, string>; // those that differ from the FMU's own
  nominal?: Record<string, unknown>; // of outputs, as a job has them: the form has no field for it
}

export interface ExternalState {
  initial: string;
  minimum: string;
  maximum: string;
  sampling: string;
}

export interface OwnState extends ScanState {
  name: string;
  subsystems: SubsystemState[];
  /** What an input follows: an output's key, or the tests; without an entry its start value. */
  sources: Record<string, string>;
  externals: Record<string, ExternalState>;
  /** Confirmed bonds and their factors; empty: 1. */
  bonds: Record<string, string>;
  extrapolation: string[];
  tests: TestsState;
  /** Members of the job that the form has no field for, as of a search that it was filled from. */
  rest: { search?: Record<string, unknown>; [member: string]: unknown };
  kept: Kept;
}

/** Parts of the job's problem and tests that the form cannot show, as they are there. */
interface Kept {
  connections: Record<string, Record<string, unknown>>; // members by the input's key
  bonds: unknown[];
  tests: unknown[];
}

const nothing_kept: Kept = { connections: {}, bonds: [], tests: [] };

/** Schemes and corrections, which a job may leave out: then they are these. */
export function axes_of(rest: OwnState["rest"]) {
  const { schemes, corrections } = rest.search ?? {};
  return {
    couplings: [],
    schemes: names_or(schemes, ["jacobi"]),
    corrections: names_or(corrections, ["none"]),
  };
}

export function with_axes(
  rest: OwnState["rest"],
  part: { schemes?: string[]; corrections?: string[] },
): OwnState["rest"] {
  return { ...rest, search: { ...rest.search, ...part } };
}

/** Where the search runs, if the job says it. */
export function executor_of(rest: OwnState["rest"]): ExecutorChoice | undefined {
  return (rest.executor as ExecutorChoice | null | undefined) ?? undefined;
}

/** Without a choice the member goes: the server decides. */
export function with_executor(
  { executor, ...rest }: OwnState["rest"],
  choice: ExecutorChoice | undefined,
): OwnState["rest"] {
  return choice ? { ...rest, executor: choice } : rest;
}

/** The source of an input that the tests drive. */
export const by_tests = "tests";

/** A problem of one's own that says nothing yet. What is empty of the scan the server finds. */
export const empty_own: OwnState = {
  name: "",
  subsystems: [],
  sources: {},
  externals: {},
  bonds: {},
  extrapolation: ["0", "1", "2", "3", "4"],
  tests: default_tests,
  rest: {},
  kept: nothing_kept,
  initial_ms: "",
  increment_ms: "",
  maximum_ms: "",
  relative_residual_max: "",
  accuracy_percent: "",
  real_time_percent: "",
  paper: false,
};

export function port_key(id: string, port: string): string {
  return `${id}.${port}`;
}

/** Subsystem and port; ports may contain dots, ids do not. */
export function parts_of_key(key: string): [string, string] {
  const dot = key.indexOf(".");
  return [key.slice(0, dot), key.slice(dot + 1)];
}

/** The integrators among those offered that the server takes where a job names none. */
export function usual_integrators(offered: string[]): string[] {
  const chosen = offered.filter((one) => ["fmu", "trapezoidal", "exact"].includes(one));
  return chosen.length > 0 ? chosen : offered;
}

/** With the integrators that a job left to the server, as far as the FMUs are known. */
export function with_usual(
  state: OwnState,
  fmus: ReadonlyMap<string, Pick<Fmu, "integrators">>,
): OwnState {
  const awaited = (one: SubsystemState) => one.usual && fmus.has(one.fmu);
  if (!state.subsystems.some(awaited)) return state;
  return {
    ...state,
    subsystems: state.subsystems.map((one) => {
      if (!awaited(one)) return one;
      const { usual, ...rest } = one;
      return { ...rest, integrators: usual_integrators(fmus.get(one.fmu)!.integrators) };
    }),
  };
}

/** The last part of the model's name: a dot would separate a subsystem from its port. */
function free_name(fmu: Fmu, taken: string[]): string {
  const base = fmu.model_name.split(".").pop()?.trim() || "fmu";
  let name = base;
  for (let n = 2; taken.includes(name); ++n) name = `${base}_${n}`;
  return name;
}

function free_id(state: OwnState): string {
  const numbers = state.subsystems.map((one) => Number(one.id.slice(1)) || 0);
  return `s${Math.max(0, ...numbers) + 1}`;
}

/** One that is to be changed; two of them can be connected. */
export function with_linear(state: OwnState): OwnState {
  const taken = state.subsystems.map((one) => one.name);
  let n = 1;
  while (taken.includes(`linear_${n}`)) ++n;
  const id = free_id(state);
  const present = state.subsystems.filter((one) => one.linear).length;
  const added: SubsystemState = {
    id,
    name: `linear_${n}`,
    fmu: linear_key(id),
    linear: first_linear[present % first_linear.length]!,
    integrators: ["trapezoidal", "exact"],
    micro_step_ms: "",
    parameters: {},
  };
  return { ...state, subsystems: [...state.subsystems, added] };
}

export function with_subsystem(state: OwnState, fmu: Fmu): OwnState {
  const added: SubsystemState = {
    id: free_id(state),
    name: free_name(
      fmu,
      state.subsystems.map((one) => one.name),
    ),
    fmu: fmu.sha256,
    integrators: usual_integrators(fmu.integrators),
    micro_step_ms: "",
    parameters: {},
  };
  return { ...state, subsystems: [...state.subsystems, added] };
}

function without_keys<T>(record: Record<string, T>, gone: (key: string, value: T) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => !gone(key, value)));
}

/** With all that referred to it. */
export function without_subsystem(state: OwnState, id: string): OwnState {
  const is_its = (key: string) => parts_of_key(key)[0] === id;
  return {
    ...state,
    subsystems: state.subsystems.filter((one) => one.id !== id),
    sources: without_keys(state.sources, (input, source) => is_its(input) || is_its(source)),
    externals: without_keys(state.externals, is_its),
    bonds: without_keys(state.bonds, (key) => key.split("*").some(is_its)),
  };
}

export function with_source(
  state: OwnState,
  input: string,
  source: string,
  start: Fmu["inputs"][number]["start"],
): OwnState {
  const sources = without_keys(state.sources, (key) => key === input);
  if (source !== "") sources[input] = source;
  const fresh: ExternalState = {
    initial: typeof start === "number" ? String(start) : "0",
    minimum: "",
    maximum: "",
    sampling: "continuous",
  };
  const externals =
    source === by_tests && !state.externals[input]
      ? { ...state.externals, [input]: fresh }
      : state.externals; // what was typed is kept, should the tests drive it again
  return { ...state, sources, externals };
}

/** The address's fragment, which no server sees. */
export function to_fragment(state: OwnState): string {
  return state.subsystems.length === 0 ? "" : `#${encodeURIComponent(JSON.stringify(state))}`;
}

/** What a fragment says, as far as it can be understood: people cut addresses. */
export function from_fragment(fragment: string): OwnState {
  let read: unknown = null;
  try {
    read = JSON.parse(decodeURIComponent(fragment.replace(/^#/, "")));
  } catch {
    return empty_own;
  }
  const fields = record(read);
  const text = (name: keyof OwnState) => text_or(fields[name], String(empty_own[name]));
  return {
    name: text("name"),
    subsystems: list(fields.subsystems).map(restored_subsystem),
    sources: texts(fields.sources),
    externals: mapped(fields.externals, restored_external),
    bonds: texts(fields.bonds),
    extrapolation: list(fields.extrapolation).map(String),
    tests: restored_tests(record(fields.tests)),
    rest: record(fields.rest),
    kept: {
      connections: mapped(record(fields.kept).connections, record),
      bonds: list(record(fields.kept).bonds),
      tests: list(record(fields.kept).tests),
    },
    initial_ms: text("initial_ms"),
    increment_ms: text("increment_ms"),
    maximum_ms: text("maximum_ms"),
    relative_residual_max: text("relative_residual_max"),
    accuracy_percent: text("accuracy_percent"),
    real_time_percent: text("real_time_percent"),
    paper: fields.paper === true,
  };
}

function restored_subsystem(value: unknown, n: number): SubsystemState {
  const fields = record(value);
  const id = text_or(fields.id, "");
  const linear = restored_linear(fields.linear);
  const own_id = /^s\d+$/.test(id) ? id : `s${1000 + n}`;
  return {
    id: own_id,
    name: text_or(fields.name, ""),
    fmu: linear ? linear_key(own_id) : text_or(fields.fmu, ""),
    ...(linear ? { linear } : {}),
    integrators: list(fields.integrators).map(String),
    ...(fields.usual === true ? { usual: true } : {}),
    micro_step_ms: text_or(fields.micro_step_ms, ""),
    parameters: texts(fields.parameters),
    ...(fields.nominal === undefined ? {} : { nominal: record(fields.nominal) }),
  };
}

function restored_external(value: unknown): ExternalState {
  const fields = record(value);
  return {
    initial: text_or(fields.initial, ""),
    minimum: text_or(fields.minimum, ""),
    maximum: text_or(fields.maximum, ""),
    sampling: fields.sampling === "held" ? "held" : "continuous",
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text_or(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function mapped<T>(value: unknown, of: (entry: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, entry]) => [key, of(entry)]));
}

function texts(value: unknown): Record<string, string> {
  return mapped(value, (entry) => text_or(entry, ""));
}
