// The form of a new search for a built-in problem.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, fetch_problems, message_of, submit } from "./api";
import { Checks, ErrorSummary, Field, Parameters } from "./form_fields";
import { count, significant } from "./format";
import {
  build_job,
  errors_by_field,
  type FormState,
  fields_of,
  initial_form,
  size_of,
  worded,
} from "./job_form";
import {
  extrapolation_long,
  extrapolation_note,
  extrapolation_rank,
  extrapolation_short,
  group_order,
  test_detail,
  test_title,
  word,
} from "./names";
import { ResidualLimit, StepFields } from "./number_fields";
import { JobText, Message, use_title } from "./parts";
import { address, navigate, update_view } from "./route";
import type { FieldError, Problem } from "./types";

const offered_extrapolations = ["0", "1", "2", "3", "4", "i1", "i2"];

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

interface Sent {
  message: string | null;
  errors: FieldError[];
}

function new_key(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function Form({ problem }: { problem: Problem }) {
  const [form, set_form] = useState(() => initial_form(problem));
  const [sent, set_sent] = useState<Sent>({ message: null, errors: [] });
  const [busy, set_busy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const job = useMemo(() => build_job(problem, form), [problem, form]);
  const key = useMemo(new_key, [job]); // a changed job is another submission
  const fields = useMemo(() => fields_of(problem), [problem]);
  const errors = errors_by_field(sent.errors, fields);
  const change = (part: Partial<FormState>) => set_form((old) => ({ ...old, ...part }));

  async function on_submit(event: Event) {
    event.preventDefault();
    set_busy(true);
    try {
      const answer = await submit(job, key);
      navigate(address({ search: answer.id }));
    } catch (failure) {
      set_sent({
        message: message_of(failure),
        errors: failure instanceof ApiError ? worded(failure.errors, form) : [],
      });
      set_busy(false);
      // Bring the reason into view, whatever part of the form is on the screen.
      requestAnimationFrame(() => summary.current?.focus());
    }
  }

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
        <Checks
          id="extrapolation"
          legend="Extrapolation of the inputs"
          errors={errors}
          chosen={form.extrapolation}
          options={extrapolations_of(problem).map((name) => ({
            name,
            label: extrapolation_short(name),
            title: extrapolation_long(name),
            note: extrapolation_note(name),
          }))}
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
        <Size form={form} />
      </div>
    </form>
  );
}

function extrapolations_of(problem: Problem): string[] {
  const names = new Set([...offered_extrapolations, ...(problem.job.search?.extrapolation ?? [])]);
  return [...names].sort((a, b) => extrapolation_rank(a) - extrapolation_rank(b));
}

function Size({ form }: { form: FormState }) {
  const size = size_of(form);
  return (
    <p class="muted" role="status">
      {count(size.configurations)} configurations × {count(form.tests.length)} tests ={" "}
      {count(size.curves)} curves
      {size.trials !== null && `, at most ${count(size.trials)} trials`}
    </p>
  );
}
