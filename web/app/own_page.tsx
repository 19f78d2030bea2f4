// The form of a new search for a problem of one's own, made of FMUs.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetch_search, message_of } from "./api";
import { type Fmu, fetch_fmu } from "./fmu_api";
import { ErrorSummary, Field, FieldErrors } from "./form_fields";
import { errors_by_field, size_of, worded_by } from "./job_form";
import { ResidualLimit, StepFields } from "./number_fields";
import { AddSubsystem } from "./own_add";
import { Bonds } from "./own_bonds";
import { Connections } from "./own_connections";
import { use_fmus } from "./own_fmus";
import { from_job } from "./own_from_job";
import { build_own_job, field_of_own, fields_of_own, typed_at_own } from "./own_job";
import { externals_of } from "./own_ports";
import {
  empty_own,
  from_fragment,
  type OwnState,
  type SubsystemState,
  to_fragment,
  with_subsystem,
  without_subsystem,
} from "./own_state";
import { SubsystemCard } from "./own_subsystems";
import { Tests } from "./own_test_fields";
import { JobText, Message, use_title } from "./parts";
import { Extrapolations, offered_extrapolations, Size, use_submission } from "./submission";
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
  if (from !== null) return { state: from_job((await fetch_search(from)).job), fmus: [] };
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
  const [state, set] = useState(start);
  const write = use_fragment(state);
  const { fmus, missing, know } = use_fmus(state.subsystems.map((one) => one.fmu));
  useEffect(() => {
    for (const fmu of known) know(fmu);
  }, []);

  const job = useMemo(() => build_own_job(state, fmus), [state, fmus]);
  const { sent, busy, summary, on_submit } = use_submission(job, (errors) =>
    worded_by(errors, (pointer) => typed_at_own(pointer, state, fmus)),
  );
  const submitted = useRef(state); // what the pointers of its answer count
  const errors = errors_by_field(sent.errors, fields_of_own(state, fmus), (pointer) =>
    field_of_own(pointer, submitted.current, fmus),
  );
  const change = (part: Partial<OwnState>) => set((old) => ({ ...old, ...part }));
  const change_subsystem = (id: string, part: Partial<SubsystemState>) =>
    set((old) => ({
      ...old,
      subsystems: old.subsystems.map((one) => (one.id === id ? { ...one, ...part } : one)),
    }));
  const externals = externals_of(state, fmus);
  const tests = job.tests?.length ?? 0;

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
    >
      <div ref={summary} tabIndex={-1} class="focus-target">
        {sent.message && <ErrorSummary sent={sent} fields={errors} />}
      </div>
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
        <AddSubsystem on_add={add} is_first={state.subsystems.length === 0} />
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
                  maxLength={200}
                  onInput={(event) => change({ name: event.currentTarget.value })}
                />
              </Field>
              <StepFields form={state} change={change} errors={errors} />
              <ResidualLimit form={state} change={change} errors={errors} />
            </div>
            <div class="card choices">
              <Extrapolations
                names={offered_extrapolations}
                chosen={state.extrapolation}
                errors={errors}
                on_change={(extrapolation) => change({ extrapolation })}
              />
              <Tests
                tests={state.tests}
                has_externals={externals.length > 0}
                errors={errors}
                on_change={(changed) => change({ tests: changed })}
              />
            </div>
          </section>
          <details class="card">
            <summary>Job as JSON</summary>
            <JobText job={job} />
          </details>
          <div class="submit">
            <button type="submit" class="primary" disabled={busy}>
              {busy ? "Submitting …" : "Start search"}
            </button>
            <Size
              size={size_of({
                ...state,
                couplings: [],
                integrators: job.search?.integrators ?? {},
                tests: (job.tests ?? []).map((one) => one.name),
              })}
              tests={tests}
            />
          </div>
        </>
      )}
    </form>
  );
}
