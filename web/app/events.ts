// The one event stream of the page. EventSource reconnects by itself after a broken connection; an
// HTTP error closes it for good. Whenever nothing comes for a while, for whatever reason, the page
// asks again.
import type { Action, Connection } from "./search_state";

const closed_interval_ms = 3_000;
const silence_ms = 10_000;

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
  let last_news = Date.now();
  const watch = setInterval(() => {
    const closed = source.readyState === EventSource.CLOSED;
    if (!closed && Date.now() - last_news < silence_ms) return;
    last_news = Date.now();
    handlers.refresh();
  }, closed_interval_ms);

  source.onopen = () => {
    handlers.connection("live");
    if (was_lost) handlers.refresh();
    was_lost = false;
  };
  source.onerror = () => {
    was_lost = true;
    handlers.connection("lost");
  };
  for (const kind of ["status", "points", "finished", "changed"]) {
    source.addEventListener(kind, (message) => {
      last_news = Date.now();
      const action = parse_event(kind, (message as MessageEvent<string>).data);
      if (action) handlers.event(action);
    });
  }
  return () => {
    source.close();
    clearInterval(watch);
  };
}
