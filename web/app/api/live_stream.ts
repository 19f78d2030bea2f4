// A connection to the server's events that comes back by itself: after a break it goes on behind the
// last event that it has seen. fetch instead of EventSource, which tells no status, and sees no
// difference between a server that is silent and one that is gone.
import { event_reader, type StreamEvent } from "./event_text";

export type LinkState = "connecting" | "live" | "lost" | "locked";

interface StreamUser {
  event: (event: StreamEvent) => void;
  link: (state: LinkState) => void;
}

export interface LiveStream {
  retry: () => void; // at once, if it waits
  stop: () => void;
}

export const silence_limit_ms = 45_000; // the server's heartbeat comes every 15 s
const first_pause_ms = 1_000;
const longest_pause_ms = 15_000;
const unauthorized = 401;

export function run_stream(user: StreamUser, get: typeof fetch = fetch): LiveStream {
  let stopped = false;
  let last_id = "";
  let wake = () => {};
  let current: AbortController | null = null;

  /** One connection from its beginning to its end; true if it was one. */
  async function connect(): Promise<boolean> {
    const abort = new AbortController();
    current = abort;
    let timer = setTimeout(() => abort.abort(), silence_limit_ms);
    let was_live = false;
    let state: LinkState = "lost";
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (last_id !== "") headers["Last-Event-ID"] = last_id;
      const answer = await get("/api/v1/events", {
        headers,
        cache: "no-store",
        signal: abort.signal,
      });
      if (answer.status === unauthorized) state = "locked";
      const body = answer.status === 200 ? answer.body?.getReader() : null;
      if (!body) await answer.body?.cancel();
      else {
        was_live = true;
        user.link("live");
        const decoder = new TextDecoder();
        const read = event_reader();
        for (;;) {
          const { done, value } = await body.read();
          if (done) break;
          clearTimeout(timer);
          timer = setTimeout(() => abort.abort(), silence_limit_ms);
          for (const event of read(decoder.decode(value, { stream: true }))) {
            if (event.id !== "") last_id = event.id;
            user.event(event);
          }
        }
      }
    } catch {
      // Broken, silent for too long or stopped: what comes next is the same.
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
    if (!stopped) user.link(state);
    return was_live;
  }

  async function run() {
    let pause = first_pause_ms;
    while (!stopped) {
      pause = (await connect()) ? first_pause_ms : Math.min(2 * pause, longest_pause_ms);
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => {};
    }
  }

  run();
  return {
    retry: () => wake(),
    stop: () => {
      stopped = true;
      current?.abort();
      wake();
    },
  };
}
