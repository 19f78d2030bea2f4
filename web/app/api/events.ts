// What happens on the server, for the pages of this tab. One event stream serves all tabs of a
// browser, in a shared worker; where there is none, each tab has its own. Whenever nothing comes for
// a while, for whatever reason, a page that is visible asks again.
import { note_status, watch_access } from "./access";
import type { StreamEvent } from "./event_text";
import { type LinkState, type LiveStream, run_stream } from "./live_stream";
import type { Progress, Recommendation, Schemas, Status } from "./types";

const watch_interval_ms = 3_000;
const silence_ms = 10_000;
const kinds = ["status", "points", "finished", "changed"];

export type Connection = "none" | "live" | "lost";

export type PointEvent = Schemas["PointsEvent"]["points"][number];

/** What the server tells about a search that has been submitted or changed. */
export type SearchEvent =
  | { kind: "status"; search: string; status: Status; progress?: Progress }
  | ({ kind: "points" } & Schemas["PointsEvent"])
  | {
      kind: "finished";
      search: string;
      status: Status;
      recommendation: Recommendation | null;
      reason: string | null;
      sentence: string | null;
    }
  | { kind: "changed"; search: string; name: string };

interface StreamHandlers {
  event: (event: SearchEvent) => void;
  connection: (connection: Connection) => void;
  refresh: () => void; // something may have been missed: fetch again
}

/** Text of one event → its value; null for what cannot be read. */
export function parse_event(kind: string, data: string): SearchEvent | null {
  if (!kinds.includes(kind)) return null;
  try {
    const fields = JSON.parse(data);
    if (typeof fields !== "object" || fields === null || typeof fields.search !== "string")
      return null;
    if (kind === "points" && !Array.isArray(fields.points)) return null;
    return { ...fields, kind } as SearchEvent;
  } catch {
    return null;
  }
}

interface Listener {
  search: string | null;
  handlers: StreamHandlers;
  live: boolean;
  last_news: number;
}

/** Who listens in this tab, and what they are told; without any connection, for tests. */
export class Hub {
  readonly #listeners = new Set<Listener>();
  #link: LinkState = "connecting";

  add(search: string | null, handlers: StreamHandlers): () => void {
    const listener = { search, handlers, live: this.#link === "live", last_news: Date.now() };
    this.#listeners.add(listener);
    if (listener.live) handlers.connection("live");
    return () => this.#listeners.delete(listener);
  }

  link(state: LinkState): void {
    if (state === "locked") note_status(401);
    this.#link = state;
    for (const one of this.#listeners) {
      const was_live = one.live;
      one.live = state === "live";
      if (state === "connecting") continue;
      one.handlers.connection(one.live ? "live" : "lost");
      // What happened before the stream began, or was lost with another server's sequence.
      if (one.live && !was_live) one.handlers.refresh();
    }
  }

  event({ kind, data }: StreamEvent): void {
    const event = this.#listeners.size > 0 ? parse_event(kind, data) : null;
    if (!event) return;
    for (const one of this.#listeners) {
      if (one.search !== null && one.search !== event.search) continue;
      one.last_news = Date.now();
      one.handlers.event(event);
    }
  }

  /** Asks again for everybody who has not heard anything for long. */
  watch(now: number, limit_ms: number): void {
    for (const one of this.#listeners) {
      if (now - one.last_news < limit_ms) continue;
      one.last_news = now;
      one.handlers.refresh();
    }
  }
}

const hub = new Hub();
let worker: MessagePort | null = null;
let stream: LiveStream | null = null;
let is_watching = false;

function open(): void {
  if (worker) worker.postMessage("open");
  else if (stream) stream.retry();
  else if (typeof SharedWorker === "undefined") open_here();
  else open_worker();
}

function open_here(): void {
  worker = null;
  stream ??= run_stream({
    event: (event) => hub.event(event),
    link: (state) => hub.link(state),
  });
}

function open_worker(): void {
  try {
    const shared = new SharedWorker(new URL("./stream_worker.ts", import.meta.url), {
      type: "module",
      name: "macrostep events",
    });
    shared.onerror = () => {
      shared.port.onmessage = null; // its file is gone: the server was renewed
      open_here();
    };
    shared.port.onmessage = ({ data }) => {
      if (data.link) hub.link(data.link);
      if (data.event) hub.event(data.event);
    };
    worker = shared.port;
    worker.postMessage("open");
  } catch {
    open_here();
  }
}

function close(): void {
  worker?.postMessage("close");
  stream?.stop();
  stream = null;
  hub.link("connecting");
}

function watch(): void {
  if (is_watching) return;
  is_watching = true;
  setInterval(() => {
    if (!document.hidden) hub.watch(Date.now(), silence_ms);
  }, watch_interval_ms);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  watch_access((locked) => locked && close());
}

/** `search` null: the events of all searches. Returns the function that ends it. */
export function open_stream(search: string | null, handlers: StreamHandlers): () => void {
  watch();
  const end = hub.add(search, handlers);
  open();
  return end;
}
