// Two FMUs that fit each other, for the mock server: listed, read, "uploaded" and deleted.
const variable = (name, unit, start = null) => ({
  name,
  description: null,
  type: "float64",
  array: false,
  unit,
  declared_unit: unit,
  start,
  nominal: null,
  minimum: null,
  maximum: null,
});
const port = (name, unit) => ({
  ...variable(name, unit, 0),
  continuous: true,
  connectable: true,
});

const common = {
  model_identifier: "mock",
  needs_execution_tool: false,
  only_one_instance_per_process: false,
  can_get_and_set_state: true,
};

function fmu(digit, model_name, inputs, outputs, parameters) {
  return {
    sha256: digit.repeat(64),
    file_name: `${model_name}.fmu`,
    size_bytes: 16137,
    uploaded_at: new Date().toISOString(),
    model_name,
    description: null,
    fmi_version: "2.0",
    generation_tool: "mock server",
    interfaces: {
      co_simulation: { ...common, interpolates_inputs: true, fixed_internal_step_s: null },
      model_exchange: { ...common, needs_completed_integrator_step: false },
    },
    integrators: ["fmu", "trapezoidal", "forward_euler", "rk4", "cvode"],
    inputs,
    outputs,
    parameters,
    continuous_states: 2,
    event_indicators: 0,
    default_experiment: { start_s: 0, stop_s: 1, tolerance: null, step_size_s: 0.001 },
    notes: [],
  };
}

const stored = new Map(
  [
    fmu(
      "a",
      "mass",
      [port("f", "N"), port("w", "N")],
      [port("x", "m"), port("v", "m/s")],
      [variable("m", "kg", 1), variable("k", "N/m", 1000)],
    ),
    fmu(
      "b",
      "spring_mass",
      [port("x_in", "m"), port("v_in", "m/s"), port("w", "N")],
      [port("x", "m"), port("v", "m/s"), port("f", "N")],
      [variable("k_c", "N/m", 1e5)],
    ),
  ].map((one) => [one.sha256, one]),
);

const row = ({ interfaces, ...one }) => ({
  sha256: one.sha256,
  file_name: one.file_name,
  model_name: one.model_name,
  fmi_version: one.fmi_version,
  interfaces: Object.keys(interfaces),
  size_bytes: one.size_bytes,
  uploaded_at: one.uploaded_at,
});

/** [status, body, title of a problem] */
export function answer(method, sha256, name, body) {
  if (sha256 === undefined && method === "POST") {
    if (!body.startsWith("PK"))
      return [422, { detail: "the file is not a zip archive" }, "The FMU cannot be used"];
    const added = { ...stored.values().next().value, file_name: name, size_bytes: body.length };
    added.sha256 = "c".repeat(64);
    stored.set(added.sha256, added);
    return [201, added];
  }
  if (sha256 === undefined)
    return [200, { fmus: [...stored.values()].reverse().map(row), next: null }];
  const found = stored.get(sha256);
  if (!found) return [404, { detail: sha256 }, "No such FMU"];
  if (method !== "DELETE") return [200, found];
  stored.delete(sha256);
  return [204, null];
}
