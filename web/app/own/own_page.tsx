// The page of a new search for a problem of one's own, made of FMUs and linear subsystems.
import { useEffect, useState } from "preact/hooks";
import { fetch_search, message_of } from "../api/api";
import { type Fmu, fetch_fmu } from "../api/fmu_api";
import { job_again } from "../forms/job_text";
import { Ways } from "../forms/ways";
import { Message, use_title } from "../parts/parts";
import { OwnForm } from "./own_form";
import { from_job } from "./own_from_job";
import { empty_own, from_fragment, type OwnState, with_subsystem } from "./own_state";

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
      {start ? <OwnForm start={start.state} known={start.fmus} /> : <p class="muted">Loading …</p>}
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
