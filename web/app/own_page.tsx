// The form of a new search for a problem of one's own, made of FMUs and linear subsystems.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetch_search, message_of } from "./api";
import { type Fmu, fetch_fmu } from "./fmu_api";
import { ErrorSummary, Field, FieldErrors } from "./form_fields";
import { type SearchCheck, use_check } from "./job_check";
import { JobEditor, SearchSize, use_typed } from "./job_editor";
import { errors_by_field, size_of, worded_by } from "./job_form";
import { has_null, job_again } from "./job_text";
import { longest_name } from "./names";
import { LimitFields, StepFields } from "./number_fields";
import { AddSubsystem } from "./own_add";
import { Bonds } from "./own_bonds";
import { Connections } from "./own_connections";
import { use_fmus } from "./own_fmus";
import { fits_form, from_job } from "./own_from_job";
import {
  build_own_job,
  field_of_own,
  fields_of_own,
  typed_at_own,
  with_linear_models,
} from "./own_job";
import { confirmed_bonds, externals_of } from "./own_ports";
import {
  axes_of,
  empty_own,
  from_fragment,
  type OwnState,
  type SubsystemState,
  to_fragment,
  with_axes,
  with_linear,
  with_subsystem,
  with_usual,
  without_subsystem,
} from "./own_state";
import { SubsystemCard } from "./own_subsystems";
import { Tests } from "./own_test_fields";
import { Message, use_title } from "./parts";
import {
  Axes,
  Extrapolations,
  offered_extrapolations,
  shown_errors,
  use_submission,
} from "./submission";
import { Ways } from "./ways";

/** `first`: an FMU to begin with; `from`: a search whose job is the beginning. */
export function OwnPage({ first, from }: { first: string; from: string | null }) {
  use_title("New search");
  const [start, set_start] = useState<{ state: OwnState; fmus: Fmu[] } | null>(null);
  const [error, set_error] = useState<string | null>(null);
  useEffect(() => {
    first_state(first, from).then(set_start, (failure) => {
      set_error(message_of(failure));
      set_start({ state: empty_own, fmus: [] });
    });
  }, []);
  return (
    <>
      <div class="page-head">
        <h1>New search</h1>
      </div>
      <Ways current="own" />
      {error && <Message kind="error">{error}</Message>}
      {start ? <Form start={start.state} known={start.fmus} /> : <p class="muted">Loading …</p>}
    </>
  );
}

/** What the address holds goes before where the page was called from. */
async function first_state(first: string, from: string | null) {
  const kept = from_fragment(location.hash);
  if (kept.subsystems.length > 0) return { state: kept, fmus: [] };
  if (from !== null)
    return { state: from_job(job_again({ ...(await fetch_search(from)) })), fmus: [] };
  if (first === "") return { state: kept, fmus: [] };
  const fmu = await fetch_fmu(first);
  return { state: with_subsystem(kept, fmu), fmus: [fmu] };
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

function Form({ start, known }: { start: OwnState; known: Fmu[] }) {
  const [state, set_state] = useState(start);
  const write = use_fragment(state);
  const {
    fmus: fetched,
    missing,
    know,
  } = use_fmus(state.subsystems.filter((one) => !one.linear).map((one) => one.fmu));
  const fmus = useMemo(() => with_linear_models(state, fetched), [state.subsystems, fetched]);
  useEffect(() => {
    for (const fmu of known) know(fmu);
  }, []);
  useEffect(() => {
    set_state((old) => with_usual(old, fmus));
  }, [state.subsystems, fmus]);

  const built = useMemo(() => build_own_job(state, fmus), [state, fmus]);
  const { typed, job, type, forget } = use_typed(built, (read) => {
    if (fits_form(read)) set_state(from_job(read));
  });
  const set = (next: (old: OwnState) => OwnState) => {
    forget();
    set_state(next);
  };
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
  const change = (part: Partial<OwnState>) => set((old) => ({ ...old, ...part }));
  const change_subsystem = (id: string, part: Partial<SubsystemState>) =>
    set((old) => ({
      ...old,
      subsystems: old.subsystems.map((one) => (one.id === id ? { ...one, ...part } : one)),
    }));
  const externals = externals_of(state, fmus);
  const tests = job.tests?.length ?? 0;
  const axes = axes_of(state.rest);

  function add(fmu: Fmu) {
    know(fmu);
    set((old) => with_subsystem(old, fmu));
  }

  return (
    <form
      onSubmit={(event) => {
        write();
        submitted.current = state;
        on_submit(event);
      }}
      onFocusOut={write}
      noValidate
      class="with-job"
    >
      <div ref={summary} tabIndex={-1} class="focus-target">
        {shown.message && (
          <ErrorSummary sent={{ message: shown.message, errors: shown.errors }} fields={errors} />
        )}
      </div>
      <div class="fields">
        <section aria-labelledby="subsystems-title" id="field-subsystems">
          <h2 id="subsystems-title">Subsystems</h2>
          <FieldErrors id="subsystems" errors={errors} />
          {state.subsystems.map((one) => (
            <SubsystemCard
              key={one.id}
              subsystem={one}
              fmu={fmus.get(one.fmu)}
              missing={missing.get(one.fmu)}
              errors={errors}
              change={(part) => change_subsystem(one.id, part)}
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
        {state.subsystems.length > 0 && (
          <>
            <Connections state={state} fmus={fmus} errors={errors} set={set} />
            <Bonds state={state} fmus={fmus} errors={errors} change={change} />
            <section aria-labelledby="space-title">
              <h2 id="space-title">Search</h2>
              <div class="card columns">
                <Field id="name" label="Name" errors={errors}>
                  <input
                    id="name"
                    type="text"
                    value={state.name}
                    placeholder="Own problem"
                    maxLength={longest_name}
                    onInput={(event) => change({ name: event.currentTarget.value })}
                  />
                </Field>
                <StepFields form={state} change={change} errors={errors} />
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
                  chosen={axes}
                  errors={errors}
                  change={(part) => change({ rest: with_axes(state.rest, part) })}
                />
                <Tests
                  tests={state.tests}
                  has_externals={externals.length > 0}
                  errors={errors}
                  on_change={(changed) => change({ tests: changed })}
                />
              </div>
            </section>
          </>
        )}
      </div>
      <JobEditor job={job} typed={typed} errors={errors} on_type={type} />
      {state.subsystems.length > 0 && (
        <div class="submit">
          <button type="submit" class="primary" disabled={busy || typed?.job === null}>
            {busy ? "Submitting …" : "Start search"}
          </button>
          <SearchSize
            job={job}
            checked={checked}
            counted={{
              ...size_of({
                ...state,
                couplings: [],
                integrators: job.search?.integrators ?? {},
                tests: (job.tests ?? []).map((one) => one.name),
              }),
              tests,
            }}
            blocked={unreadable ? "; some number cannot be read" : waiting ? "" : null}
          />
        </div>
      )}
    </form>
  );
}
