// Two FMUs that can be coupled: a mass, and a mass that owns the spring between both.
import type { Fmu, Port, Variable } from "../../app/api/fmu_api";
import type { Fmus } from "../../app/own/own_ports";
import { empty_own, type OwnState, with_source, with_subsystem } from "../../app/own/own_state";

function variable(name: string, unit: string, part: Partial<Variable> = {}): Variable {
  return {
    name,
    description: null,
    type: "float64",
    array: false,
    unit,
    declared_unit: unit,
    start: 0,
    nominal: null,
    minimum: null,
    maximum: null,
    ...part,
  };
}

export function port(name: string, unit: string, part: Partial<Port> = {}): Port {
  return { ...variable(name, unit), continuous: true, connectable: true, ...part };
}

export function fmu(sha256: string, model_name: string, part: Partial<Fmu> = {}): Fmu {
  return {
    sha256,
    file_name: `${model_name}.fmu`,
    model_name,
    fmi_version: "2.0",
    size_bytes: 1000,
    uploaded_at: "2026-01-02T12:00:00Z",
    description: null,
    generation_tool: null,
    interfaces: { co_simulation: { interpolates_inputs: true }, model_exchange: null },
    integrators: ["fmu", "trapezoidal", "rk4"],
    inputs: [],
    outputs: [],
    parameters: [],
    continuous_states: 2,
    event_indicators: 0,
    default_experiment: { start_s: null, stop_s: null, tolerance: null, step_size_s: null },
    notes: [],
    ...part,
  };
}

export const mass = fmu("aa", "mass", {
  inputs: [port("f", "N"), port("w", "N", { start: 2 })],
  outputs: [port("x", "m"), port("v", "m/s")],
  parameters: [
    variable("m", "kg", { start: 1 }),
    variable("solid", "?", { type: "boolean", start: true }),
    variable("label", "?", { type: "string", start: "" }),
  ],
});

export const spring_mass = fmu("bb", "lib.spring_mass", {
  inputs: [port("x_in", "m"), port("v_in", "m/s"), port("w", "N")],
  outputs: [port("x", "m"), port("v", "m/s"), port("f", "N")],
});

export const fmus: Fmus = new Map([mass, spring_mass].map((one) => [one.sha256, one]));

/** Both, connected, with the mass pushed by the tests and the bond confirmed. */
export function coupled(): OwnState {
  let state = with_subsystem(with_subsystem(empty_own, mass), spring_mass);
  state = with_source(state, "s1.f", "s2.f", 0);
  state = with_source(state, "s2.x_in", "s1.x", 0);
  state = with_source(state, "s2.v_in", "s1.v", 0);
  state = with_source(state, "s1.w", "tests", 2);
  const external = { ...state.externals["s1.w"]!, minimum: "-10", maximum: "10" };
  return { ...state, externals: { "s1.w": external }, bonds: { "s1.v*s2.f": "" } };
}
