// The subsystems of the form: which FMU, under what name, with what integrators and parameters.

import type { Fmu, Variable } from "../api/fmu_api";
import { value_text } from "../fmus/fmu_variables";
import { Checks, type Errors, Field } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { Filtered } from "../parts/filtered";
import { Link } from "../parts/parts";
import { address } from "../parts/route";
import { unit_text } from "../text/format";
import { longest_name, word } from "../text/names";
import { unknown_unit } from "../text/units";
import { field_id } from "./own_job";
import { type LinearState, linear_integrators } from "./own_linear";
import { LinearFields } from "./own_linear_fields";
import type { SubsystemState } from "./own_state";

interface SubsystemProps {
  subsystem: SubsystemState;
  fmu: Fmu | undefined;
  missing: string | undefined;
  errors: Errors;
  change: (part: Partial<SubsystemState>) => void;
  on_remove: () => void;
}

export function SubsystemCard(props: SubsystemProps) {
  const { subsystem, fmu, errors, change } = props;
  const id = (name: string) => field_id("subsystem", subsystem.id, name);
  return (
    <fieldset class="card choices subsystem">
      <legend class="unseen">Subsystem {subsystem.name}</legend>
      <div class="subsystem-head">
        <p>
          {subsystem.linear ? (
            <span class="muted">Linear subsystem</span>
          ) : fmu ? (
            <>
              <Link to={address({ fmu: fmu.sha256 })}>{fmu.file_name || fmu.model_name}</Link>{" "}
              <span class="muted">
                FMI {fmu.fmi_version}, model {fmu.model_name}
              </span>
            </>
          ) : props.missing ? (
            <span class="flag">{props.missing}</span>
          ) : (
            <span class="muted">Loading …</span>
          )}
        </p>
        <button
          type="button"
          class="small"
          onClick={props.on_remove}
          aria-label={`Remove ${subsystem.name}`}
        >
          Remove
        </button>
      </div>
      <div class="columns">
        <Field id={id("name")} label="Name" errors={errors}>
          <input
            id={id("name")}
            type="text"
            value={subsystem.name}
            autocomplete="off"
            maxLength={longest_name}
            aria-invalid={errors.has(id("name"))}
            {...(errors.has(id("name")) ? { "aria-describedby": `error-${id("name")}` } : {})}
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
        </Field>
        <Field id={id("micro_step")} label="Longest micro-step h" errors={errors}>
          <NumberInput
            id={id("micro_step")}
            unit="ms"
            value={subsystem.micro_step_ms}
            placeholder="as long as H"
            wrong={errors.has(id("micro_step"))}
            on_input={(text) => change({ micro_step_ms: text })}
          />
        </Field>
      </div>
      {subsystem.linear && (
        <LinearFields
          id={subsystem.id}
          name={subsystem.name}
          linear={subsystem.linear}
          errors={errors}
          change={(part) => change(linear_change(subsystem, part))}
        />
      )}
      {fmu && (
        <>
          <Checks
            id={id("integrators")}
            legend="Integrators"
            errors={errors}
            chosen={subsystem.integrators}
            options={fmu.integrators.map((name) => ({ name, label: word(name) }))}
            on_change={(integrators) => change({ integrators })}
          />
          {subsystem.integrators.includes("fmu") && (
            <p class="muted small-print">{inputs_note(fmu)}</p>
          )}
          <Parameters {...props} fmu={fmu} />
        </>
      )}
    </fieldset>
  );
}

/** A sampled one has other integrators than a continuous one. */
function linear_change(one: SubsystemState, part: Partial<LinearState>): Partial<SubsystemState> {
  if (!one.linear) return {};
  const linear = { ...one.linear, ...part };
  const offered = linear_integrators(linear);
  if (offered.every((name) => linear_integrators(one.linear!).includes(name)) && offered.length > 1)
    return { linear };
  const left = one.integrators.filter((name) => offered.includes(name));
  return { linear, integrators: left.length > 0 ? left : offered.slice(0, 2) };
}

/** How extrapolated inputs will reach the FMU's own solver. */
function inputs_note(fmu: Fmu): string {
  const flags = fmu.interfaces.co_simulation ?? {};
  if (flags.interpolates_inputs === true)
    return "Its own solver takes the derivatives of extrapolated inputs.";
  if (flags.provides_intermediate_update === true)
    return "Its own solver asks for extrapolated inputs within a step.";
  return (
    "Its own solver takes inputs only between its steps: extrapolation of order 1 and more needs a " +
    "micro-step, in the middle of which they count."
  );
}

function Parameters(props: SubsystemProps & { fmu: Fmu }) {
  const { subsystem, fmu, errors } = props;
  const id = (name: string) => field_id("subsystem", subsystem.id, "parameter", name);
  const typed = (name: string) => (subsystem.parameters[name] ?? "").trim() !== "";
  const changed = fmu.parameters.filter(({ name }) => typed(name)).length;
  const wrong = fmu.parameters.some(({ name }) => errors.has(id(name)));
  if (fmu.parameters.length === 0) return null;
  const set = (name: string, text: string) =>
    props.change({ parameters: { ...subsystem.parameters, [name]: text } });
  return (
    <details open={wrong}>
      <summary>
        Parameters{" "}
        <span class="muted">{changed === 0 ? "all at their defaults" : `${changed} changed`}</span>
      </summary>
      <Filtered
        items={fmu.parameters}
        name_of={(one) => one.name}
        kept={({ name }) => typed(name) || errors.has(id(name))}
        noun="parameter"
        label={`Filter parameters of ${subsystem.name}`}
      >
        {(shown) => (
          <div class="columns">
            {shown.map((one) => (
              <Field
                key={one.name}
                id={id(one.name)}
                errors={errors}
                label={
                  <>
                    <code>{one.name}</code> <span class="muted">{one.description}</span>
                  </>
                }
              >
                <ParameterInput
                  id={id(one.name)}
                  parameter={one}
                  value={subsystem.parameters[one.name] ?? ""}
                  wrong={errors.has(id(one.name))}
                  on_input={(text) => set(one.name, text)}
                />
              </Field>
            ))}
          </div>
        )}
      </Filtered>
    </details>
  );
}

function ParameterInput(props: {
  id: string;
  parameter: Variable;
  value: string;
  wrong: boolean;
  on_input: (text: string) => void;
}) {
  const { id, parameter, value } = props;
  if (parameter.type === "boolean") {
    return (
      <select id={id} value={value} onChange={(event) => props.on_input(event.currentTarget.value)}>
        <option value="">default ({value_text(parameter.start)})</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  const unit = parameter.unit === unknown_unit ? "" : unit_text(parameter.unit);
  return (
    <NumberInput
      id={id}
      unit={unit}
      value={value}
      placeholder={value_text(parameter.start)}
      wrong={props.wrong}
      text={parameter.type === "string"}
      on_input={props.on_input}
    />
  );
}
