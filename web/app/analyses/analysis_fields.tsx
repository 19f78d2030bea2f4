// The fields of the form of a new analysis.

import type { Problem, Test } from "../api/types";
import { type Errors, Field } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { unit_text } from "../text/format";
import { test_title } from "../text/names";
import type { AnalysisForm, AxisForm } from "./analysis_form";
import { usual_axis } from "./analysis_form";

type Change = (part: Partial<AnalysisForm>) => void;

export function AxisFields(props: {
  axis: "x" | "y";
  problem: Problem;
  form: AnalysisForm;
  change: Change;
  errors: Errors;
}) {
  const { axis, problem, errors } = props;
  const state = props.form[axis];
  const set = (part: Partial<AxisForm>) => props.change({ [axis]: { ...state, ...part } });
  const found = problem.parameters.find((one) => one.path === state.parameter);
  const unit = unit_text(found?.unit ?? "");
  const id = (name: string) => `${axis}:${name}`;
  const numbers: ["minimum" | "maximum" | "count", string][] = [
    ["minimum", "From"],
    ["maximum", "To"],
    ["count", "Values"],
  ];
  return (
    <fieldset class="card axis">
      <legend>{axis === "x" ? "Across (x)" : "Upwards (y)"}</legend>
      <div class="columns narrow">
        <Field id={id("parameter")} label="Parameter" errors={errors} whole_row>
          <select
            id={id("parameter")}
            value={state.parameter}
            onChange={(event) => {
              const path = event.currentTarget.value;
              set(usual_axis(problem.parameters.find((one) => one.path === path)));
            }}
          >
            {!found && <option value={state.parameter}>{state.parameter || "Choose …"}</option>}
            {problem.parameters.map((one) => (
              <option key={one.path} value={one.path}>
                {one.path} – {one.description}
              </option>
            ))}
          </select>
        </Field>
        {numbers.map(([name, label]) => (
          <Field key={name} id={id(name)} label={label} errors={errors}>
            <NumberInput
              id={id(name)}
              unit={name === "count" ? "" : unit}
              value={state[name]}
              wrong={errors.has(id(name))}
              on_input={(typed) => set({ [name]: typed })}
            />
          </Field>
        ))}
        <Field id={id("scale")} label="Scale" errors={errors}>
          <select
            id={id("scale")}
            value={state.scale}
            onChange={(event) => set({ scale: event.currentTarget.value })}
          >
            <option value="log">logarithmic</option>
            <option value="linear">linear</option>
          </select>
        </Field>
      </div>
    </fieldset>
  );
}

export function StepsFields(props: {
  form: AnalysisForm;
  change: Change;
  errors: Errors;
  tests: Test[];
}) {
  const { form, change, errors } = props;
  const number = (
    id: "first_ms" | "last_ms" | "steps" | "error_max",
    label: string,
    unit: string,
  ) => (
    <Field id={id} label={label} errors={errors}>
      <NumberInput
        id={id}
        unit={unit}
        value={form[id]}
        wrong={errors.has(id)}
        on_input={(typed) => change({ [id]: typed })}
      />
    </Field>
  );
  return (
    <fieldset class="card axis">
      <legend>What is computed at each point</legend>
      <div class="columns narrow">
        <Field id="quantity" label="Quantity" errors={errors} whole_row>
          <select
            id="quantity"
            value={form.quantity}
            onChange={(event) => change({ quantity: event.currentTarget.value })}
          >
            <option value="stability">stability: spectral radius of one macro-step</option>
            <option value="accuracy">accuracy: error against the monolithic solution</option>
          </select>
        </Field>
        <Field id="listed" label="Macro-steps H" errors={errors}>
          <select
            id="listed"
            value={form.listed ? "list" : "range"}
            onChange={(event) => change({ listed: event.currentTarget.value === "list" })}
          >
            <option value="range">a range</option>
            <option value="list">a list</option>
          </select>
        </Field>
        {form.listed ? (
          <Field id="first_ms" label="All H" errors={errors}>
            <NumberInput
              id="first_ms"
              unit="ms"
              value={form.steps_ms}
              placeholder="as 0.1 1 10"
              text
              wrong={errors.has("first_ms")}
              on_input={(typed) => change({ steps_ms: typed })}
            />
          </Field>
        ) : (
          <>
            {number("first_ms", "First H", "ms")}
            {number("last_ms", "Largest H", "ms")}
            {number("steps", "Number of H", "")}
          </>
        )}
        {form.quantity === "accuracy" && (
          <>
            {number("error_max", "Largest error (NRMSE)", "")}
            <Field id="test" label="Test" errors={errors}>
              <select
                id="test"
                value={form.test}
                onChange={(event) => change({ test: event.currentTarget.value })}
              >
                <option value="">the first</option>
                {props.tests.map((one) => (
                  <option key={one.name} value={one.name}>
                    {test_title(one.name)}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
      </div>
    </fieldset>
  );
}

export function TuneFields(props: { form: AnalysisForm; change: Change; errors: Errors }) {
  const { form, change, errors } = props;
  return (
    <div class="card columns">
      <Field id="tune_ms" label="Macro-step H" errors={errors}>
        <NumberInput
          id="tune_ms"
          unit="ms"
          value={form.tune_ms}
          wrong={errors.has("tune_ms")}
          on_input={(typed) => change({ tune_ms: typed })}
        />
      </Field>
      <Field id="objective" label="Objective" errors={errors}>
        <select
          id="objective"
          value={form.objective}
          onChange={(event) => change({ objective: event.currentTarget.value })}
        >
          <option value="">the first that is known</option>
          <option value="energy_deviation">deviation from the monolithic solution</option>
          <option value="interface_energy">energy at the interface</option>
        </select>
      </Field>
    </div>
  );
}
