// The form of a new search for a built-in problem, with the same job as JSON beside it.
import { useEffect, useMemo, useState } from "preact/hooks";
import { fetch_search } from "../api/api";
import type { FieldError, Job, Problem } from "../api/types";
import { Link, Message, use_title } from "../parts/parts";
import { address, update_view } from "../parts/route";
import { significant } from "../text/format";
import {
  extrapolation_rank,
  group_order,
  of_group,
  test_detail,
  test_title,
  word,
} from "../text/names";
import { ExecutorField } from "./executor_field";
import { Checks, ErrorSummary, NameField, Parameters } from "./form_fields";
import { use_form_start } from "./form_start";
import { type SearchCheck, use_check } from "./job_check";
import { JobEditor, OwnProblemNote, SearchSize, use_typed } from "./job_editor";
import {
  build_job,
  errors_by_field,
  type FormState,
  fields_of,
  has_unreadable,
  initial_form,
  offered_tests_of,
  size_of,
  worded,
} from "./job_form";
import { job_again } from "./job_text";
import { LimitFields, StepFields } from "./number_fields";
import {
  Axes,
  Extrapolations,
  offered_extrapolations,
  shown_errors,
  use_submission,
} from "./submission";
import { Ways } from "./ways";

async function job_of_search(id: string): Promise<Job> {
  return job_again({ ...(await fetch_search(id)) });
}

/** `from`: a search whose job is the beginning. */
export function NewSearchPage({ problem: wanted, from }: { problem: string; from: string | null }) {
  use_title("New search");
  const { problems, start, error } = use_form_start(from, job_of_search);
  const is_own = typeof start?.problem === "object";
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
      {is_own && (
        <Message kind="note">
          That search brings its problem along:{" "}
          <Link to={address({ own: "", from })}>fill the form of one's own problem with it</Link>.
        </Message>
      )}
      {problems && problems.length > 0 && !is_own && (
        <Form key={from ?? ""} problems={problems} wanted={wanted} start={start} />
      )}
    </>
  );
}

/** The form is about `problem`; `base` is the job that it was filled from. */
interface Filled {
  problem: Problem | undefined;
  base: Job;
  form: FormState | null;
}

function filled(problem: Problem | undefined, base: Job): Filled {
  return { problem, base, form: problem ? initial_form(problem, base) : null };
}

function Form(props: { problems: Problem[]; wanted: string; start: Job | null }) {
  const { problems, wanted, start } = props;
  const named = (name: unknown) => problems.find((one) => one.name === name);
  const first = wanted === "" ? named(start?.problem ?? problems[0]?.name) : named(wanted);
  const [state, set] = useState(() =>
    filled(first, start && start.problem === first?.name ? start : (first?.job ?? {})),
  );
  const { problem, form } = state;
  const built = useMemo(
    () => (problem && form ? build_job(problem, form, state.base) : state.base),
    [state],
  );
  const { typed, job, type, forget } = use_typed(built, (read) => {
    const other = named(read.problem);
    if (!other) return; // the server's answer says so
    set(filled(other, read));
    if (other.name !== wanted) update_view({ new: other.name });
  });

  // The address may be another's: of a link, or of the browser's own buttons.
  useEffect(() => {
    if (!first || first.name === problem?.name) return;
    forget();
    set(filled(first, first.job));
  }, [first?.name]);

  const change = (part: Partial<FormState>) => {
    forget();
    set((old) => (old.form ? { ...old, form: { ...old.form, ...part } } : old));
  };
  const in_words = (errors: FieldError[]) => (form ? worded(errors, form) : errors);
  const { sent, busy, summary, on_submit } = use_submission(job, in_words);
  const unreadable = typed ? typed.job === null : form !== null && has_unreadable(form);
  const checked = use_check<SearchCheck>(unreadable || !problem ? null : job, "/searches");
  const shown = shown_errors(sent, checked, job);
  const errors = errors_by_field(shown.errors, problem ? fields_of(problem) : new Set());

  return (
    <>
      <div class="card">
        <div class="field">
          <label for="problem">Problem</label>
          <select
            id="problem"
            value={problem?.name ?? ""}
            onChange={(event) => update_view({ new: event.currentTarget.value, from: null })}
          >
            {!problem && <option value="">Choose …</option>}
            {problems.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        {problem ? (
          <p>
            {problem.description}
            {problem.source !== "" && <span class="muted block">Source: {problem.source}</span>}
          </p>
        ) : (
          <p>There is no problem “{wanted}” on this server. Choose one.</p>
        )}
      </div>
      {problem && form && (
        <form onSubmit={on_submit} noValidate class="with-job">
          <div ref={summary} tabIndex={-1} class="focus-target">
            {shown.message && (
              <ErrorSummary
                sent={{ message: shown.message, errors: shown.errors }}
                fields={errors}
              />
            )}
          </div>
          {typeof job.problem === "object" ? (
            <OwnProblemNote is_search />
          ) : (
            <div class="fields">
              <div class="card columns">
                <NameField
                  value={form.name}
                  placeholder={problem.title}
                  errors={errors}
                  on_input={(name) => change({ name })}
                />
                <ExecutorField
                  chosen={state.base.executor}
                  on_change={(executor) => {
                    forget();
                    set((old) => ({ ...old, base: { ...old.base, executor } }));
                  }}
                />
                <StepFields form={form} change={change} errors={errors} />
                <LimitFields form={form} change={change} errors={errors} />
              </div>
              <Space {...{ problem, form, errors, change }} base={state.base} />
              <Parameters problem={problem} form={form} change={change} errors={errors} />
            </div>
          )}
          <JobEditor job={job} typed={typed} errors={errors} on_type={type} />
          <div class="submit">
            <button type="submit" class="primary" disabled={busy || typed?.job === null}>
              {busy ? "Submitting …" : "Start search"}
            </button>
            <SearchSize
              job={job}
              checked={checked}
              counted={{ ...size_of(form), tests: form.tests.length }}
              blocked={unreadable ? "; some number cannot be read" : null}
            />
          </div>
        </form>
      )}
    </>
  );
}

/** The axes of the search. */
function Space(props: {
  problem: Problem;
  form: FormState;
  base: Job;
  errors: ReturnType<typeof errors_by_field>;
  change: (part: Partial<FormState>) => void;
}) {
  const { problem, form, errors, change } = props;
  return (
    <div class="card choices">
      <h2>Search space</h2>
      <Extrapolations
        names={extrapolations_of(form)}
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
            legend={`Integrators of ${of_group(group.name)}${group.micro_step_s === null ? "" : `, micro-step h ≤ ${significant(group.micro_step_s * 1e3, 3)}\u202fms`}`}
            chosen={form.integrators[group.name] ?? []}
            options={group.integrators.map((name) => ({ name, label: word(name) }))}
            on_change={(names) =>
              change({ integrators: { ...form.integrators, [group.name]: names } })
            }
          />
        ))}
      <Axes couplings={problem.couplings} chosen={form} errors={errors} change={change} />
      <Checks
        id="tests"
        legend="Test inputs"
        errors={errors}
        chosen={form.tests}
        options={offered_tests_of(problem, props.base).map((test) => ({
          name: test.name,
          label: test_title(test.name),
          note: test_detail(test),
        }))}
        on_change={(tests) => change({ tests })}
      />
    </div>
  );
}

function extrapolations_of(form: FormState): string[] {
  const names = new Set([...offered_extrapolations, ...form.extrapolation]);
  return [...names].sort((a, b) => extrapolation_rank(a) - extrapolation_rank(b));
}
