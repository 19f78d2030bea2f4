// The details of a search in the list: what is written on it, how its trials ended, what can be done.
import { useEffect, useState } from "preact/hooks";
import { fetch_curves, fetch_search, message_of } from "../../api/api";
import type { Job, Summary } from "../../api/types";
import { CopyAs } from "../../parts/copy_as";
import { ExportLinks } from "../../parts/export_links";
import { Message } from "../../parts/parts";
import { count, duration } from "../../text/format";
import { status_words, word } from "../../text/names";
import { seconds_taken } from "./list_view";
import { SearchActions } from "./search_actions";
import { SearchNotes } from "./search_notes";
import { ends_of } from "./trial_ends";

interface Props {
  search: Summary;
  now: number;
  on_changed: () => void;
  on_deleted: () => void;
}

export function SearchPanel(props: Props) {
  return (
    <div class="panel">
      <SearchNotes {...props} />
      <div class="panel-side">
        <Ends search={props.search} now={props.now} />
        <div class="panel-actions">
          <SearchActions {...props} />
          <Copies search={props.search} />
        </div>
      </div>
    </div>
  );
}

function Ends({ search, now }: { search: Summary; now: number }) {
  const [ends, set_ends] = useState<[string, number][] | null>(null);
  const [error, set_error] = useState<string | null>(null);
  useEffect(() => {
    fetch_curves(search.id).then(
      (curves) => set_ends(ends_of(curves)),
      (failure) => set_error(message_of(failure)),
    );
  }, [search.id, search.status]);
  const seconds = seconds_taken(search, now);
  return (
    <div>
      <h2>How the trials ended</h2>
      {error && <Message kind="error">{error}</Message>}
      {!ends && !error && <p class="muted">Loading …</p>}
      {ends?.length === 0 && <p class="muted">No trials yet.</p>}
      {ends && ends.length > 0 && (
        <dl class="ends">
          {ends.map(([status, number]) => (
            <div key={status}>
              <dt>{status_words[status] ?? word(status)}</dt>
              <dd class="number">{count(number)}</dd>
            </div>
          ))}
        </dl>
      )}
      {seconds !== null && (
        <p class="muted">
          {search.status === "running" ? "Running for" : "It took"} {duration(seconds)}.
        </p>
      )}
    </div>
  );
}

function Copies({ search }: { search: Summary }) {
  const [error, set_error] = useState<string | null>(null);
  const [job, set_job] = useState<Job | null>(null);
  useEffect(() => {
    fetch_search(search.id).then(
      (answer) => set_job(answer.job),
      (failure) => set_error(message_of(failure)),
    );
  }, [search.id]);
  return (
    <>
      {error && <Message kind="error">{error}</Message>}
      {job && <CopyAs job={job} recommended={search.recommendation ? search.id : null} />}
      <ExportLinks id={search.id} has_answer={search.recommendation !== null} />
    </>
  );
}
