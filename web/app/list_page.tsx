// All searches, newest first, each with its answer.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { cancel, fetch_searches, message_of } from "./api";
import { open_stream } from "./events";
import { as_sentence, count, milliseconds } from "./format";
import { configuration_short } from "./names";
import { Age, Link, Message, ProgressBar, StatusPill, use_now, use_title } from "./parts";
import { address } from "./route";
import type { Action } from "./search_state";
import { name_adds, problem_title, search_title } from "./titles";
import type { Summary } from "./types";

const refetch_delay_ms = 300; // a burst of events becomes one request

export function ListPage({ after }: { after: string | null }) {
  use_title("Searches");
  const now = use_now(10_000);
  const [searches, set_searches] = useState<Summary[] | null>(null);
  const [next, set_next] = useState<string | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  const refresh = useCallback(() => {
    if (timer.current !== null) return;
    timer.current = setTimeout(async () => {
      timer.current = null;
      await load();
    }, refetch_delay_ms);
  }, [after]);

  async function load() {
    try {
      const answer = await fetch_searches(after);
      set_searches(answer.searches);
      set_next(answer.next);
      set_error(null);
    } catch (problem) {
      set_error(message_of(problem));
    }
  }

  useEffect(() => {
    const known = new Set<string>();
    function on_event(action: Action) {
      if (action.kind === "finished" || action.kind === "changed") refresh();
      if (action.kind !== "status" && action.kind !== "points") return;
      if (!known.has(action.search)) {
        known.add(action.search);
        refresh(); // perhaps a new one
      }
      set_searches((list) => list?.map((one) => updated(one, action)) ?? null);
    }
    load();
    const close = open_stream(null, { event: on_event, connection: () => {}, refresh });
    return () => {
      close();
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    };
  }, [after]);

  async function stop(id: string) {
    try {
      await cancel(id);
      refresh();
    } catch (problem) {
      set_error(message_of(problem));
    }
  }

  return (
    <>
      <div class="page-head">
        <h1>Searches</h1>
        <Link to="/?new=" class="button primary">
          New search
        </Link>
      </div>
      {error && <Message kind="error">{error}</Message>}
      {searches === null && !error && <p class="muted">Loading …</p>}
      {searches?.length === 0 && <Empty />}
      {searches && searches.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Search</th>
              <th scope="col">State</th>
              <th scope="col">Recommended configuration</th>
              <th scope="col" class="number">
                H
              </th>
              <th scope="col" class="number">
                Age
              </th>
            </tr>
          </thead>
          <tbody>
            {searches.map((one) => (
              <Row key={one.id} search={one} now={now} on_cancel={() => stop(one.id)} />
            ))}
          </tbody>
        </table>
      )}
      <nav class="pager" aria-label="Pages">
        {after !== null && <Link to="/">Newest</Link>}
        {next !== null && <Link to={address({ after: next })}>Older searches</Link>}
      </nav>
    </>
  );
}

function updated(one: Summary, action: Action): Summary {
  if (action.kind === "status" && action.search === one.id) {
    return { ...one, status: action.status, progress: action.progress ?? one.progress };
  }
  if (action.kind === "points" && action.search === one.id && action.progress) {
    return { ...one, progress: action.progress };
  }
  return one;
}

function Row({ search, now, on_cancel }: { search: Summary; now: number; on_cancel: () => void }) {
  const answer = search.recommendation;
  const active = search.status === "running" || search.status === "queued";
  return (
    <tr>
      <th scope="row" data-label="Search">
        <Link to={address({ search: search.id })}>{search_title(search)}</Link>
        {name_adds(search) && <span class="muted block">{problem_title(search)}</span>}
      </th>
      <td data-label="State">
        <StatusPill status={search.status} />
      </td>
      <td data-label="Result">
        {active ? (
          <div class="row-progress">
            <ProgressBar progress={search.progress} label={`Progress of ${search_title(search)}`} />
            <span class="muted">
              {count(search.progress.curves_done)} of {count(search.progress.curves_total)} curves
            </span>
            <button
              type="button"
              class="small"
              onClick={on_cancel}
              aria-label={`Cancel ${search_title(search)}`}
            >
              Cancel
            </button>
          </div>
        ) : answer ? (
          <>
            {configuration_short(answer)}
            {!search.complete && <span class="muted block">best so far</span>}
          </>
        ) : (
          <span class="muted">{as_sentence(search.sentence ?? "")}</span>
        )}
      </td>
      <td class="number" data-label="H">
        {answer ? <b>{milliseconds(answer.macro_step_s)}</b> : "–"}
      </td>
      <td class="number" data-label="Age">
        <Age time={search.created_at} now={now} />
      </td>
    </tr>
  );
}

function Empty() {
  return (
    <div class="card empty">
      <h2>No searches yet</h2>
      <p>
        A search runs a coupled problem with many configurations and macro-steps H, measures the
        residual energy at the coupling, and recommends the configuration that stays reliable at the
        largest H.
      </p>
      <Link to={address({ new: "double_actuator_crane" })} class="button primary">
        Start with the double-actuator crane
      </Link>
    </div>
  );
}
