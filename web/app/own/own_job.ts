// The job that the form of one's own problem stands for, and the field that a JSON pointer is about.
import type { Fmu } from "../api/fmu_api";
import type { Job, Test } from "../api/types";
import { number_or_null, pointer_parts, scan_of, to_seconds, typed_scan } from "../forms/job_form";
import { with_preset } from "../forms/preset";
import {
  as_fmu,
  linear_fields,
  linear_json,
  type MatrixName,
  matrix_names,
  unreadable_in,
} from "./own_linear";
import {
  confirmed_bonds,
  connections_of,
  externals_of,
  type Fmus,
  inputs_of,
  type OwnPort,
} from "./own_ports";
import { type OwnState, parts_of_key, type SubsystemState } from "./own_state";
import { field_of_test, frequencies, job_tests, offered_tests, test_fields } from "./own_tests";

/** A field's id: parts may hold any character, an id must not hold spaces. */
export function field_id(...parts: string[]): string {
  return parts.map(encodeURIComponent).join(":");
}

/** Text of a number, a truth or a text, as the parameter's type wants it. */
function parameter_value(fmu: Fmu | undefined, name: string, text: string) {
  const type = fmu?.parameters.find((one) => one.name === name)?.type;
  if (type === "string") return text;
  if (type === "boolean") return text === "true";
  return number_or_null(text);
}

/** The FMUs, and the linear subsystems as if they were FMUs. */
export function with_linear_models(state: OwnState, fmus: Fmus): Fmus {
  const all = new Map(fmus);
  for (const { id, name, fmu, linear } of state.subsystems)
    if (linear) all.set(fmu, as_fmu(id, name, linear));
  return all;
}

function subsystem_json({ name, fmu, linear, parameters, nominal }: SubsystemState, fmus: Fmus) {
  if (linear) return { name, state_space: linear_json(linear) };
  const given = Object.entries(parameters).filter(([, text]) => text.trim() !== "");
  return {
    name,
    fmu,
    parameters: Object.fromEntries(
      given.map(([path, text]) => [path, parameter_value(fmus.get(fmu), path, text)]),
    ),
    ...(nominal === undefined ? {} : { nominal }),
  };
}

function micro_steps(state: OwnState): Record<string, number | null> {
  const given = state.subsystems.filter((one) => one.micro_step_ms.trim() !== "");
  return Object.fromEntries(given.map((one) => [one.name, to_seconds(one.micro_step_ms)]));
}

/** Members of the search as typed; of macro_step those that are not empty. */
function given_scan(state: OwnState) {
  const { macro_step, ...limits } = scan_of(state);
  const typed: Record<string, string> = {
    initial_s: state.initial_ms,
    increment_s: state.increment_ms,
    maximum_s: state.maximum_ms,
  };
  const given = Object.entries(macro_step ?? {}).filter(([name]) => typed[name]?.trim() !== "");
  return given.length === 0 ? limits : { ...limits, macro_step: Object.fromEntries(given) };
}

export function build_own_job(state: OwnState, fmus: Fmus): Job {
  const name_of = (key: string) => {
    const [id, port] = parts_of_key(key);
    return `${state.subsystems.find((one) => one.id === id)?.name ?? ""}.${port}`;
  };
  const externals = externals_of(state, fmus);
  return {
    ...state.rest,
    kind: "search",
    ...(state.name.trim() === "" ? {} : { name: state.name.trim() }),
    problem: {
      subsystems: state.subsystems.map((one) => subsystem_json(one, fmus)),
      connections: connections_of(state, fmus).map(({ input, output }) => ({
        from: name_of(output.key),
        to: name_of(input.key),
        ...state.kept.connections[input.key],
      })),
      power_bonds: [
        ...confirmed_bonds(state, fmus).map((bond) => {
          const factor = state.bonds[bond.key]?.trim() ?? "";
          return {
            effort: name_of(`${bond.effort.subsystem}.${bond.effort.port}`),
            flow: name_of(`${bond.flow.subsystem}.${bond.flow.port}`),
            ...(factor === "" ? {} : { factor: number_or_null(factor) }),
          };
        }),
        ...state.kept.bonds,
      ],
      external_inputs: externals.map(({ key }) => ({
        to: name_of(key),
        initial: number_or_null(state.externals[key]?.initial ?? ""),
        minimum: number_or_null(state.externals[key]?.minimum ?? ""),
        maximum: number_or_null(state.externals[key]?.maximum ?? ""),
        sampling: state.externals[key]?.sampling ?? "continuous",
      })),
    },
    micro_steps: micro_steps(state),
    search: with_preset(
      {
        ...state.rest.search,
        extrapolation: state.extrapolation,
        integrators: Object.fromEntries(state.subsystems.map((one) => [one.name, one.integrators])),
        ...given_scan(state),
      },
      state.paper,
    ),
    tests: [
      ...job_tests(state.tests, externals.length > 0).map((one) => one.test),
      ...(state.kept.tests as Test[]),
    ],
  };
}

function item<T>(list: T[], index: string | undefined): T | undefined {
  return index !== undefined && /^\d+$/.test(index) ? list[Number(index)] : undefined;
}

function field_in_problem(parts: string[], state: OwnState, fmus: Fmus): string {
  const [list, index, member, name] = parts;
  if (list === "connections") {
    const found = item(connections_of(state, fmus), index);
    return found ? field_id("source", found.input.key) : "connections";
  }
  if (list === "power_bonds") {
    const found = item(confirmed_bonds(state, fmus), index);
    return found ? field_id("bond", found.key) : "bonds";
  }
  if (list === "external_inputs") {
    const found = item<OwnPort>(externals_of(state, fmus), index);
    const known = member === "minimum" || member === "maximum" ? member : "initial";
    return found ? field_id("external", found.key, known) : "connections";
  }
  const found = item(state.subsystems, index);
  if (!found) return "subsystems";
  if (member === "parameters" && name !== undefined)
    return field_id("subsystem", found.id, "parameter", name);
  if (member === "state_space" && found.linear) {
    const field = name === "sample_time_s" ? "sample_time" : (name ?? "A");
    return field_id("subsystem", found.id, linear_fields.includes(field) ? field : "A");
  }
  return field_id("subsystem", found.id, "name");
}

const search_fields = [
  "preset",
  "schemes",
  "extrapolation",
  "corrections",
  "relative_residual_max",
  "accuracy",
  "real_time",
];

/** The id of the field that a pointer is about; null: it has none. */
export function field_of_own(pointer: string, state: OwnState, fmus: Fmus): string | null {
  const [first, second, third] = pointer_parts(pointer);
  const named = (name: string | undefined) => state.subsystems.find((one) => one.name === name);
  if (first === "name") return "name";
  if (first === "problem") return field_in_problem(pointer_parts(pointer).slice(1), state, fmus);
  if (first === "micro_steps") {
    const found = named(second);
    return found ? field_id("subsystem", found.id, "micro_step") : null;
  }
  if (first === "tests") {
    const has_externals = externals_of(state, fmus).length > 0;
    const found = item(job_tests(state.tests, has_externals), second);
    return found ? field_of_test(found.kind, third) : "tests";
  }
  if (first !== "search") return null;
  if (second === "integrators") {
    const found = named(third);
    return found ? field_id("subsystem", found.id, "integrators") : "subsystems";
  }
  if (second === "macro_step") {
    const member = third?.replace(/_s$/, "");
    return member === "increment" || member === "maximum" ? member : "initial";
  }
  return search_fields.includes(second ?? "") ? (second ?? null) : null;
}

/** The ids of all fields that the form shows. */
export function fields_of_own(state: OwnState, fmus: Fmus): Set<string> {
  const tests = offered_tests(externals_of(state, fmus).length > 0);
  return new Set([
    ...["name", "subsystems", "connections", "bonds", "tests", "initial", "increment", "maximum"],
    ...search_fields,
    ...state.subsystems.flatMap(({ id, fmu, linear }) => [
      ...["name", "micro_step", "integrators"].map((name) => field_id("subsystem", id, name)),
      ...(linear ? linear_fields : []).map((name) => field_id("subsystem", id, name)),
      ...(fmus.get(fmu)?.parameters ?? []).map(({ name }) =>
        field_id("subsystem", id, "parameter", name),
      ),
    ]),
    ...inputs_of(state, fmus).map(({ key }) => field_id("source", key)),
    ...externals_of(state, fmus).flatMap(({ key }) =>
      ["initial", "minimum", "maximum"].map((name) => field_id("external", key, name)),
    ),
    ...confirmed_bonds(state, fmus).map(({ key }) => field_id("bond", key)),
    ...tests.flatMap((kind) => test_fields[kind].map(({ name }) => `test:${kind}:${name}`)),
  ]);
}

/** What was typed where the pointer wants a number; undefined: it wants none. */
export function typed_at_own(pointer: string, state: OwnState, fmus: Fmus): string | undefined {
  const field = field_of_own(pointer, state, fmus) ?? "";
  const [kind = "", one = "", two = "", three = ""] = field.split(":").map(decodeURIComponent);
  if (kind === "external") {
    return state.externals[one]?.[two as "initial" | "minimum" | "maximum"];
  }
  if (kind === "bond") return state.bonds[one] || undefined;
  if (kind === "test") {
    const row = state.tests[one as keyof OwnState["tests"]];
    const text = row?.[two];
    return two === "frequencies_hz" ? unreadable(text ?? "") : text || undefined;
  }
  if (kind === "subsystem") {
    const found = state.subsystems.find((other) => other.id === one);
    if (two === "micro_step") return found?.micro_step_ms;
    const { linear } = found ?? {};
    if (linear && two === "sample_time") return linear.sample_time_ms;
    if (linear && (two === "x0" || matrix_names.includes(two as MatrixName)))
      return unreadable_in(linear[two as MatrixName | "x0"]);
    return two === "parameter" ? numeric_parameter(found, three, fmus) : undefined;
  }
  return typed_scan(field, state) || undefined; // empty: a number that the server has found
}

function numeric_parameter(one: SubsystemState | undefined, name: string, fmus: Fmus) {
  const type = fmus.get(one?.fmu ?? "")?.parameters.find((other) => other.name === name)?.type;
  return type === undefined || type === "string" || type === "boolean"
    ? undefined
    : one?.parameters[name];
}

/** The first frequency that is no number, else the first. */
function unreadable(text: string): string | undefined {
  const all = frequencies(text);
  return all.find((one) => number_or_null(one) === null) ?? all[0];
}
