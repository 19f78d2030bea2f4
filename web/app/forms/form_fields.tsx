// The fields of the new-search form, each with the server's errors beside it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { FieldError, Parameter, Problem } from "../api/types";
import { Message } from "../parts/parts";
import { as_sentence, readable_numbers, typed, unit_text } from "../text/format";
import { longest_name } from "../text/names";
import { build_job, type FormState } from "./job_form";
import { NumberInput } from "./number_input";

export type Errors = Map<string, FieldError[]>;

export function ErrorSummary({
  sent,
  fields,
}: {
  sent: { message: string | null; errors: FieldError[] };
  fields: Errors;
}) {
  const entries = [...fields].flatMap(([field, list]) => list.map((error) => ({ field, error })));
  return (
    <Message kind="error">
      <p>
        <b>{sent.message}</b>
      </p>
      {entries.length > 0 && (
        <ul>
          {entries.map(({ field, error }, n) => (
            <li key={n}>
              {field === "" ? (
                <code>{error.pointer || "/"}</code>
              ) : (
                <a href={`#field-${field}`} onClick={(e) => show_field(e, field)}>
                  {error.pointer}
                </a>
              )}
              : {readable_numbers(error.detail)}
            </li>
          ))}
        </ul>
      )}
    </Message>
  );
}

function show_field(event: Event, field: string) {
  event.preventDefault();
  const element = document.getElementById(`field-${field}`);
  element?.closest("details")?.setAttribute("open", "");
  element?.scrollIntoView({ block: "center" });
  element?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}

export function FieldErrors({ id, errors }: { id: string; errors: Errors }) {
  const list = errors.get(id);
  if (!list) return null;
  return (
    <ul class="field-errors" id={`error-${id}`}>
      {list.map((error, n) => (
        <li key={n}>{as_sentence(error.detail)}</li>
      ))}
    </ul>
  );
}

export function Field(props: {
  id: string;
  label: ComponentChildren;
  errors: Errors;
  whole_row?: boolean;
  children: ComponentChildren;
}) {
  const wrong = props.errors.has(props.id) ? " wrong" : "";
  const row = props.whole_row ? " whole-row" : "";
  return (
    <div class={`field${wrong}${row}`} id={`field-${props.id}`}>
      <label for={props.id}>{props.label}</label>
      {props.children}
      <FieldErrors id={props.id} errors={props.errors} />
    </div>
  );
}

/** What a search or an analysis is to be called. */
export function NameField(props: {
  value: string;
  placeholder: string; // what it is called without one
  errors: Errors;
  on_input: (name: string) => void;
}) {
  return (
    <Field id="name" label="Name" errors={props.errors}>
      <input
        id="name"
        type="text"
        value={props.value}
        placeholder={props.placeholder}
        maxLength={longest_name}
        onInput={(event) => props.on_input(event.currentTarget.value)}
      />
    </Field>
  );
}

interface Option {
  name: string;
  label: string;
  title?: string;
  note?: string;
}

export function Checks(props: {
  id: string;
  legend: string;
  options: Option[];
  chosen: string[];
  errors: Errors;
  on_change: (names: string[]) => void;
}) {
  // The order of the options, not of the clicks, so that equal choices make equal jobs.
  const toggle = (name: string, on: boolean) =>
    props.on_change(
      props.options
        .map((one) => one.name)
        .filter((one) => (one === name ? on : props.chosen.includes(one))),
    );
  return (
    <fieldset id={`field-${props.id}`} class={props.errors.has(props.id) ? "wrong" : ""}>
      <legend>{props.legend}</legend>
      <div class="checks">
        {props.options.map((option) => (
          <label key={option.name} class="check" title={option.title ?? ""}>
            <input
              type="checkbox"
              name={props.id}
              value={option.name}
              checked={props.chosen.includes(option.name)}
              onChange={(event) => toggle(option.name, event.currentTarget.checked)}
            />
            <span>
              {option.label}
              {option.note && <small class="muted"> {option.note}</small>}
            </span>
          </label>
        ))}
      </div>
      <FieldErrors id={props.id} errors={props.errors} />
    </fieldset>
  );
}

export function Parameters(props: {
  problem: Problem;
  form: FormState;
  change: (part: Partial<FormState>) => void;
  errors: Errors;
}) {
  const { problem, form, errors } = props;
  const [open, set_open] = useState(false);
  const wrong = problem.parameters.some((one) => errors.has(`parameter:${one.path}`));
  const changed = Object.keys(build_job(problem, form).parameters ?? {}).length;
  if (problem.parameters.length === 0) return null;
  return (
    <details
      class="card"
      open={open || wrong}
      onToggle={(event) => set_open(event.currentTarget.open)}
    >
      <summary>
        Parameters{" "}
        <span class="muted">{changed === 0 ? "all at their defaults" : `${changed} changed`}</span>
      </summary>
      <div class="columns">
        {problem.parameters.map((parameter) => {
          const id = `parameter:${parameter.path}`;
          return (
            <Field
              key={id}
              id={id}
              errors={errors}
              label={
                <>
                  <code>{parameter.path}</code> <span class="muted">{parameter.description}</span>
                </>
              }
            >
              <NumberInput
                id={id}
                unit={unit_text(parameter.unit)}
                value={form.parameters[parameter.path] ?? ""}
                placeholder={typed(parameter.default)}
                wrong={errors.has(id)}
                on_input={(text) =>
                  props.change({ parameters: { ...form.parameters, [parameter.path]: text } })
                }
              />
              <small class="muted">{range_text(parameter)}</small>
            </Field>
          );
        })}
      </div>
    </details>
  );
}

function range_text(parameter: Parameter): string {
  const { minimum, maximum } = parameter;
  const unit = unit_text(parameter.unit);
  const end = unit === "" ? "" : ` ${unit}`;
  if (minimum !== null && maximum !== null) return `${typed(minimum)} to ${typed(maximum)}${end}`;
  if (minimum !== null) return `at least ${typed(minimum)}${end}`;
  return maximum !== null ? `at most ${typed(maximum)}${end}` : "";
}
