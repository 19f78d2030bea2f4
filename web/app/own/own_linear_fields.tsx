// The fields of a linear subsystem: its ports and its matrices.
import { type Errors, Field, FieldErrors } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { plural } from "../text/format";
import { field_id } from "./own_job";
import {
  type LinearPort,
  type LinearState,
  type MatrixName,
  matrix_names,
  matrix_texts,
  size_text,
} from "./own_linear";

interface Props {
  id: string; // of the subsystem
  name: string;
  linear: LinearState;
  errors: Errors;
  change: (part: Partial<LinearState>) => void;
}

export function LinearFields(props: Props) {
  const { id, linear, errors, change } = props;
  const sample_time = field_id("subsystem", id, "sample_time");
  const x0 = field_id("subsystem", id, "x0");
  const states = matrix_texts(linear.A).length;
  const sizes: Record<MatrixName, [number, number]> = {
    A: [states, states],
    B: [states, linear.inputs.length],
    C: [linear.outputs.length, states],
    D: [linear.outputs.length, linear.inputs.length],
  };
  const sampled = linear.sample_time_ms.trim() !== "";
  return (
    <>
      <Ports {...props} side="inputs" />
      <Ports {...props} side="outputs" />
      <p class="muted small-print">
        {sampled ? "At each sample the next x = A x + B u" : "ẋ = A x + B u"}, y = C x + D u:{" "}
        {plural(states, "state")}. A row per line, numbers with spaces between them.
      </p>
      <div class="matrices">
        {matrix_names.map((name) => (
          <Matrix
            key={name}
            {...{ id, linear, errors, change }}
            name={name}
            subsystem={props.name}
            size={sizes[name]}
          />
        ))}
      </div>
      <div class="columns">
        <Field id={x0} label="Initial state x₀" errors={errors}>
          <NumberInput
            id={x0}
            unit=""
            value={linear.x0}
            placeholder="zeros"
            text
            wrong={errors.has(x0)}
            on_input={(text) => change({ x0: text })}
          />
        </Field>
        <Field id={sample_time} label="Sample time of a controller" errors={errors}>
          <NumberInput
            id={sample_time}
            unit="ms"
            value={linear.sample_time_ms}
            placeholder="none: continuous"
            wrong={errors.has(sample_time)}
            on_input={(text) => change({ sample_time_ms: text })}
          />
        </Field>
      </div>
    </>
  );
}

function Matrix(
  props: Omit<Props, "name"> & { name: MatrixName; subsystem: string; size: [number, number] },
) {
  const { name, linear, errors, size } = props;
  const id = field_id("subsystem", props.id, name);
  const wanted = `${size[0]} × ${size[1]}`;
  const found = size_text(linear[name]);
  const is_left_out = name === "D" && linear.D.trim() === "";
  const fits = is_left_out || found === wanted;
  const hint = `hint-${id}`;
  const wrong = errors.has(id);
  return (
    <Field
      id={id}
      errors={errors}
      label={
        <>
          {name}
          <span class="unseen"> of {props.subsystem}</span>
        </>
      }
    >
      <textarea
        id={id}
        class="matrix"
        rows={Math.min(8, Math.max(2, size[0]))}
        spellcheck={false}
        autocomplete="off"
        value={linear[name]}
        placeholder={name === "D" ? "zeros" : ""}
        aria-invalid={wrong || !fits}
        aria-describedby={wrong ? `${hint} error-${id}` : hint}
        onInput={(event) => props.change({ [name]: event.currentTarget.value })}
      />
      <small class={fits ? "muted" : "flag"} id={hint}>
        {is_left_out ? `${wanted}, zeros` : fits ? found : `${found}, not ${wanted}`}
      </small>
    </Field>
  );
}

function Ports(props: Props & { side: "inputs" | "outputs" }) {
  const { linear, side, errors, change } = props;
  const ports = linear[side];
  const id = field_id("subsystem", props.id, side);
  const one = side === "inputs" ? "Input" : "Output";
  const set = (n: number, part: Partial<LinearPort>) =>
    change({ [side]: ports.map((port, at) => (at === n ? { ...port, ...part } : port)) });
  return (
    <fieldset id={`field-${id}`} class={errors.has(id) ? "wrong" : ""}>
      <legend>
        {one}s {side === "inputs" ? "u" : "y"}
      </legend>
      <ol class="ports">
        {ports.map((port, n) => (
          <li key={n}>
            <PortField
              label={`${one} ${n + 1} of ${props.name}`}
              placeholder="name"
              value={port.name}
              on_input={(name) => set(n, { name })}
            />
            <PortField
              label={`Unit of ${one.toLowerCase()} ${n + 1} of ${props.name}`}
              placeholder="unit"
              value={port.unit}
              on_input={(unit) => set(n, { unit })}
            />
            {side === "outputs" && (
              <PortField
                label={`Usual size of output ${n + 1} of ${props.name}`}
                placeholder="usual size"
                value={port.nominal}
                on_input={(nominal) => set(n, { nominal })}
              />
            )}
            <button
              type="button"
              class="small"
              aria-label={`Remove ${one.toLowerCase()} ${n + 1} of ${props.name}`}
              onClick={() => change({ [side]: ports.filter((_, at) => at !== n) })}
            >
              Remove
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="small"
        onClick={() => change({ [side]: [...ports, { name: "", unit: "", nominal: "" }] })}
      >
        Add an {one.toLowerCase()}
      </button>
      <FieldErrors id={id} errors={errors} />
    </fieldset>
  );
}

function PortField(props: {
  label: string;
  placeholder: string;
  value: string;
  on_input: (text: string) => void;
}) {
  return (
    <input
      type="text"
      autocomplete="off"
      aria-label={props.label}
      placeholder={props.placeholder}
      value={props.value}
      onInput={(event) => props.on_input(event.currentTarget.value)}
    />
  );
}
