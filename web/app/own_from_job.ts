// The form filled from a job, as of a search that is to be changed and run again.

import { to_ms } from "./job_form";
import { by_tests, empty_own, type OwnState, port_key, type SubsystemState } from "./own_state";
import { default_tests, job_tests, type TestKind, type TestsState, test_fields } from "./own_tests";
import type { Job, OwnSubsystem, Test } from "./types";

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

/** Whether the form can show all of it: what it cannot show would be lost. */
export function fits_form(job: Job): boolean {
  const own = own_of(job);
  if (!own) return false;
  const owner = (port: string | string[]) => (typeof port === "string" ? port.split(".")[0] : null);
  const tests = job.tests ?? [];
  return (
    own.subsystems.every((one) => one.fmu !== undefined) &&
    (own.connections ?? []).every((one) => !one.delay_macro_steps && one.extrapolate !== false) &&
    (own.power_bonds ?? []).every(
      ({ effort, flow }) => owner(effort) && owner(flow) && owner(effort) !== owner(flow),
    ) &&
    tests.every((test) => test.kind in test_fields) &&
    sorted_text(rebuilt_tests(tests, (own.external_inputs ?? []).length > 0)) === sorted_text(tests)
  );
}

/** The tests as the form would send them. */
function rebuilt_tests(tests: Test[], has_externals: boolean): Test[] {
  return job_tests(tests_of(tests), has_externals).map((one) => one.test);
}

function sorted_text(tests: Test[]): string {
  const members = tests.map((test) => Object.entries(test).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(members.map((one) => JSON.stringify(one)).sort());
}

/** What the form has no field for. */
function rest_of({ substeps, within_substep, search = {} }: Job): OwnState["rest"] {
  const { extrapolation, integrators, macro_step, relative_residual_max, ...others } = search;
  return {
    ...(substeps === undefined ? {} : { substeps }),
    ...(within_substep === undefined ? {} : { within_substep }),
    search: others,
  };
}

function subsystem_state(one: OwnSubsystem, n: number, job: Job): SubsystemState {
  const micro_steps = job.micro_steps as Record<string, number> | undefined;
  return {
    id: `s${n + 1}`,
    name: one.name,
    fmu: one.fmu ?? "",
    integrators: job.search?.integrators?.[one.name] ?? [],
    micro_step_ms: to_ms(micro_steps?.[one.name]),
    parameters: Object.fromEntries(
      Object.entries(one.parameters ?? {}).map(([name, value]) => [name, String(value)]),
    ),
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
      (own.power_bonds ?? []).map((one) => [
        [key(String(one.effort)), key(String(one.flow))].sort().join("*"),
        text(one.factor),
      ]),
    ),
    extrapolation: job.search?.extrapolation ?? [],
    tests: tests_of(job.tests ?? []),
    initial_ms: to_ms(step?.initial_s),
    increment_ms: to_ms(step?.increment_s),
    maximum_ms: to_ms(step?.maximum_s),
    rest: rest_of(job),
    relative_residual_max: String(job.search?.relative_residual_max ?? ""),
  };
}
