// The details of a search in the list: what is written on it, how its trials ended, what can be done.
import { useEffect, useRef, useState } from "preact/hooks";
import {
  ApiError,
  cancel,
  change_search,
  delete_search,
  fetch_curves,
  fetch_search,
  message_of,
  resume,
} from "./api";
import { ConfirmedButton } from "./confirmed_button";
import { CopyAs } from "./copy_as";
import { ExportLinks } from "./export_links";
import { count, duration } from "./format";
import { seconds_taken } from "./list_view";
import { status_words, word } from "./names";
import { Link, Message } from "./parts";
import { address } from "./route";
import { change_of, errors_on, is_same, type Written, written_on } from "./search_edit";
import { is_own, search_title } from "./titles";
import { ends_of } from "./trial_ends";
import { is_final, type Job, type Summary } from "./types";

interface Props {
  search: Summary;
  now: number;
  on_changed: () => void;
  on_deleted: () => void;
}

export function SearchPanel(props: Props) {
  return (
    <div class="panel">
      <Notes {...props} />
      <div class="panel-side">
        <Ends search={props.search} now={props.now} />
        <Actions {...props} />
      </div>
    </div>
  );
}

const words_of_fields = { name: "Name", tags: "Tags, with commas between", note: "Note" };

function Notes({ search, on_changed }: Props) {
  const [written, set_written] = useState<Written>(() => written_on(search));
  const [said, set_said] = useState("");
  const [errors, set_errors] = useState<Record<string, string[]>>({});
  const [busy, set_busy] = useState(false);
  const stored = useRef(written);
  useEffect(() => {
    // What somebody else has written is shown, unless something else is being typed.
    const before = stored.current;
    stored.current = written_on(search);
    set_written((now) => (is_same(now, before) ? written_on(search) : now));
  }, [search.name, search.note, search.tags.join(), search.priority]);
  const change = change_of(search, written);
  const waits = search.status === "queued";

  async function save(event: Event) {
    event.preventDefault();
    if (!change) return;
    set_busy(true);
    set_said("");
    try {
      set_written(written_on(await change_search(search.id, change)));
      set_errors({});
      set_said("Saved");
      on_changed();
    } catch (failure) {
      const found = failure instanceof ApiError ? failure.errors : [];
      set_errors(found.length > 0 ? errors_on(found) : { "": [message_of(failure)] });
    } finally {
      set_busy(false);
    }
  }

  const field = (name: keyof Written, label: string) => {
    const id = `${name}-${search.id}`;
    const wrong = errors[name] ?? [];
    const shared = {
      id,
      value: written[name],
      onInput: (event: { currentTarget: { value: string } }) =>
        set_written({ ...written, [name]: event.currentTarget.value }),
      ...(wrong.length > 0
        ? { "aria-invalid": true as const, "aria-describedby": `error-${id}` }
        : {}),
    };
    return (
      <div class={wrong.length > 0 ? "field wrong" : "field"}>
        <label for={id}>{label}</label>
        {name === "note" ? <textarea rows={3} {...shared} /> : <input type="text" {...shared} />}
        {wrong.length > 0 && (
          <ul class="field-errors" id={`error-${id}`}>
            {wrong.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
    );
  };

  return (
    <form class="notes" onSubmit={save} aria-label={`Notes on ${search_title(search)}`}>
      {field("name", words_of_fields.name)}
      {field("tags", words_of_fields.tags)}
      {field("note", words_of_fields.note)}
      {waits && field("priority", "Priority, −100 to 100: the highest runs first")}
      {errors[""] && <Message kind="error">{errors[""].join(" ")}</Message>}
      <div class="actions">
        <button type="submit" disabled={busy || change === null}>
          Save
        </button>
        {change && (
          <button type="button" onClick={() => set_written(written_on(search))}>
            Undo
          </button>
        )}
        <span role="status" class="muted">
          {change === null && said}
        </span>
      </div>
    </form>
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

function Actions({ search, on_changed, on_deleted }: Props) {
  const [error, set_error] = useState<string | null>(null);
  const [job, set_job] = useState<Job | null>(null);
  const title = search_title(search);
  useEffect(() => {
    fetch_search(search.id).then(
      (answer) => set_job(answer.job),
      (failure) => set_error(message_of(failure)),
    );
  }, [search.id]);

  /** Failures are shown here. */
  async function act(what: (id: string) => Promise<unknown>, done: () => void) {
    set_error(null);
    try {
      await what(search.id);
      done();
    } catch (failure) {
      set_error(message_of(failure));
    }
  }
  const may_resume = search.status === "cancelled" || search.status === "failed";
  const again = is_own(search)
    ? { own: "", from: search.id }
    : { new: search.problem, from: search.id };
  return (
    <div class="panel-actions">
      <div class="actions">
        <Link to={address(again)} class="button small">
          Duplicate and edit
        </Link>
        {may_resume && (
          <button type="button" class="small" onClick={() => act(resume, on_changed)}>
            Resume
          </button>
        )}
        {!is_final(search.status) && (
          <button type="button" class="small" onClick={() => act(cancel, on_changed)}>
            Cancel search
          </button>
        )}
        {search.status !== "running" && (
          <ConfirmedButton what={title} on_sure={() => act(delete_search, on_deleted)} />
        )}
      </div>
      {error && <Message kind="error">{error}</Message>}
      {job && <CopyAs job={job} recommended={search.recommendation ? search.id : null} />}
      <ExportLinks id={search.id} has_answer={search.recommendation !== null} />
    </div>
  );
}
