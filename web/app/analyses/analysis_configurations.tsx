// The configurations of a new analysis: one of each for a tuning, several for a map.

import type { Job, Problem } from "../api/types";
import { Checks, type Errors, Field } from "../forms/form_fields";
import { type FormState, offered_tests_of } from "../forms/job_form";
import { Axes, Extrapolations, offered_extrapolations, offered_schemes } from "../forms/submission";
import {
  extrapolation_long,
  group_order,
  of_group,
  test_detail,
  test_title,
  word,
} from "../text/names";
import type { AnalysisForm } from "./analysis_form";

/** The configurations: many of a map, one of a tuning. */
export function Configurations(props: {
  problem: Problem;
  form: AnalysisForm;
  base: Job;
  errors: Errors;
  change: (part: Partial<FormState>) => void;
}) {
  const { problem, form, errors, change } = props;
  const { space } = form;
  const groups = [...problem.groups].sort((a, b) => group_order(a.name, b.name));
  const integrators = (group: string, names: string[]) =>
    change({ integrators: { ...space.integrators, [group]: names } });
  const one = form.kind === "tune";
  return (
    <div class="card choices">
      <h2>{one ? "Configuration" : "Configurations"}</h2>
      {one ? (
        <div class="columns">
          <One
            id="extrapolation"
            label="Extrapolation of the inputs"
            names={offered_extrapolations}
            text={extrapolation_long}
            chosen={space.extrapolation}
            errors={errors}
            on_change={(extrapolation) => change({ extrapolation })}
          />
          {groups.map((group) => (
            <One
              key={group.name}
              id={`integrators:${group.name}`}
              label={`Integrator of ${of_group(group.name)}`}
              names={group.integrators}
              chosen={space.integrators[group.name] ?? []}
              errors={errors}
              on_change={(names) => integrators(group.name, names)}
            />
          ))}
          {problem.couplings.length > 1 && (
            <One
              id="couplings"
              label="Coupling variables"
              names={problem.couplings}
              chosen={space.couplings}
              errors={errors}
              on_change={(couplings) => change({ couplings })}
            />
          )}
          <One
            id="schemes"
            label="Scheme"
            names={offered_schemes}
            chosen={space.schemes}
            errors={errors}
            on_change={(schemes) => change({ schemes })}
          />
        </div>
      ) : (
        <>
          <Extrapolations
            names={offered_extrapolations}
            chosen={space.extrapolation}
            errors={errors}
            on_change={(extrapolation) => change({ extrapolation })}
          />
          {groups.map((group) => (
            <Checks
              key={group.name}
              id={`integrators:${group.name}`}
              legend={`Integrators of ${of_group(group.name)}`}
              errors={errors}
              chosen={space.integrators[group.name] ?? []}
              options={group.integrators.map((name) => ({ name, label: word(name) }))}
              on_change={(names) => integrators(group.name, names)}
            />
          ))}
          <Axes couplings={problem.couplings} chosen={space} errors={errors} change={change} />
        </>
      )}
      {(one || form.quantity === "accuracy") && (
        <Checks
          id="tests"
          legend="Test inputs"
          errors={errors}
          chosen={space.tests}
          options={offered_tests_of(problem, props.base).map((test) => ({
            name: test.name,
            label: test_title(test.name),
            note: test_detail(test),
          }))}
          on_change={(tests) => change({ tests })}
        />
      )}
    </div>
  );
}

function One(props: {
  id: string;
  label: string;
  names: string[];
  text?: (name: string) => string;
  chosen: string[];
  errors: Errors;
  on_change: (names: string[]) => void;
}) {
  const { chosen, text = word } = props;
  const names = [...new Set([...props.names, ...chosen])];
  return (
    <Field id={props.id} label={props.label} errors={props.errors}>
      <select
        id={props.id}
        value={chosen[0] ?? ""}
        onChange={(event) => props.on_change([event.currentTarget.value])}
      >
        {chosen.length === 0 && <option value="">Choose …</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {text(name)}
          </option>
        ))}
      </select>
    </Field>
  );
}
