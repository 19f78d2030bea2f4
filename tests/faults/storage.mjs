// A disk that is full, a database that others hold, and files that are no databases.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, check_equal, wait_until } from "../journey/chapters.mjs";
import { pause } from "./raw_http.mjs";
import { findings, short_job, undisturbed } from "./searches.mjs";
import { make_directory, need_tool } from "./suite.mjs";

const disk_bytes = 32 << 20;
const rooms_bytes = {
  quick: [256 << 10],
  all: [0, 16 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10],
};
const file_limits_bytes = { quick: [256 << 10], all: [32 << 10, 128 << 10, 256 << 10, 512 << 10] };
const state_limit_ms = 120_000;
const lock_time_ms = { quick: 3_000, all: 60_000 };
const answer_time_max_s = 30;
const reader_searches = { quick: 2, all: 10 };
const trials_before = 20;
const start_limit_ms = 60_000;
const sqlite_limit_ms = 60_000;
const sqlite_busy_ms = 30_000; // that it waits for the server's writes, and then says so

/** A search that the full disk or the limit cuts off, and what the server says meanwhile; then
    `relieve`, and everything is as if nothing had been. True when the search was cut off. */
async function survive_full(server, job, expected, relieve) {
  const body = JSON.stringify(job);
  const answer = await server.request("POST", "/api/v1/searches", { body });
  if (answer.status !== 202) {
    check_equal(answer.status, 503, "a search that cannot be stored");
    check_equal(JSON.parse(answer.body).type, "/problems/storage", "the type of the problem");
  }
  let id = answer.status === 202 ? JSON.parse(answer.body).id : null;
  let cut_off = id === null;
  if (id !== null) {
    const search = await server.wait_for(id, ["succeeded", "failed"], state_limit_ms);
    cut_off = search.status === "failed";
    if (cut_off) check(search.reason, "the failed search has no reason");
  }
  check_equal((await server.request("GET", "/healthz")).status, 200, "alive");
  check_equal((await server.request("GET", "/api/v1/searches")).status, 200, "the list");
  relieve();
  await wait_until("the server takes searches again", state_limit_ms, async () => {
    return (await server.request("GET", "/readyz")).status === 200;
  });
  if (id === null) {
    id = (await server.submit(job)).id;
  } else if (cut_off) {
    const resumed = await server.request("POST", `/api/v1/searches/${id}/resume`);
    check_equal(resumed.status, 200, `resume: ${resumed.body}`);
  }
  await server.wait_for(id, ["succeeded", "failed"]);
  check((await findings(server, id)) === expected, "another result than undisturbed");
  return cut_off;
}

/** A small disk needs root, and a host that lets it mount; else the server's files may not grow. */
export async function disk_full(server, bench) {
  const { quick, directory } = bench;
  const disk = make_directory(directory, "small");
  const mount = ["-t", "tmpfs", "-o", `size=${disk_bytes}`, "macrostep-faults", disk];
  if (spawnSync("mount", mount).status !== 0) {
    await server.start();
    const { tries, remark } = await file_size_limit(server, bench);
    return { tries, remark: `no tmpfs can be mounted here: by a file size limit; ${remark}` };
  }
  try {
    server.database = join(disk, "faults.db");
    await server.start();
    const job = short_job("on a small disk", quick);
    const expected = await undisturbed(server, job);
    const ballast = join(disk, "ballast");
    const free = () =>
      Number(
        spawnSync("stat", ["-f", "-c", "%a*%S", disk], { encoding: "utf8" })
          .stdout.split("*")
          .reduce((a, b) => Number(a) * Number(b)),
      );
    const rooms = quick ? rooms_bytes.quick : rooms_bytes.all;
    let cut_off = 0;
    for (const room of rooms) {
      writeFileSync(ballast, Buffer.alloc(free() - room));
      if (await survive_full(server, job, expected, () => rmSync(ballast))) cut_off += 1;
    }
    check_equal(cut_off, rooms.length, "searches that the full disk has cut off");
    check_equal(await server.leaked_descriptors(), 0, "leaked descriptors");
    check_equal(await server.end("SIGTERM"), 0, "the exit code");
    server.check_database();
    check_equal(server.lost_results(), 0, "lost results");
    return { tries: rooms.length, remark: `${cut_off} cut off, resumed, bit-identical` };
  } finally {
    if (server.running) await server.end("SIGKILL");
    spawnSync("umount", [disk]);
  }
}

export async function file_size_limit(server, { quick }) {
  need_tool("prlimit");
  const job = short_job("in a small file", quick);
  const expected = await undisturbed(server, job);
  const set_limit = (bytes) => {
    const result = spawnSync("prlimit", [`--pid=${server.pid}`, `--fsize=${bytes}:`]);
    check(result.status === 0, "the limit cannot be set");
  };
  const limits = quick ? file_limits_bytes.quick : file_limits_bytes.all;
  let cut_off = 0;
  for (const limit of limits) {
    set_limit(limit);
    if (await survive_full(server, job, expected, () => set_limit("unlimited"))) cut_off += 1;
  }
  check_equal(cut_off, limits.length, "searches that the limit has cut off");
  return { tries: limits.length, remark: `${cut_off} cut off, resumed, bit-identical` };
}

/** sqlite3 as somebody else uses it on the same file: a transaction that stays open. */
class Analyst {
  #process;
  #text = "";
  #error = "";

  constructor(database) {
    this.#process = spawn("sqlite3", ["-cmd", `.timeout ${sqlite_busy_ms}`, database]);
    this.#process.stdout.on("data", (part) => {
      this.#text += part;
    });
    this.#process.stderr.on("data", (part) => {
      this.#error += part;
    });
  }

  /** The first line that is answered; what sqlite3 complains of is an error. */
  async ask(sql) {
    this.#text = "";
    this.#process.stdin.write(`${sql}\n`);
    await wait_until(`sqlite3 answers ${sql}`, sqlite_limit_ms, () => {
      check(this.#error === "", `sqlite3, asked ${sql}: ${this.#error.trim()}`);
      return this.#text.includes("\n");
    });
    return this.#text.trim();
  }

  async end() {
    if (this.#process.exitCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.stdin.end();
    await gone;
  }
}

export async function locked(server, { quick }) {
  const job = short_job("locked out", quick);
  const expected = await undisturbed(server, job);
  const { id } = await server.submit(job);
  await wait_until("the search has begun", state_limit_ms, async () => {
    return (await server.search(id)).progress.trials_done >= trials_before;
  });
  const analyst = new Analyst(server.database);
  let refused = null;
  let slowest_s = 0;
  let tries = 0;
  try {
    check_equal(await analyst.ask("BEGIN IMMEDIATE; SELECT 'locked';"), "locked", "sqlite3");
    const end = performance.now() + (quick ? lock_time_ms.quick : lock_time_ms.all);
    const submitted = server
      .request("POST", "/api/v1/searches", { body: JSON.stringify(job) })
      .then((answer) => {
        refused = answer.status;
        if (answer.status === 202) server.report(JSON.parse(answer.body).id, 0);
      });
    while (performance.now() < end) {
      const start = performance.now();
      await server.search(id);
      await server.get("/searches");
      check_equal((await server.request("GET", "/healthz")).status, 200, "alive");
      slowest_s = Math.max(slowest_s, (performance.now() - start) / 1e3);
      check(slowest_s < answer_time_max_s, `reading took ${slowest_s} s`);
      tries += 3;
      await pause(100);
    }
    await analyst.ask("COMMIT; SELECT 'done';");
    await submitted;
  } finally {
    await analyst.end();
  }
  check([202, 503].includes(refused), `a job was answered ${refused}`);
  await wait_until("the server takes searches again", state_limit_ms, async () => {
    return (await server.request("GET", "/readyz")).status === 200;
  });
  const search = await server.wait_for(id, ["succeeded", "failed"]);
  if (search.status === "failed") {
    check_equal(
      (await server.request("POST", `/api/v1/searches/${id}/resume`)).status,
      200,
      "resume",
    );
    await server.wait_for(id, ["succeeded", "failed"]);
  }
  check((await findings(server, id)) === expected, "another result than undisturbed");
  const { searches } = await server.get("/searches?status=queued,running");
  for (const one of searches) await server.wait_for(one.id, ["succeeded"]);
  const reading = `reading took at most ${(1e3 * slowest_s).toFixed(0)} ms`;
  return { tries, remark: `${reading}, a job was answered ${refused}, then ${search.status}` };
}

export async function long_reader(server, { quick }) {
  const job = short_job("read for long", quick);
  const expected = await undisturbed(server, job);
  const log = `${server.database}-wal`;
  const log_bytes = () => (existsSync(log) ? statSync(log).size : 0);
  const before = log_bytes();
  const count = "SELECT count(*) FROM trials;";
  const searches = quick ? reader_searches.quick : reader_searches.all;
  const analyst = new Analyst(server.database);
  let peak = 0;
  try {
    const seen = await analyst.ask(`BEGIN; ${count}`);
    for (let i = 0; i < searches; i += 1) {
      check((await undisturbed(server, job)) === expected, "another result beside a reader");
      peak = Math.max(peak, log_bytes());
    }
    check_equal(await analyst.ask(count), seen, "what the reader sees");
    check(peak > before, "the log has not grown: nothing was held up");
    await analyst.ask("COMMIT; SELECT 'done';");
  } finally {
    await analyst.end();
  }
  check((await undisturbed(server, job)) === expected, "another result after the reader");
  await wait_until("the log is moved into the file", state_limit_ms, () => log_bytes() <= before);
  const sizes = [before, peak, log_bytes()].map((one) => (one / 2 ** 20).toFixed(1));
  return { tries: searches, remark: `log of ${sizes[0]}, ${sizes[1]}, then ${sizes[2]} MiB` };
}

/** [what, the bytes of a good file → those of a bad one] */
function damages() {
  const with_bytes =
    (at, ...bytes) =>
    (good) => {
      const bad = Buffer.from(good);
      Buffer.from(bytes).copy(bad, at);
      return bad;
    };
  return [
    ["a header of zeros", with_bytes(0, ...Array(100).fill(0))],
    ["a header of ones", with_bytes(0, ...Array(100).fill(255))],
    ["one wrong letter", with_bytes(0, 0x73)],
    ["a page size of 7", with_bytes(16, 0, 7)],
    ["a later format", with_bytes(18, 9, 9)],
    ["wrong payload fractions", with_bytes(21, 1, 1, 1)],
    ["another application's file", with_bytes(68, 0, 0, 0, 1)],
    ["a newer schema", with_bytes(60, 0, 0, 3, 231)],
    ["a first page of rubbish", with_bytes(100, ...Array(3000).fill(0xa5))],
    ["cut within the header", (good) => good.subarray(0, 50)],
    ["cut within the first page", (good) => good.subarray(0, 1000)],
    ["a text", () => Buffer.from("macrostep writes everything in here\n".repeat(100))],
    ["an archive", () => Buffer.from("PK\x03\x04".repeat(500))],
  ];
}

export async function damaged_files(server, { directory, binary }) {
  await server.start();
  await undisturbed(server, short_job("to be damaged", true));
  check_equal(await server.end("SIGTERM"), 0, "the exit code");
  const good = readFileSync(server.database);
  const table = damages();
  for (const [what, damage] of table) {
    const file = join(make_directory(directory, "damaged"), "bad.db");
    const bad = damage(good);
    writeFileSync(file, bad);
    const args = ["serve", "--listen", "127.0.0.1:0", "--db", file];
    const result = spawnSync(binary, args, { encoding: "utf8", timeout: start_limit_ms });
    check_equal(result.status, 1, `${what}: the exit code (${result.stderr})`);
    check_equal(result.stderr.trim().split("\n").length, 1, `${what}: lines of ${result.stderr}`);
    check(result.stderr.includes("bad.db"), `${what}: the file is not named in ${result.stderr}`);
    check(readFileSync(file).equals(bad), `${what}: the file was changed`);
    rmSync(join(directory, "damaged"), { recursive: true });
  }
  return { tries: table.length };
}
