// The form of a new search for a built-in problem.
import { useEffect, useMemo, useState } from "preact/hooks";
import { fetch_problems, message_of } from "./api";
import { Checks, ErrorSummary, Field, Parameters } from "./form_fields";
import { significant } from "./format";
import {
  build_job,
  errors_by_field,
  type FormState,
  fields_of,
  initial_form,
  size_of,
  worded,
} from "./job_form";
import { extrapolation_rank, group_order, test_detail, test_title, word } from "./names";
import { ResidualLimit, StepFields } from "./number_fields";
import { JobText, Message, use_title } from "./parts";
import { update_view } from "./route";
import { Extrapolations, offered_extrapolations, Size, use_submission } from "./submission";
import type { Problem } from "./types";
import { Ways } from "./ways";

export function NewSearchPage({ problem: wanted }: { problem: string }) {
  use_title("New search");
  const [problems, set_problems] = useState<Problem[] | null>(null);
  const [error, set_error] = useState<string | null>(null);
  useEffect(() => {
    fetch_problems().then(set_problems, (failure) => set_error(message_of(failure)));
  }, []);
  const problem =
    problems?.find((one) => one.name === wanted) ?? (wanted === "" ? problems?.[0] : undefined);
  return (
    <>
      <div class="page-head">
        <h1>New search</h1>
      </div>
      <Ways current="built-in" />
      {error && <Message kind="error">{error}</Message>}
      {!problems && !error && <p class="muted">Loading …</p>}
      {problems?.length === 0 && (
        <Message kind="note">This server has no built-in problems.</Message>
      )}
      {problems && !problem && problems.length > 0 && (
        <Message kind="error">There is no problem “{wanted}” on this server. Choose one:</Message>
      )}
      {problems && problems.length > 0 && (
        <div class="card">
          <div class="field">
            <label for="problem">Problem</label>
            <select
              id="problem"
              value={problem?.name ?? ""}
              onChange={(event) => update_view({ new: event.currentTarget.value })}
            >
              {!problem && <option value="">Choose …</option>}
              {problems.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.title}
                </option>
              ))}
            </select>
          </div>
          {problem && (
            <p>
              {problem.description}
              {problem.source !== "" && <span class="muted block">Source: {problem.source}</span>}
            </p>
          )}
        </div>
      )}
      {problem && <Form key={problem.name} problem={problem} />}
    </>
  );
}

function Form({ problem }: { problem: Problem }) {
  const [form, set_form] = useState(() => initial_form(problem));
  const job = useMemo(() => build_job(problem, form), [problem, form]);
  const { sent, busy, summary, on_submit } = use_submission(job, (errors) => worded(errors, form));
  const fields = useMemo(() => fields_of(problem), [problem]);
  const errors = errors_by_field(sent.errors, fields);
  const change = (part: Partial<FormState>) => set_form((old) => ({ ...old, ...part }));

  return (
    <form onSubmit={on_submit} noValidate>
      <div ref={summary} tabIndex={-1} class="focus-target">
        {sent.message && <ErrorSummary sent={sent} fields={errors} />}
      </div>
      <div class="card columns">
        <Field id="name" label="Name" errors={errors}>
          <input
            id="name"
            type="text"
            value={form.name}
            placeholder={problem.title}
            maxLength={200}
            onInput={(e) => change({ name: e.currentTarget.value })}
          />
        </Field>
        <StepFields form={form} change={change} errors={errors} />
        <ResidualLimit form={form} change={change} errors={errors} />
      </div>
      <div class="card choices">
        <h2>Search space</h2>
        <Extrapolations
          names={extrapolations_of(problem)}
          chosen={form.extrapolation}
          errors={errors}
          on_change={(extrapolation) => change({ extrapolation })}
        />
        {[...problem.groups]
          .sort((a, b) => group_order(a.name, b.name))
          .map((group) => (
            <Checks
              key={group.name}
              id={`integrators:${group.name}`}
              errors={errors}
              legend={`Integrators of the ${word(group.name)}${group.micro_step_s === null ? "" : `, micro-step h ≤ ${significant(group.micro_step_s * 1e3, 3)}\u202fms`}`}
              chosen={form.integrators[group.name] ?? []}
              options={group.integrators.map((name) => ({ name, label: word(name) }))}
              on_change={(names) =>
                change({ integrators: { ...form.integrators, [group.name]: names } })
              }
            />
          ))}
        {problem.couplings.length > 1 && (
          <Checks
            id="couplings"
            legend="Coupling variables"
            errors={errors}
            chosen={form.couplings}
            options={problem.couplings.map((name) => ({ name, label: word(name) }))}
            on_change={(couplings) => change({ couplings })}
          />
        )}
        <Checks
          id="tests"
          legend="Test inputs"
          errors={errors}
          chosen={form.tests}
          options={(problem.job.tests ?? []).map((test) => ({
            name: test.name,
            label: test_title(test.name),
            note: test_detail(test),
          }))}
          on_change={(tests) => change({ tests })}
        />
      </div>
      <Parameters problem={problem} form={form} change={change} errors={errors} />
      <details class="card">
        <summary>Job as JSON</summary>
        <JobText job={job} />
      </details>
      <div class="submit">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? "Submitting …" : "Start search"}
        </button>
        <Size size={size_of(form)} tests={form.tests.length} />
      </div>
    </form>
  );
}

function extrapolations_of(problem: Problem): string[] {
  const names = new Set([...offered_extrapolations, ...(problem.job.search?.extrapolation ?? [])]);
  return [...names].sort((a, b) => extrapolation_rank(a) - extrapolation_rank(b));
}
