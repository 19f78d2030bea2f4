// The one event stream of the page. EventSource reconnects by itself after a broken connection; an
// HTTP error closes it for good, and then the page asks again at intervals.
import type { Action, Connection } from "./search_state";

const poll_interval_ms = 3_000;

export interface StreamHandlers {
  event: (action: Action) => void;
  connection: (connection: Connection) => void;
  refresh: () => void; // something may have been missed: fetch again
}

/** Text of one event → action; null for what cannot be read. */
export function parse_event(kind: string, data: string): Action | null {
  try {
    const fields = JSON.parse(data);
    if (typeof fields !== "object" || fields === null || typeof fields.search !== "string")
      return null;
    if (kind === "points" && !Array.isArray(fields.points)) return null;
    return { ...fields, kind } as Action;
  } catch {
    return null;
  }
}

/** `search` null: the events of all searches. Returns the function that closes the stream. */
export function open_stream(search: string | null, handlers: StreamHandlers): () => void {
  const query = search === null ? "" : `?search=${encodeURIComponent(search)}`;
  const source = new EventSource(`/api/v1/events${query}`);
  let was_lost = false;
  let poll: ReturnType<typeof setInterval> | null = null;

  source.onopen = () => {
    handlers.connection("live");
    if (was_lost) handlers.refresh();
    was_lost = false;
  };
  source.onerror = () => {
    was_lost = true;
    handlers.connection("lost");
    if (source.readyState === EventSource.CLOSED && poll === null) {
      poll = setInterval(handlers.refresh, poll_interval_ms);
    }
  };
  for (const kind of ["status", "points", "finished"]) {
    source.addEventListener(kind, (message) => {
      const action = parse_event(kind, (message as MessageEvent<string>).data);
      if (action) handlers.event(action);
    });
  }
  return () => {
    source.close();
    if (poll !== null) clearInterval(poll);
  };
}
