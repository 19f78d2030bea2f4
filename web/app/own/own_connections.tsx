// The inputs of all subsystems and what each follows: an output in its unit, the tests, or nothing.

import type { Port } from "../api/fmu_api";
import { shown_unit, value_text } from "../fmus/fmu_variables";
import { type Errors, Field, FieldErrors } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { Filtered } from "../parts/filtered";
import { field_id } from "./own_job";
import {
  type Fmus,
  fitting_sources,
  inputs_of,
  misfit,
  type OwnPort,
  outputs_of,
} from "./own_ports";
import { by_tests, type ExternalState, type OwnState, with_source } from "./own_state";

interface Props {
  state: OwnState;
  fmus: Fmus;
  errors: Errors;
  set: (change: (old: OwnState) => OwnState) => void;
}

export function Connections(props: Props) {
  const { state, fmus, errors, set } = props;
  const inputs = inputs_of(state, fmus);
  const outputs = outputs_of(state, fmus);
  const fitting = fitting_sources(state, fmus);
  const more = Object.keys(fitting).length - Object.keys(state.sources).length;
  const has_source = (one: OwnPort) => state.sources[one.key] !== undefined;
  return (
    <section aria-labelledby="connections-title" id="field-connections">
      <h2 id="connections-title">Connections</h2>
      <FieldErrors id="connections" errors={errors} />
      <p class="muted prose">
        Every input follows an output of another subsystem, or the tests drive it; the rest keep
        their start values.{" "}
        {more > 0 && (
          <button
            type="button"
            class="small"
            onClick={() => set((old) => ({ ...old, sources: fitting_sources(old, fmus) }))}
          >
            Connect what fits by unit and name ({more})
          </button>
        )}
      </p>
      <Filtered
        items={inputs}
        name_of={(one) => `${one.subsystem.name}.${one.port.name}`}
        kept={has_source}
        noun="input"
        label="Filter inputs by name"
      >
        {(shown) => (
          <table class="list connections">
            <thead>
              <tr>
                <th scope="col">Input</th>
                <th scope="col">Unit</th>
                <th scope="col">Follows</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((input) => (
                <Row key={input.key} {...props} input={input} outputs={outputs} />
              ))}
            </tbody>
          </table>
        )}
      </Filtered>
    </section>
  );
}

function Row(props: Props & { input: OwnPort; outputs: OwnPort[] }) {
  const { state, errors, set, input, outputs } = props;
  const id = field_id("source", input.key);
  const source = state.sources[input.key] ?? "";
  const output = outputs.find((one) => one.key === source);
  const wrong = output ? misfit(input.port, output.port) : "";
  const title = `${input.subsystem.name}.${input.port.name}`;
  return (
    <tr>
      <th scope="row" data-label="Input">
        <span>
          <code>{title}</code>
          {input.port.description && <span class="muted block">{input.port.description}</span>}
        </span>
      </th>
      <td data-label="Unit">
        <span>{shown_unit(input.port.unit) || "–"}</span>
      </td>
      <td data-label="Follows">
        <div class={`field${errors.has(id) || wrong ? " wrong" : ""}`} id={`field-${id}`}>
          <select
            id={id}
            value={source}
            aria-label={`Source of ${title}`}
            aria-invalid={errors.has(id) || wrong !== ""}
            {...(errors.has(id) ? { "aria-describedby": `error-${id}` } : {})}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              set((old) => with_source(old, input.key, chosen, input.port.start));
            }}
          >
            <option value="">
              {input.subsystem.linear
                ? "nothing yet"
                : `its start value (${start_text(input.port)})`}
            </option>
            <option value={by_tests}>the tests (external input)</option>
            {source !== "" && source !== by_tests && !output && (
              <option value={source}>an output that is not there</option>
            )}
            {props.state.subsystems
              .filter((one) => one.id !== input.subsystem.id)
              .map((one) => (
                <Outputs
                  key={one.id}
                  label={one.name}
                  input={input.port}
                  chosen={source}
                  outputs={outputs.filter((output) => output.subsystem.id === one.id)}
                />
              ))}
          </select>
          {wrong && <small class="flag">Does not fit: {wrong}.</small>}
          <FieldErrors id={id} errors={errors} />
        </div>
        {source === by_tests && <External {...props} title={title} />}
      </td>
    </tr>
  );
}

/** The outputs of one subsystem: those that fit first, the others with the reason. */
function Outputs(props: { label: string; input: Port; chosen: string; outputs: OwnPort[] }) {
  const judged = props.outputs.map((output) => ({ output, why: misfit(props.input, output.port) }));
  const sorted = [
    ...judged.filter((one) => one.why === ""),
    ...judged.filter((one) => one.why !== ""),
  ];
  return (
    <optgroup label={props.label}>
      {sorted.map(({ output, why }) => (
        <option
          key={output.key}
          value={output.key}
          disabled={why !== "" && props.chosen !== output.key}
        >
          {props.label}.{output.port.name}
          {why !== "" ? ` – ${why}` : output.port.unit === "?" ? " – unit unknown" : ""}
        </option>
      ))}
    </optgroup>
  );
}

function start_text(port: Port): string {
  return port.start === null ? "not given" : value_text(port.start);
}

const numbers: ["initial" | "minimum" | "maximum", string][] = [
  ["initial", "Before the test"],
  ["minimum", "Minimum"],
  ["maximum", "Maximum"],
];

function External(props: Props & { input: OwnPort; title: string }) {
  const { state, errors, set, input, title } = props;
  const external = state.externals[input.key];
  if (!external) return null;
  const change = (part: Partial<ExternalState>) =>
    set((old) => ({
      ...old,
      externals: { ...old.externals, [input.key]: { ...external, ...part } },
    }));
  const sampling = field_id("external", input.key, "sampling");
  return (
    <div class="columns narrow" role="group" aria-label={`Range of ${title}`}>
      {numbers.map(([member, label]) => {
        const id = field_id("external", input.key, member);
        return (
          <Field key={id} id={id} label={label} errors={errors}>
            <NumberInput
              id={id}
              unit={input.port.unit === "?" ? "" : shown_unit(input.port.unit)}
              value={external[member]}
              wrong={errors.has(id)}
              on_input={(text) => change({ [member]: text })}
            />
          </Field>
        );
      })}
      <Field id={sampling} label="Within a macro-step" errors={errors}>
        <select
          id={sampling}
          value={external.sampling}
          onChange={(event) => change({ sampling: event.currentTarget.value })}
        >
          <option value="continuous">continuous</option>
          <option value="held">held</option>
        </select>
      </Field>
    </div>
  );
}
