// The numbers of the new-search form: the scan in H, the limits.
import type { ComponentChildren } from "preact";
import { type Errors, Field, FieldErrors } from "./form_fields";
import type { ScanState } from "./job_form";
import { NumberInput } from "./number_input";

export function StepFields(props: {
  placeholder?: string;
  form: ScanState;
  change: (part: Partial<ScanState>) => void;
  errors: Errors;
}) {
  const steps: [
    "initial" | "increment" | "maximum",
    "initial_ms" | "increment_ms" | "maximum_ms",
    string,
  ][] = [
    ["initial", "initial_ms", "First H"],
    ["increment", "increment_ms", "Increment of H"],
    ["maximum", "maximum_ms", "Largest H"],
  ];
  return (
    <>
      {steps.map(([id, member, label]) => (
        <Field key={id} id={id} label={label} errors={props.errors}>
          <NumberInput
            id={id}
            unit="ms"
            value={props.form[member]}
            placeholder={props.placeholder ?? ""}
            wrong={props.errors.has(id)}
            on_input={(text) => props.change({ [member]: text })}
          />
        </Field>
      ))}
    </>
  );
}

/** What bounds H beside the scan: nothing, where the paper's own answer is asked for. */
export function LimitFields(props: {
  form: ScanState;
  change: (part: Partial<ScanState>) => void;
  errors: Errors;
}) {
  return (
    <>
      <PaperField {...props} />
      {!props.form.paper && <Limits {...props} />}
    </>
  );
}

export function PaperField(props: {
  form: ScanState;
  change: (part: Partial<ScanState>) => void;
  errors: Errors;
}) {
  return (
    <fieldset
      id="field-preset"
      class={props.errors.has("preset") ? "wrong whole-row" : "whole-row"}
    >
      <legend>Answer</legend>
      <label class="check">
        <input
          type="checkbox"
          name="preset"
          checked={props.form.paper}
          onChange={(event) => props.change({ paper: event.currentTarget.checked })}
        />
        <span>
          The paper’s own answer
          <small class="muted">
            {" "}
            The smallest row of the table, by the residual alone (Rahikainen, González and Naya
            2019; <code>preset</code> in the job). Nothing is verified.
          </small>
        </span>
      </label>
      <FieldErrors id="preset" errors={props.errors} />
    </fieldset>
  );
}

function Limits(props: {
  form: ScanState;
  change: (part: Partial<ScanState>) => void;
  errors: Errors;
}) {
  const { form, change, errors } = props;
  return (
    <>
      <LimitField
        id="accuracy"
        label="Accuracy wanted"
        unit="%"
        value={form.accuracy_percent}
        errors={errors}
        on_input={(text) => change({ accuracy_percent: text })}
      >
        Largest error of the exchanged outputs as a share of how far they move (NRMSE,{" "}
        <code>accuracy</code> in the job, where 0.05 is 5 %). Runs with a quarter of H tell it.
        Empty: stable is enough.
      </LimitField>
      <LimitField
        id="relative_residual_max"
        label="Largest relative residual"
        unit=""
        value={form.relative_residual_max}
        errors={errors}
        on_input={(text) => change({ relative_residual_max: text })}
      >
        Residual energy over the energy transmitted (<code>relative_residual_max</code> in the job):
        0.01: one percent of the energy transmitted. Empty: no limit, H is stable only.
      </LimitField>
      <LimitField
        id="real_time"
        label="Real time: share of H"
        unit="%"
        value={form.real_time_percent}
        errors={errors}
        on_input={(text) => change({ real_time_percent: text })}
      >
        For a rig (<code>real_time</code> in the job, where 0.8 is 80 %): 99.9 % of the macro-steps
        take at most this share of H, as measured on the server. Empty: no limit.
      </LimitField>
    </>
  );
}

/** A number that may be left out, with its explanation. */
function LimitField(props: {
  id: string;
  label: string;
  unit: string;
  value: string;
  errors: Errors;
  on_input: (text: string) => void;
  children: ComponentChildren;
}) {
  const { id, errors } = props;
  const hint = `hint-${id}`;
  return (
    <Field id={id} label={props.label} errors={errors} whole_row>
      <NumberInput
        id={id}
        unit={props.unit}
        value={props.value}
        placeholder="no limit"
        wrong={errors.has(id)}
        hint={hint}
        on_input={props.on_input}
      />
      <small class="muted" id={hint}>
        {props.children}
      </small>
    </Field>
  );
}
