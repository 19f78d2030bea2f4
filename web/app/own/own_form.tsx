// The form of a problem of one's own: what it knows of its subsystems and its job, and its parts.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Fmu } from "../api/fmu_api";
import type { Job } from "../api/types";
import { use_fmus } from "../api/wanted_fmus";
import { ExecutorField } from "../forms/executor_field";
import { ErrorSummary, type Errors, FieldErrors, NameField } from "../forms/form_fields";
import { type SearchCheck, use_check } from "../forms/job_check";
import { JobEditor, SearchSize, use_typed } from "../forms/job_editor";
import { errors_by_field, size_of, worded_by } from "../forms/job_form";
import { has_null } from "../forms/job_text";
import { LimitFields, StepFields } from "../forms/number_fields";
import {
  Axes,
  Extrapolations,
  offered_extrapolations,
  shown_errors,
  use_submission,
} from "../forms/submission";
import { AddSubsystem } from "./own_add";
import { Bonds } from "./own_bonds";
import { Connections } from "./own_connections";
import { fits_form, from_job } from "./own_from_job";
import {
  build_own_job,
  field_of_own,
  fields_of_own,
  typed_at_own,
  with_linear_models,
} from "./own_job";
import { confirmed_bonds, externals_of, type Fmus } from "./own_ports";
import {
  axes_of,
  executor_of,
  type OwnState,
  type SubsystemState,
  to_fragment,
  with_axes,
  with_executor,
  with_linear,
  with_subsystem,
  with_usual,
  without_subsystem,
} from "./own_state";
import { SubsystemCard } from "./own_subsystems";
import { Tests } from "./own_test_fields";

type Change = (next: (old: OwnState) => OwnState) => void;

/** `known`: FMUs of the start that need not be fetched. */
export function OwnForm(props: { start: OwnState; known: Fmu[] }) {
  const [state, set_state] = useState(props.start);
  const write = use_fragment(state);
  const { fmus, missing, know } = use_models(state, props.known);
  useEffect(() => {
    set_state((old) => with_usual(old, fmus));
  }, [state.subsystems, fmus]);
  const built = useMemo(() => build_own_job(state, fmus), [state, fmus]);
  const { typed, job, type, forget } = use_typed(built, (read) => {
    if (fits_form(read)) set_state(from_job(read));
  });
  const set: Change = (next) => {
    forget();
    set_state(next);
  };
  const judged = use_judged(state, fmus, job, typed);
  const { errors, shown } = judged;
  return (
    <form
      onSubmit={(event) => {
        write();
        judged.on_submit(event);
      }}
      onFocusOut={write}
      noValidate
      class="with-job"
    >
      <div ref={judged.summary} tabIndex={-1} class="focus-target">
        {shown.message && (
          <ErrorSummary sent={{ message: shown.message, errors: shown.errors }} fields={errors} />
        )}
      </div>
      <div class="fields">
        <Subsystems {...{ state, fmus, missing, know, errors, set }} />
        {state.subsystems.length > 0 && <Problem {...{ state, fmus, errors, set }} />}
      </div>
      <JobEditor job={job} typed={typed} errors={errors} on_type={type} />
      {state.subsystems.length > 0 && (
        <div class="submit">
          <button type="submit" class="primary" disabled={judged.busy || typed?.job === null}>
            {judged.busy ? "Submitting …" : "Start search"}
          </button>
          <SearchSize
            job={job}
            checked={judged.checked}
            counted={counted(state, job)}
            blocked={judged.blocked}
          />
        </div>
      )}
    </form>
  );
}

const fragment_delay_ms = 250; // browsers refuse hundreds of changes of the address

/** The address follows the form, so that reload, back and a copied link find it as it was. */
function use_fragment(state: OwnState): () => void {
  const latest = useRef(state);
  latest.current = state;
  const write = () =>
    history.replaceState(
      null,
      "",
      location.pathname + location.search + to_fragment(latest.current),
    );
  useEffect(() => {
    const timer = setTimeout(write, fragment_delay_ms);
    return () => clearTimeout(timer);
  }, [state]);
  return write;
}

/** What is known of the subsystems: their FMUs, and their matrices taken as such. */
function use_models(state: OwnState, known: Fmu[]) {
  const wanted = state.subsystems.filter((one) => !one.linear).map((one) => one.fmu);
  const { fmus: fetched, missing, know } = use_fmus(wanted);
  const fmus = useMemo(() => with_linear_models(state, fetched), [state.subsystems, fetched]);
  useEffect(() => {
    for (const fmu of known) know(fmu);
  }, []);
  return { fmus, missing, know };
}

/** What the server says of the job: when it is submitted, and by a dry run while it is typed. */
function use_judged(
  state: OwnState,
  fmus: Fmus,
  job: Job,
  typed: { job: Job | null } | null, // beside the form; its job is null where it is no JSON
) {
  const { sent, busy, summary, on_submit } = use_submission(job, (errors) =>
    worded_by(errors, (pointer) => typed_at_own(pointer, state, fmus)),
  );
  const submitted = useRef(state); // what the pointers of its answer count
  const is_sent = sent.job === job;
  // Until something is coupled there is nothing to ask about.
  const waiting =
    state.subsystems.some((one) => !fmus.has(one.fmu)) ||
    (confirmed_bonds(state, fmus).length === 0 && state.kept.bonds.length === 0);
  const unreadable = typed ? typed.job === null : has_null(job.problem) || has_null(job.tests);
  const checked = use_check<SearchCheck>(
    (waiting && !typed) || unreadable ? null : job,
    "/searches",
  );
  const shown = shown_errors(sent, checked, job);
  const errors = errors_by_field(shown.errors, fields_of_own(state, fmus), (pointer) =>
    field_of_own(pointer, is_sent ? submitted.current : state, fmus),
  );
  return {
    busy,
    summary,
    checked,
    shown,
    errors,
    blocked: unreadable ? "; some number cannot be read" : waiting ? "" : null,
    on_submit: (event: Event) => {
      submitted.current = state;
      on_submit(event);
    },
  };
}

function counted(state: OwnState, job: Job) {
  const tests = (job.tests ?? []).map((one) => one.name);
  const integrators = job.search?.integrators ?? {};
  return { ...size_of({ ...state, couplings: [], integrators, tests }), tests: tests.length };
}

interface PartProps {
  state: OwnState;
  fmus: Fmus;
  errors: Errors;
  set: Change;
}

function Subsystems(
  props: PartProps & { missing: ReadonlyMap<string, string>; know: (fmu: Fmu) => void },
) {
  const { state, fmus, errors, set } = props;
  const change = (id: string, part: Partial<SubsystemState>) =>
    set((old) => ({
      ...old,
      subsystems: old.subsystems.map((one) => (one.id === id ? { ...one, ...part } : one)),
    }));
  function add(fmu: Fmu) {
    props.know(fmu);
    set((old) => with_subsystem(old, fmu));
  }
  return (
    <section aria-labelledby="subsystems-title" id="field-subsystems">
      <h2 id="subsystems-title">Subsystems</h2>
      <FieldErrors id="subsystems" errors={errors} />
      {state.subsystems.map((one) => (
        <SubsystemCard
          key={one.id}
          subsystem={one}
          fmu={fmus.get(one.fmu)}
          missing={props.missing.get(one.fmu)}
          errors={errors}
          change={(part) => change(one.id, part)}
          on_remove={() => {
            set((old) => without_subsystem(old, one.id));
            document.getElementById("add-fmu")?.focus(); // the button is gone
          }}
        />
      ))}
      <AddSubsystem
        on_add={add}
        on_linear={() => set(with_linear)}
        is_first={state.subsystems.length === 0}
      />
    </section>
  );
}

/** How the subsystems are coupled, and what is searched. */
function Problem({ state, fmus, errors, set }: PartProps) {
  const change = (part: Partial<OwnState>) => set((old) => ({ ...old, ...part }));
  return (
    <>
      <Connections state={state} fmus={fmus} errors={errors} set={set} />
      <Bonds state={state} fmus={fmus} errors={errors} change={change} />
      <section aria-labelledby="space-title">
        <h2 id="space-title">Search</h2>
        <div class="card columns">
          <NameField
            value={state.name}
            placeholder="Own problem"
            errors={errors}
            on_input={(name) => change({ name })}
          />
          <ExecutorField
            chosen={executor_of(state.rest)}
            on_change={(choice) => change({ rest: with_executor(state.rest, choice) })}
          />
          <StepFields placeholder="from the problem" form={state} change={change} errors={errors} />
          <LimitFields form={state} change={change} errors={errors} />
        </div>
        <div class="card choices">
          <Extrapolations
            names={offered_extrapolations}
            chosen={state.extrapolation}
            errors={errors}
            on_change={(extrapolation) => change({ extrapolation })}
          />
          <Axes
            couplings={[]}
            chosen={axes_of(state.rest)}
            errors={errors}
            change={(part) => change({ rest: with_axes(state.rest, part) })}
          />
          <Tests
            tests={state.tests}
            has_externals={externals_of(state, fmus).length > 0}
            errors={errors}
            on_change={(tests) => change({ tests })}
          />
        </div>
      </section>
    </>
  );
}
