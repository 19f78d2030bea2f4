// The form of a new analysis: a map over two parameters, or a tuning of the energy correction.
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  fetch_analysis,
  type MapCheck,
  submit_analysis,
  type TuneCheck,
} from "../api/analysis_api";
import type { Job, Problem } from "../api/types";
import { ErrorSummary, Field, NameField, Parameters } from "../forms/form_fields";
import { use_form_start } from "../forms/form_start";
import { type Checked, use_check } from "../forms/job_check";
import { JobEditor, OwnProblemNote, use_typed } from "../forms/job_editor";
import { errors_by_field, worded_by } from "../forms/job_form";
import { shown_errors, use_submission } from "../forms/submission";
import { Message, use_title } from "../parts/parts";
import { address, update_view } from "../parts/route";
import { count, plural } from "../text/format";
import { Configurations } from "./analysis_configurations";
import { AxisFields, StepsFields, TuneFields } from "./analysis_fields";
import {
  type AnalysisForm,
  analysis_form,
  build_analysis,
  field_of_analysis,
  fields_of_analysis,
  has_unreadable,
  one_configuration,
  typed_at_analysis,
} from "./analysis_form";

const first_problem = "stiff_oscillator"; // a linear one: its stability can be computed

async function job_of_analysis(id: string): Promise<Job> {
  return (await fetch_analysis(id)).job;
}

export function NewAnalysisPage({ route }: { route: URLSearchParams }) {
  use_title("New analysis");
  const wanted = route.get("analyse") ?? "";
  const from = route.get("from");
  const { problems, start, error } = use_form_start(from, job_of_analysis);
  return (
    <>
      <div class="page-head">
        <h1>New analysis</h1>
      </div>
      {error && <Message kind="error">{error}</Message>}
      {!problems && !error && <p class="muted">Loading …</p>}
      {problems && problems.length > 0 && (
        <Form key={from ?? ""} {...{ problems, wanted, start }} kind={route.get("kind")} />
      )}
    </>
  );
}

interface Filled {
  problem: Problem;
  base: Job;
  form: AnalysisForm;
}

function filled(problem: Problem, base: Job): Filled {
  return { problem, base, form: analysis_form(problem, base) };
}

function of_kind(form: AnalysisForm, kind: "map" | "tune"): AnalysisForm {
  const space = kind === "tune" ? one_configuration(form.space) : form.space;
  return { ...form, kind, space };
}

async function send(job: Job, key: string): Promise<string> {
  return address({ analysis: (await submit_analysis(job, key)).id });
}

function Form(props: {
  problems: Problem[];
  wanted: string;
  start: Job | null;
  kind: string | null;
}) {
  const { problems, wanted, start } = props;
  const named = (name: unknown) => problems.find((one) => one.name === name);
  const first = named(wanted) ?? named(start?.problem) ?? named(first_problem) ?? problems[0]!;
  const [state, set] = useState(() => {
    const begun = filled(first, start?.problem === first.name ? start : {});
    return props.kind === "tune" ? { ...begun, form: of_kind(begun.form, "tune") } : begun;
  });
  const { problem, form } = state;
  const built = useMemo(() => build_analysis(problem, form, state.base), [state]);
  const fill = (read: Job) => {
    const other = named(read.problem);
    if (other) set(filled(other, read));
    if (other && other.name !== wanted) update_view({ analyse: other.name });
  };
  const own = start && typeof start.problem === "object" ? start : null;
  const { typed, job, type, forget } = use_typed(built, fill, own);
  const is_own = typeof job.problem === "object";
  useEffect(() => {
    if (first.name === problem.name) return;
    forget();
    set({ ...filled(first, {}), form: of_kind(analysis_form(first, {}), form.kind) });
  }, [first.name]);

  const change = (part: Partial<AnalysisForm>) => {
    forget();
    set((old) => ({ ...old, form: { ...old.form, ...part } }));
  };
  const change_space = (part: Partial<AnalysisForm["space"]>) => {
    forget();
    set((old) => ({ ...old, form: { ...old.form, space: { ...old.form.space, ...part } } }));
  };
  const { sent, busy, summary, on_submit } = use_submission(
    job,
    (errors) => worded_by(errors, (pointer) => typed_at_analysis(pointer, form)),
    send,
  );
  const unreadable = typed ? typed.job === null : has_unreadable(form);
  const checked = use_check<MapCheck | TuneCheck>(unreadable ? null : job, "/analyses");
  const shown = shown_errors(sent, checked, job);
  const errors = errors_by_field(
    shown.errors,
    fields_of_analysis(problem, form),
    field_of_analysis,
  );

  return (
    <form onSubmit={on_submit} noValidate class="with-job">
      <div ref={summary} tabIndex={-1} class="focus-target">
        {shown.message && (
          <ErrorSummary sent={{ message: shown.message, errors: shown.errors }} fields={errors} />
        )}
      </div>
      <div class="fields">
        <div class="card columns">
          <Field id="problem" label="Problem" errors={errors}>
            <select
              id="problem"
              value={is_own ? "" : problem.name}
              onChange={(event) => {
                forget();
                update_view({ analyse: event.currentTarget.value, from: null });
              }}
            >
              {is_own && <option value="">its own</option>}
              {problems.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.title}
                </option>
              ))}
            </select>
          </Field>
          {!is_own && (
            <>
              {" "}
              <Field id="kind" label="Kind" errors={errors}>
                <select
                  id="kind"
                  value={form.kind}
                  onChange={(event) =>
                    change(of_kind(form, event.currentTarget.value === "tune" ? "tune" : "map"))
                  }
                >
                  <option value="map">Map over two parameters</option>
                  <option value="tune">Tuning of the energy correction</option>
                </select>
              </Field>
              <NameField
                value={form.space.name}
                placeholder={problem.title}
                errors={errors}
                on_input={(name) => change_space({ name })}
              />
            </>
          )}
        </div>
        {is_own ? (
          <OwnProblemNote />
        ) : form.kind === "map" ? (
          <>
            <AxisFields {...{ problem, form, change, errors }} axis="x" />
            <AxisFields {...{ problem, form, change, errors }} axis="y" />
            <StepsFields {...{ form, change, errors }} tests={job.tests ?? []} />
          </>
        ) : (
          <TuneFields {...{ form, change, errors }} />
        )}
        {!is_own && (
          <>
            <Configurations
              {...{ problem, form, errors }}
              base={state.base}
              change={change_space}
            />
            <Parameters problem={problem} form={form.space} change={change_space} errors={errors} />
          </>
        )}
      </div>
      <JobEditor job={job} typed={typed} errors={errors} on_type={type} />
      <div class="submit">
        <button type="submit" class="primary" disabled={busy || typed?.job === null}>
          {busy ? "Submitting …" : form.kind === "map" ? "Compute the map" : "Start the tuning"}
        </button>
        <p class="muted size" role="status">
          {unreadable ? "Some number cannot be read." : size_text(job, checked)}
        </p>
      </div>
    </form>
  );
}

/** What the server says that it stands for. */
function size_text(job: Job, checked: Checked<MapCheck | TuneCheck>): string {
  if (checked.job !== job) return "…";
  if (checked.message !== null) return checked.message;
  const { answer } = checked;
  if (!answer) return `${plural(checked.errors.length, "mistake")} to fix`;
  if (!("estimate" in answer)) return "One configuration, tuned in all its tests";
  const { values, macro_steps_max } = answer.estimate;
  const steps = values / (answer.configurations * answer.points);
  const runs = macro_steps_max === null ? "" : `; at most ${count(macro_steps_max)} macro-steps`;
  return `${plural(answer.configurations, "configuration")} × ${plural(steps, "macro-step size")} × ${plural(answer.points, "point")} = ${plural(values, "value")}${runs}`;
}
