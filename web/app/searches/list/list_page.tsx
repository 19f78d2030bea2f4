// All searches with their answers: found, ordered, changed, and selected for a comparison.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, cancel, fetch_searches, message_of } from "../../api/api";
import { open_stream, type SearchEvent } from "../../api/events";
import type { Summary } from "../../api/types";
import { Link, Message, Pager, use_now, use_title } from "../../parts/parts";
import { address } from "../../parts/route";
import { ListFilters, NothingFound } from "./list_filters";
import { use_list_keys } from "./list_keys";
import { Row, select } from "./list_row";
import { address_of, api_query, is_filtered, list_view, most_compared } from "./list_view";

const refetch_delay_ms = 300; // a burst of events becomes one request

export function ListPage({ route }: { route: URLSearchParams }) {
  use_title("Searches");
  const view = list_view(route);
  const query = api_query(view);
  const now = use_now(10_000);
  const [searches, set_searches] = useState<Summary[] | null>(null);
  const [next, set_next] = useState<string | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const wanted = useRef(query);
  wanted.current = query;

  async function load() {
    try {
      const answer = await fetch_searches(query);
      if (wanted.current !== query) return; // other filters were chosen meanwhile
      set_searches(answer.searches);
      set_next(answer.next);
      set_error(null);
    } catch (problem) {
      if (wanted.current === query) set_error(why_not(problem));
    }
  }

  const refresh = useCallback(() => {
    if (timer.current !== null) return;
    timer.current = setTimeout(async () => {
      timer.current = null;
      await load();
    }, refetch_delay_ms);
  }, [query]);

  useEffect(() => {
    const known = new Set<string>();
    function on_event(event: SearchEvent) {
      if (event.kind === "finished" || event.kind === "changed") refresh();
      if (event.kind !== "status" && event.kind !== "points") return;
      if (!known.has(event.search)) {
        known.add(event.search);
        refresh(); // perhaps a new one
      }
      set_searches((list) => list?.map((one) => updated(one, event)) ?? null);
    }
    load();
    const close = open_stream(null, { event: on_event, connection: () => {}, refresh });
    return () => {
      close();
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    };
  }, [query]);

  async function stop(id: string) {
    try {
      await cancel(id);
      refresh();
    } catch (problem) {
      set_error(message_of(problem));
    }
  }

  function deleted(id: string) {
    set_searches((list) => list?.filter((one) => one.id !== id) ?? null);
    if (view.selected.includes(id)) select(view.selected.filter((one) => one !== id));
    document.getElementById("main")?.focus(); // the row that had the focus is gone
    refresh();
  }

  use_list_keys(view.selected);
  const is_empty = searches?.length === 0;
  const filtered = is_filtered(view) || view.after !== null;
  return (
    <>
      <div class="page-head">
        <h1>Searches</h1>
        <Link to="/?new=" class="button primary">
          New search
        </Link>
      </div>
      {(!is_empty || filtered) && <ListFilters view={view} />}
      {error && <Message kind="error">{error}</Message>}
      {searches === null && !error && <p class="muted">Loading …</p>}
      {is_empty && (filtered ? <NothingFound more={next !== null} /> : <Empty />)}
      {searches && searches.length > 0 && (
        <table class="list searches">
          <caption class="unseen">Searches</caption>
          <Head />
          <tbody>
            {searches.map((one) => (
              <Row
                key={one.id}
                search={one}
                view={view}
                now={now}
                on_cancel={() => stop(one.id)}
                on_changed={refresh}
                on_deleted={() => deleted(one.id)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Pager
        first={view.after === null ? null : address(address_of(view, { after: null, open: null }))}
        next={next && address(address_of(view, { after: next, open: null }))}
      />
      {view.selected.length > 0 && <Selection ids={view.selected} />}
    </>
  );
}

/** A filter that the server does not take, in its words. */
function why_not(problem: unknown): string {
  const details = problem instanceof ApiError ? problem.errors.map((one) => one.detail) : [];
  return [message_of(problem), ...details].join(" ");
}

function updated(one: Summary, event: SearchEvent): Summary {
  if (event.kind === "status" && event.search === one.id) {
    return { ...one, status: event.status, progress: event.progress ?? one.progress };
  }
  if (event.kind === "points" && event.search === one.id && event.progress) {
    return { ...one, progress: event.progress };
  }
  return one;
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="unseen">Select</span>
        </th>
        <th scope="col">Search</th>
        <th scope="col">State</th>
        <th scope="col">Recommended configuration</th>
        <th scope="col" class="number">
          H
        </th>
        <th scope="col" class="number minor">
          Trials
        </th>
        <th scope="col" class="number minor">
          Took
        </th>
        <th scope="col" class="number">
          Age
        </th>
        <th scope="col">
          <span class="unseen">Details</span>
        </th>
      </tr>
    </thead>
  );
}

function Selection({ ids }: { ids: string[] }) {
  const can_compare = ids.length >= 2 && ids.length <= most_compared;
  return (
    <section class="card selection" aria-label="Selected searches">
      <p role="status">
        {ids.length} selected
        {ids.length === 1 && ", select another one to compare"}
        {ids.length > most_compared && `, at most ${most_compared} can be compared`}
      </p>
      {can_compare && (
        <Link to={address({ compare: ids.join(",") })} class="button primary">
          Compare
        </Link>
      )}
      <button type="button" onClick={() => select([])}>
        Select none
      </button>
    </section>
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
