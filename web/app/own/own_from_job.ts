// The form filled from a job, as of a search that is to be changed and run again.

import type { Job, OwnSubsystem, Test } from "../api/types";
import { to_ms, to_percent } from "../forms/job_form";
import { is_object, names_or } from "../forms/job_text";
import { asks_for_paper, without_preset } from "../forms/preset";
import { linear_integrators, linear_key, linear_of } from "./own_linear";
import {
  by_tests,
  empty_own,
  type OwnState,
  port_key,
  type SubsystemState,
  usual_integrators,
} from "./own_state";
import { default_tests, job_tests, type TestKind, type TestsState, test_fields } from "./own_tests";

/** What the form knows of the members of a job's problem. */
interface OwnJob {
  subsystems: OwnSubsystem[];
  connections?: { from: string; to: string; extrapolate?: boolean; delay_macro_steps?: number }[];
  power_bonds?: { effort: string | string[]; flow: string | string[]; factor?: number }[];
  external_inputs?: {
    to: string;
    initial?: number;
    minimum?: number;
    maximum?: number;
    sampling?: string;
  }[];
}

function own_of(job: Job): OwnJob | null {
  return typeof job.problem === "object" ? (job.problem as unknown as OwnJob) : null;
}

/** Whether the form is about such a job: what it cannot show of it, it keeps. */
export function fits_form(job: Job): boolean {
  const own = own_of(job);
  const is_known = (one: OwnSubsystem) => one.fmu !== undefined || is_object(one.state_space);
  return own !== null && Array.isArray(own.subsystems) && own.subsystems.every(is_known);
}

/** Those that the form would send otherwise than they are. */
function kept_tests(tests: Test[], has_externals: boolean): Test[] {
  const shown = rebuilt_tests(tests.filter(is_plain), has_externals).map(sorted_text);
  return tests.filter((test) => !is_plain(test) || !shown.includes(sorted_text(test)));
}

/** Whether the form has tests of this kind, under the name that it gives them. */
function is_plain(test: Test): boolean {
  return test.kind in test_fields && (test.name === test.kind || test.kind === "sine");
}

function is_simple({ effort, flow }: { effort: string | string[]; flow: string | string[] }) {
  const owner = (port: string | string[]) => (typeof port === "string" ? port.split(".")[0] : null);
  return Boolean(owner(effort) && owner(flow) && owner(effort) !== owner(flow));
}

/** What a job says in the place of a number that the search finds. */
const left_open = "auto";

/** The tests as the form would send them. */
function rebuilt_tests(tests: Test[], has_externals: boolean): Test[] {
  return job_tests(tests_of(tests), has_externals).map((one) => one.test);
}

function sorted_text(test: Test): string {
  const said = Object.entries(test).filter(([, value]) => value !== left_open);
  return JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the form has no field for. */
function rest_of(job: Job): OwnState["rest"] {
  const { kind, name, problem, micro_steps, search = {}, tests, ...rest } = job;
  const {
    extrapolation,
    integrators,
    macro_step,
    relative_residual_max,
    accuracy,
    real_time,
    ...others
  } = search;
  const kept: OwnState["rest"] = {
    ...rest,
    search: asks_for_paper(job) ? without_preset(others) : others,
  };
  // What was found of this problem may not hold of the changed one.
  const scales = is_object(rest.scales) ? rest.scales : null;
  if (scales?.found_by !== undefined && scales.found_by !== "job") delete kept.scales;
  return kept;
}

/** What a job does not say is as the server has it; of an FMU that is known with its file. */
function subsystem_state(one: OwnSubsystem, n: number, job: Job): SubsystemState {
  const linear = is_object(one.state_space) ? linear_of(one.state_space) : null;
  const integrators = names_or(job.search?.integrators?.[one.name], []);
  const is_said = Array.isArray(job.search?.integrators?.[one.name]);
  const micro_steps = job.micro_steps as Record<string, number> | undefined;
  return {
    id: `s${n + 1}`,
    name: one.name,
    fmu: linear ? linear_key(`s${n + 1}`) : (one.fmu ?? ""),
    ...(linear ? { linear } : {}),
    integrators: linear && !is_said ? usual_integrators(linear_integrators(linear)) : integrators,
    ...(linear || is_said ? {} : { usual: true }),
    micro_step_ms: to_ms(micro_steps?.[one.name]),
    parameters: Object.fromEntries(
      Object.entries(one.parameters ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    ...(is_object(one.nominal) && Object.keys(one.nominal).length > 0
      ? { nominal: one.nominal }
      : {}),
  };
}

function tests_of(tests: Test[]): TestsState {
  const state: TestsState = { ...default_tests };
  for (const kind of Object.keys(state) as TestKind[]) state[kind] = { ...state[kind], on: "" };
  for (const test of tests) {
    const kind = test.kind as TestKind;
    const row: TestsState[TestKind] = { ...state[kind], on: "yes" };
    for (const { name } of test_fields[kind])
      if (typeof test[name] === "number") row[name] = String(test[name]);
    if (kind === "sine" && test.frequency_hz !== undefined)
      row.frequencies_hz = `${row.frequencies_hz ?? ""} ${test.frequency_hz}`.trim();
    state[kind] = row;
  }
  return state;
}

export function from_job(job: Job): OwnState {
  const own = own_of(job);
  if (!own) return empty_own;
  const ids = new Map(own.subsystems.map((one, n) => [one.name, `s${n + 1}`]));
  const key = (text: string) => {
    const dot = text.indexOf(".");
    return port_key(ids.get(text.slice(0, dot)) ?? "", text.slice(dot + 1));
  };
  const externals = own.external_inputs ?? [];
  const text = (value: number | undefined) => (value === undefined ? "" : String(value));
  const step = job.search?.macro_step;
  const tests = job.tests ?? [];
  const others = kept_tests(tests, externals.length > 0);
  const bonds = own.power_bonds ?? [];
  return {
    name: job.name ?? "",
    subsystems: own.subsystems.map((one, n) => subsystem_state(one, n, job)),
    sources: Object.fromEntries([
      ...(own.connections ?? []).map((one) => [key(one.to), key(one.from)]),
      ...externals.map((one) => [key(one.to), by_tests]),
    ]),
    externals: Object.fromEntries(
      externals.map((one) => [
        key(one.to),
        {
          initial: text(one.initial),
          minimum: text(one.minimum),
          maximum: text(one.maximum),
          sampling: one.sampling ?? "continuous",
        },
      ]),
    ),
    bonds: Object.fromEntries(
      bonds
        .filter(is_simple)
        .map((one) => [
          [key(String(one.effort)), key(String(one.flow))].sort().join("*"),
          text(one.factor),
        ]),
    ),
    extrapolation: names_or(job.search?.extrapolation, empty_own.extrapolation),
    tests: job.tests ? tests_of(tests.filter((test) => !others.includes(test))) : default_tests,
    initial_ms: step?.initial_s === undefined ? empty_own.initial_ms : to_ms(step.initial_s),
    increment_ms:
      step?.increment_s === undefined ? empty_own.increment_ms : to_ms(step.increment_s),
    maximum_ms: step?.maximum_s === undefined ? empty_own.maximum_ms : to_ms(step.maximum_s),
    rest: rest_of(job),
    kept: {
      connections: Object.fromEntries(
        (own.connections ?? [])
          .map(({ from, to, ...members }) => [key(to), members] as const)
          .filter(([, members]) => Object.keys(members).length > 0),
      ),
      bonds: bonds.filter((one) => !is_simple(one)),
      tests: others,
    },
    relative_residual_max: String(job.search?.relative_residual_max ?? ""),
    accuracy_percent: to_percent(job.search?.accuracy),
    real_time_percent: to_percent(job.search?.real_time),
    paper: asks_for_paper(job),
  };
}
