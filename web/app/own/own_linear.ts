// Linear subsystems of the form: matrices as text, and the ports that connections know them by.
import type { Fmu, Port } from "../api/fmu_api";
import { number_or_null } from "../forms/job_form";
import { is_object } from "../forms/job_text";

export interface LinearPort {
  name: string;
  unit: string;
  nominal: string; // of an output: the size of its usual values; empty: the server's
}

export const matrix_names = ["A", "B", "C", "D"] as const;
export type MatrixName = (typeof matrix_names)[number];

/** A row per line, numbers with spaces between them, as typed. */
export interface LinearState extends Record<MatrixName, string> {
  x0: string;
  sample_time_ms: string; // empty: continuous
  inputs: LinearPort[];
  outputs: LinearPort[];
}

/** Two masses, the first with the spring between both: to be connected, and changed. */
export const first_linear: LinearState[] = [
  {
    A: "0 1\n-1010 -1.1",
    B: "0 0 0\n1000 1 1",
    C: "1000 1",
    D: "-1000 -1 0",
    x0: "",
    sample_time_ms: "",
    inputs: [
      { name: "x", unit: "m", nominal: "" },
      { name: "v", unit: "m/s", nominal: "" },
      { name: "w", unit: "N", nominal: "" },
    ],
    outputs: [{ name: "f", unit: "N", nominal: "10" }],
  },
  {
    A: "0 1\n-1000 -1",
    B: "0\n1",
    C: "1 0\n0 1",
    D: "",
    x0: "",
    sample_time_ms: "",
    inputs: [{ name: "f", unit: "N", nominal: "" }],
    outputs: [
      { name: "x", unit: "m", nominal: "0.01" },
      { name: "v", unit: "m/s", nominal: "0.1" },
    ],
  },
];

const continuous_integrators = ["trapezoidal", "exact", "forward_euler", "rk4", "cvode"];
const nothing_to_choose = ["exact"];

/** Outputs follow inputs at once: y = D u. */
function is_without_state(linear: LinearState): boolean {
  return [linear.A, linear.B, linear.C].every((matrix) => matrix.trim() === "");
}

export function linear_integrators(linear: LinearState): string[] {
  const continuous = linear.sample_time_ms.trim() === "" && !is_without_state(linear);
  return continuous ? continuous_integrators : nothing_to_choose;
}

/** "1 2\n3 4", "1, 2; 3, 4" → [["1", "2"], ["3", "4"]] */
export function matrix_texts(text: string): string[][] {
  return text
    .split(/\n|;/)
    .map((row) => row.split(/\s+|,(?=\s|$)/).filter((one) => one !== ""))
    .filter((row) => row.length > 0);
}

export function matrix_of(text: string): (number | null)[][] {
  return matrix_texts(text).map((row) => row.map(number_or_null));
}

/** "2 × 3"; rows of different lengths: "2 rows" */
export function size_text(text: string): string {
  const rows = matrix_texts(text);
  const columns = rows[0]?.length ?? 0;
  const even = rows.every((row) => row.length === columns);
  return even ? `${rows.length} × ${columns}` : `${rows.length} rows of different lengths`;
}

function port_json(port: LinearPort) {
  return {
    name: port.name,
    ...(port.unit.trim() === "" ? {} : { unit: port.unit.trim() }),
    ...(port.nominal.trim() === "" ? {} : { nominal: number_or_null(port.nominal) }),
  };
}

export function linear_json(linear: LinearState) {
  const sample_time = number_or_null(linear.sample_time_ms);
  const seconds = sample_time === null ? null : Number((sample_time / 1e3).toPrecision(12));
  const states = {
    A: matrix_of(linear.A),
    B: matrix_of(linear.B),
    C: matrix_of(linear.C),
  };
  return {
    ...(is_without_state(linear) ? {} : states),
    ...(linear.D.trim() === "" ? {} : { D: matrix_of(linear.D) }),
    ...(linear.x0.trim() === "" ? {} : { x0: matrix_of(linear.x0).flat() }),
    inputs: linear.inputs.map(port_json),
    outputs: linear.outputs.map(port_json),
    ...(linear.sample_time_ms.trim() === "" ? {} : { sample_time_s: seconds }),
  };
}

/** The text of a matrix in a job, which is rows, a number, or a text as of MATLAB. */
function rows_text(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return value
      .trim()
      .replace(/^\[|\]$/g, "")
      .replace(/ *[;\n] */g, "\n")
      .trim();
  if (!Array.isArray(value)) return "";
  return value.map((row) => (Array.isArray(row) ? row.map(String).join(" ") : "")).join("\n");
}

function ports_of(value: unknown): LinearPort[] {
  const text = (one: unknown) => (one === undefined || one === null ? "" : String(one));
  return (Array.isArray(value) ? value : []).filter(is_object).map((port) => ({
    name: text(port.name),
    unit: text(port.unit),
    nominal: text(port.nominal),
  }));
}

/** The fields of the form for `state_space` in a job. */
export function linear_of(value: unknown): LinearState {
  const space = is_object(value) ? value : {};
  const sample_time = space.sample_time_s;
  return {
    A: rows_text(space.A),
    B: rows_text(space.B),
    C: rows_text(space.C),
    D: rows_text(space.D),
    x0: (Array.isArray(space.x0) ? space.x0.map(String).join(" ") : rows_text(space.x0)).replace(
      /\n/g,
      " ",
    ),
    sample_time_ms:
      typeof sample_time === "number" ? String(Number((sample_time * 1e3).toPrecision(12))) : "",
    inputs: ports_of(space.inputs),
    outputs: ports_of(space.outputs),
  };
}

/** What a fragment of the address says of it, as far as it can be understood. */
export function restored_linear(value: unknown): LinearState | undefined {
  if (!is_object(value)) return undefined;
  const text = (one: unknown) => (typeof one === "string" ? one : "");
  return {
    A: text(value.A),
    B: text(value.B),
    C: text(value.C),
    D: text(value.D),
    x0: text(value.x0),
    sample_time_ms: text(value.sample_time_ms),
    inputs: ports_of(value.inputs),
    outputs: ports_of(value.outputs),
  };
}

export function linear_key(id: string): string {
  return `linear:${id}`;
}

function as_port({ name, unit }: LinearPort): Port {
  return {
    name,
    description: null,
    type: "float64",
    array: false,
    unit: unit.trim() === "" ? "1" : unit.trim(),
    declared_unit: null,
    start: 0,
    nominal: null,
    minimum: null,
    maximum: null,
    continuous: true,
    connectable: name !== "",
  };
}

/** As the rest of the form looks at subsystems: by ports and integrators, like an FMU. */
export function as_fmu(id: string, name: string, linear: LinearState): Fmu {
  return {
    sha256: linear_key(id),
    file_name: "",
    model_name: name,
    fmi_version: "",
    size_bytes: 0,
    uploaded_at: "",
    description: null,
    generation_tool: null,
    interfaces: { co_simulation: null, model_exchange: null },
    integrators: linear_integrators(linear),
    inputs: linear.inputs.map(as_port),
    outputs: linear.outputs.map(as_port),
    parameters: [],
    continuous_states: matrix_texts(linear.A).length,
    event_indicators: 0,
    default_experiment: { start_s: null, stop_s: null, tolerance: null, step_size_s: null },
    notes: [],
  };
}

/** Fields of a linear subsystem, beside those of every subsystem. */
export const linear_fields = [...matrix_names, "x0", "sample_time", "inputs", "outputs"];

/** The first text of a matrix or vector that is no number. */
export function unreadable_in(text: string): string | undefined {
  return matrix_texts(text)
    .flat()
    .find((one) => number_or_null(one) === null);
}
