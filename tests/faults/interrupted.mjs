// Searches that are cut off: the server is killed or told to end, the clock jumps, and thousands
// wait in the queue over a restart.
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, check_equal, wait_until } from "../journey/chapters.mjs";
import { connect, pause } from "./raw_http.mjs";
import { endless_job, findings, long_job, short_job, undisturbed } from "./searches.mjs";
import { Skip } from "./suite.mjs";

const kills = { quick: 3, all: 50 };
const terms = { quick: 1, all: 10 };
const load_clients = 20;
const load_time_ms = { quick: 500, all: 1_000 };
const end_time_max_s = 30;
const queued = { quick: 300, all: 10_000 };
const queue_cap = 10_000; // --max-queued of this scenario
const submitting_clients = 8;
const answer_time_max_s = 30;
const restart_limit_ms = 120_000;
const page_size = 1000;
const clock_limit_ms = 60_000;
const trials_before_jump = 50;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function random_numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function killed(server, { quick }) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = random_numbers(seed);
  const job = short_job("killed", quick);
  const start = performance.now();
  const expected = await undisturbed(server, job);
  const duration_ms = performance.now() - start;
  let resumed = 0;
  const count = quick ? kills.quick : kills.all;
  for (let i = 0; i < count; i += 1) {
    const { id } = await server.submit(job);
    const end = performance.now() + random() * duration_ms;
    while (performance.now() < end) {
      await server.search(id); // what is reported until the last moment must be there
      await pause(5);
    }
    await server.end("SIGKILL");
    await server.start();
    const again = await server.search(id);
    check(again.progress.trials_done >= server.reported.get(id), "trials are gone");
    if (again.status !== "succeeded") resumed += 1;
    await server.wait_for(id, ["succeeded", "failed", "cancelled"]);
    const found = await findings(server, id);
    check(found === expected, `seed ${seed}, kill ${i + 1}: another result than undisturbed`);
    const told = server.sql(
      `SELECT max(json_extract(data, '$.progress.trials_done')) AS n FROM events
       WHERE search_id = '${id}'`,
    );
    check_equal(told[0].n, server.reported.get(id), "trials that events tell of");
  }
  return { tries: count, remark: `${resumed} were resumed, all bit-identical; seed ${seed}` };
}

/** Asks again and again until the server is gone; what it was told counts as reported. */
async function load(server, id, stop) {
  while (!stop.now) {
    try {
      await server.search(id);
      await server.get("/searches?limit=100");
      await server.submit({ ...long_job("from the load"), priority: -100 });
    } catch (error) {
      // The end of the server is no fault of its answers before.
      if (!stop.now && !/50[0-9]|429|ECONN|socket hang up|EPIPE/.test(error.message)) throw error;
    }
  }
}

export async function terminated(server, { quick }) {
  const count = quick ? terms.quick : terms.all;
  let slowest_s = 0;
  for (let i = 0; i < count; i += 1) {
    const { id } = await server.submit({ ...long_job(`number ${i}`), priority: 100 });
    await server.wait_for(id, ["running"]);
    const streams = Array.from({ length: load_clients }, () => connect(server));
    for (const one of streams) {
      one.on("data", (part) => {
        for (const found of part.toString().matchAll(/data: (\{.*\})/g)) {
          try {
            const event = JSON.parse(found[1]);
            if (event.search === id) server.report(id, event.progress?.trials_done ?? 0);
          } catch {
            // An event that is cut at the end of a piece.
          }
        }
      });
      one.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
    }
    const stop = { now: false };
    const clients = Array.from({ length: load_clients }, () => load(server, id, stop));
    await pause(quick ? load_time_ms.quick : load_time_ms.all);
    const start = performance.now();
    const code = await server.end("SIGTERM");
    stop.now = true;
    await Promise.all(clients);
    for (const one of streams) one.destroy();
    const time_s = (performance.now() - start) / 1e3;
    slowest_s = Math.max(slowest_s, time_s);
    check_equal(code, 0, "the exit code");
    check(time_s < end_time_max_s, `it took ${time_s} s to end`);
    const left = ["-wal", "-shm"].filter((name) => existsSync(server.database + name));
    check_equal(left, [], "files left beside the database");
    const [{ status }] = server.sql(`SELECT status FROM searches WHERE id = '${id}'`);
    check_equal(status, "interrupted", "the state after the end");
    check_equal(server.lost_results(), 0, "lost results");
    await server.start();
    await server.request("POST", `/api/v1/searches/${id}/cancel`);
    await server.wait_for(id, ["cancelled"]);
  }
  await cancel_all(server);
  return { tries: count, remark: `at most ${slowest_s.toFixed(1)} s to end` };
}

async function cancel_all(server) {
  for (;;) {
    const { searches } = await server.get(`/searches?status=queued,running&limit=${page_size}`);
    if (searches.length === 0) return;
    for (const { id } of searches) await server.request("POST", `/api/v1/searches/${id}/cancel`);
    await pause(100);
  }
}

function faketime_library() {
  for (const directory of ["x86_64-linux-gnu", "aarch64-linux-gnu", "."]) {
    const file = join("/usr/lib", directory, "faketime", "libfaketimeMT.so.1");
    if (existsSync(file)) return file;
  }
  throw new Skip("no libfaketime here");
}

/** The clock of the day goes forth and back; the one that only rises does not, as in life. */
export async function clock_jumps(server, { quick, directory }) {
  const library = faketime_library();
  const job = short_job("over midnight", quick);
  const expected = await undisturbed(server, job);
  check_equal(await server.end("SIGTERM"), 0, "the exit code");
  const clock = join(directory, "clock");
  // Never empty for a moment: newer versions of libfaketime end the program then.
  const set_clock = (offset) => {
    writeFileSync(`${clock}.new`, `${offset}\n`);
    renameSync(`${clock}.new`, clock);
  };
  set_clock("+0");
  server.environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  await server.start();
  const date_of = async () => Date.parse((await server.request("GET", "/healthz")).headers.date);
  const day_ms = 86_400_000;
  const offsets = [
    ["+1d", day_ms],
    ["-1d", -day_ms],
    ["+0", 0],
  ];
  const { id: first } = await server.submit(long_job("holds the queue"));
  const { id: waiting } = await server.submit(job);
  await wait_until("the search has begun", clock_limit_ms, async () => {
    return (await server.search(first)).progress.trials_done >= trials_before_jump;
  });
  for (const [offset, ms] of offsets) {
    set_clock(offset);
    const seen = (await date_of()) - Date.now();
    check(Math.abs(seen - ms) < day_ms / 24, `the clock is off by ${seen} ms after ${offset}`);
    const { progress } = await server.search(first);
    await wait_until(`the search goes on after ${offset}`, clock_limit_ms, async () => {
      const now = await server.search(first);
      check(now.progress.eta_s === null || now.progress.eta_s >= 0, "a negative time is left");
      return now.status !== "running" || now.progress.trials_done > progress.trials_done;
    });
    check_equal((await server.request("GET", "/readyz")).status, 200, "ready");
  }
  await server.request("POST", `/api/v1/searches/${first}/cancel`);
  set_clock("-1d");
  const search = await server.wait_for(waiting, ["succeeded", "failed"]);
  check(search.cost.wall_s >= 0, `it took ${search.cost.wall_s} s`);
  check((await findings(server, waiting)) === expected, "another result than with a steady clock");
  return { tries: offsets.length + 1, remark: "the result is bit-identical" };
}

export const queue_setup = { options: ["--max-queued", String(queue_cap)] };

async function timed(action) {
  const start = performance.now();
  const result = await action();
  const time_s = (performance.now() - start) / 1e3;
  check(time_s < answer_time_max_s, `it took ${time_s} s`);
  return [result, time_s];
}

/** Ids of all that wait, the next first. */
async function waiting_in_order(server) {
  const all = [];
  let after = "";
  do {
    const page = await server.get(`/searches?status=queued&limit=${page_size}${after}`);
    all.push(...page.searches);
    after = page.next === null ? null : `&after=${encodeURIComponent(page.next)}`;
  } while (after !== null);
  all.sort((a, b) => a.queue_position - b.queue_position);
  for (const [i, one] of all.entries()) {
    check_equal(one.queue_position, i + 1, "a place in the queue");
  }
  return all.map((one) => one.id);
}

function check_order(ids, expected, when) {
  check_equal(ids.length, expected.length, `searches that wait ${when}`);
  const moved = ids.filter((id, i) => id !== expected[i]);
  check_equal(moved.length, 0, `searches in other places ${when}`);
}

export async function queue(server, { quick }) {
  const count = quick ? queued.quick : queued.all;
  const holder = await server.submit({ ...endless_job("holds the queue"), priority: 100 });
  await server.wait_for(holder.id, ["running"]);
  let next = 0;
  let submit_max_s = 0;
  const client = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      const job = { ...long_job(`number ${i}`), priority: i % 7 };
      const [, time_s] = await timed(() => server.submit(job));
      submit_max_s = Math.max(submit_max_s, time_s);
    }
  };
  await Promise.all(Array.from({ length: submitting_clients }, client));
  if (count === queue_cap) {
    const full = await server.request("POST", "/api/v1/searches", {
      body: JSON.stringify(long_job("one more")),
    });
    check_equal(full.status, 429, "one more than may wait");
    check(Number(full.headers["retry-after"]) > 0, "no Retry-After");
  }
  const [, list_s] = await timed(() => server.get("/searches?limit=100"));
  const before = await waiting_in_order(server);
  check_equal(before.length, count, "searches that wait");
  const cancelled = before[Math.floor(count / 2)];
  const [, cancel_s] = await timed(() =>
    server.request("POST", `/api/v1/searches/${cancelled}/cancel`),
  );
  const expected = before.filter((id) => id !== cancelled);
  check_order(await waiting_in_order(server), expected, "after a cancel");

  check_equal(await server.end("SIGTERM"), 0, "the exit code");
  await server.start();
  await wait_until("the first one goes on", restart_limit_ms, async () => {
    return (await server.search(holder.id)).status === "running";
  });
  check_order(await waiting_in_order(server), expected, "after a restart");
  const figures = [submit_max_s, list_s, cancel_s].map((one) => `${(1e3 * one).toFixed(0)} ms`);
  return {
    tries: count,
    remark: `slowest submit ${figures[0]}, list ${figures[1]}, cancel ${figures[2]}`,
  };
}
