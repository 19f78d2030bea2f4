import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { event_reader, type StreamEvent } from "../../app/api/event_text";
import { Hub } from "../../app/api/events";
import { type LinkState, run_stream, silence_limit_ms } from "../../app/api/live_stream";

describe("the text of a stream", () => {
  it("may be cut anywhere", () => {
    const text =
      ': hello\n\nid: 7\nevent: status\ndata: {"a":1}\n\nevent: points\ndata: x\ndata: y\n\n';
    const all = event_reader()(text);
    expect(all).toEqual([
      { id: "7", kind: "status", data: '{"a":1}' },
      { id: "7", kind: "points", data: "x\ny" },
    ]);
    const read = event_reader();
    expect([...text].flatMap((letter) => read(letter))).toEqual(all);
  });

  it("holds nothing where an event has no data", () => {
    expect(event_reader()("event: status\n\n: heartbeat\n\n")).toEqual([]);
  });
});

/** A server whose connections a test writes to and breaks. */
function fake_server() {
  const asked: (string | null)[] = [];
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  let status = 200;
  const get = (async (_url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get("Last-Event-ID"));
    if (status === 0) throw new TypeError("no answer");
    if (status !== 200) return new Response(null, { status });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        open.push(controller);
        init.signal?.addEventListener("abort", () => {
          try {
            controller.error(new Error("aborted"));
          } catch {
            // it had ended
          }
        });
      },
    });
    return new Response(body, { status: 200 });
  }) as typeof fetch;
  return {
    get,
    asked,
    answer: (next: number) => {
      status = next;
    },
    write: (text: string) => open[open.length - 1]?.enqueue(new TextEncoder().encode(text)),
    end: () => open[open.length - 1]?.close(),
  };
}

describe("a stream that comes back", () => {
  const events: StreamEvent[] = [];
  const links: LinkState[] = [];
  const user = {
    event: (event: StreamEvent) => events.push(event),
    link: (state: LinkState) => links.push(state),
  };
  beforeEach(() => {
    vi.useFakeTimers();
    events.length = 0;
    links.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  it("goes on behind the last event that it has seen", async () => {
    const server = fake_server();
    const stream = run_stream(user, server.get);
    await vi.advanceTimersByTimeAsync(0);
    server.write("id: 41\nevent: status\ndata: {}\n\n");
    await vi.advanceTimersByTimeAsync(0);
    server.end();
    await vi.advanceTimersByTimeAsync(1_000);
    stream.stop();
    expect(events.map((one) => one.id)).toEqual(["41"]);
    expect(server.asked).toEqual([null, "41"]);
    expect(links).toEqual(["live", "lost", "live"]);
  });

  it("takes a server that is silent for too long for one that is gone", async () => {
    const server = fake_server();
    const stream = run_stream(user, server.get);
    await vi.advanceTimersByTimeAsync(silence_limit_ms - 1);
    expect(links).toEqual(["live"]);
    await vi.advanceTimersByTimeAsync(2);
    expect(links).toEqual(["live", "lost"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.asked).toHaveLength(2);
    stream.stop();
  });

  it("asks less and less often while there is no answer, and at once when told to", async () => {
    const server = fake_server();
    server.answer(0);
    const stream = run_stream(user, server.get);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked.length).toBeGreaterThan(3);
    expect(server.asked.length).toBeLessThan(9);
    const before = server.asked.length;
    stream.retry();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.asked.length).toBe(before + 1);
    stream.stop();
  });

  it("tells that the server wants a token", async () => {
    const server = fake_server();
    server.answer(401);
    const stream = run_stream(user, server.get);
    await vi.advanceTimersByTimeAsync(0);
    stream.stop();
    expect(links).toEqual(["locked"]);
  });

  it("is silent after its end", async () => {
    const server = fake_server();
    const stream = run_stream(user, server.get);
    await vi.advanceTimersByTimeAsync(0);
    stream.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toHaveLength(1);
    expect(links).toEqual(["live"]);
  });
});

describe("who listens in a tab", () => {
  const listener = () => ({ event: vi.fn(), connection: vi.fn(), refresh: vi.fn() });
  const event = (search: string) => ({
    id: "1",
    kind: "status",
    data: JSON.stringify({ search, status: "running" }),
  });

  it("hears of its own search only, or of all", () => {
    const hub = new Hub();
    const [one, all] = [listener(), listener()];
    hub.add("a", one);
    const end = hub.add(null, all);
    hub.event(event("a"));
    hub.event(event("b"));
    end();
    hub.event(event("b"));
    expect(one.event).toHaveBeenCalledTimes(1);
    expect(all.event).toHaveBeenCalledTimes(2);
  });

  it("fetches again when the stream begins behind it, not when it was there before", () => {
    const hub = new Hub();
    const early = listener();
    hub.add(null, early);
    hub.link("live");
    const late = listener();
    hub.add(null, late);
    expect(early.refresh).toHaveBeenCalledTimes(1);
    expect(late.refresh).not.toHaveBeenCalled();
    expect(late.connection).toHaveBeenCalledWith("live");
    hub.link("lost");
    expect(late.connection).toHaveBeenLastCalledWith("lost");
    hub.link("live");
    expect(late.refresh).toHaveBeenCalledTimes(1);
  });

  it("fetches again when nothing has come for long", () => {
    const hub = new Hub();
    const one = listener();
    hub.add(null, one);
    hub.watch(Date.now() + 500, 1_000);
    expect(one.refresh).not.toHaveBeenCalled();
    hub.watch(Date.now() + 1_500, 1_000);
    expect(one.refresh).toHaveBeenCalledTimes(1);
  });

  it("reads no nonsense", () => {
    const hub = new Hub();
    const one = listener();
    hub.add(null, one);
    hub.event({ id: "1", kind: "status", data: "{" });
    hub.event({ id: "1", kind: "points", data: '{"search":"a"}' });
    hub.event({ id: "1", kind: "other", data: '{"search":"a"}' });
    expect(one.event).not.toHaveBeenCalled();
  });
});
