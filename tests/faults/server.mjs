// A server under attack, with a database of its own: started, ended or killed on purpose, asked
// over REST. It remembers every search that was reported and how many of its trials, every exit
// that nobody asked for, and how many descriptors it had when nothing had happened yet.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { check, wait_until } from "../journey/chapters.mjs";

const start_limit_ms = 60_000;
const end_limit_ms = 60_000;
const request_limit_ms = 60_000;
const command_limit_ms = 120_000;
const search_limit_ms = 300_000;
const settle_limit_ms = 30_000;

export class Server {
  #binary;
  #child = null;
  #asked_to_end = false;
  #agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

  constructor(binary, directory, options = []) {
    this.#binary = binary;
    this.directory = directory;
    this.database = join(directory, "faults.db");
    this.log = join(directory, "server.log");
    this.options = options;
    this.environment = {};
    this.port = 0;
    this.crashes = 0;
    this.descriptors_before = null;
    this.reported = new Map(); // id of a search → the most trials that were reported of it
  }

  get pid() {
    return this.#child.pid;
  }

  get host() {
    return `127.0.0.1:${this.port}`;
  }

  get running() {
    const child = this.#child;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  /** Again on the same port after the first time, as a service does. */
  async start() {
    const args = ["serve", "--listen", `127.0.0.1:${this.port}`, "--db", this.database];
    args.push("--threads", "1", "--fmu-sandbox", "none", ...this.options);
    const log = openSync(this.log, "a");
    const child = spawn(this.#binary, args, {
      stdio: ["ignore", "pipe", log],
      env: { ...process.env, ...this.environment },
    });
    closeSync(log);
    this.#child = child;
    process.once("exit", () => child.kill("SIGKILL"));
    this.#asked_to_end = false;
    child.once("exit", () => {
      if (!this.#asked_to_end) this.crashes += 1;
    });
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
    });
    await wait_until("the server is ready", start_limit_ms, () => {
      check(this.running, `the server ended at its start: ${this.log_end()}`);
      return /http:\/\/127\.0\.0\.1:\d+/.test(text);
    });
    this.port = Number(text.match(/http:\/\/127\.0\.0\.1:(\d+)/)[1]);
    await this.get("/searches");
    this.close_connections();
    await this.wait_for_quiet();
    this.descriptors_before = this.descriptors();
  }

  /** Ends it by a signal and waits; the exit code, null after a kill. */
  async end(signal) {
    if (!this.running) return this.#child?.exitCode ?? null;
    this.#asked_to_end = true;
    const child = this.#child;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), end_limit_ms);
    const code = await gone;
    clearTimeout(timer);
    this.close_connections();
    return code;
  }

  close_connections() {
    this.#agent.destroy();
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  }

  descriptors() {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Connections that were just closed here are closed there a moment later. */
  async wait_for_quiet() {
    let before = -1;
    await wait_until("the number of descriptors settles", settle_limit_ms, async () => {
      const now = this.descriptors();
      const same = now === before;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return same;
    });
  }

  /** How many more than after the start, once clients are gone; what closes late is waited for. */
  async leaked_descriptors() {
    this.close_connections();
    const end = performance.now() + settle_limit_ms;
    for (;;) {
      const leaked = this.descriptors() - this.descriptors_before;
      if (leaked <= 0 || performance.now() > end) return Math.max(leaked, 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  memory_bytes() {
    const text = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return 1024 * Number(text.match(/VmRSS:\s+(\d+)/)[1]);
  }

  log_end() {
    return readFileSync(this.log, "utf8").slice(-600);
  }

  /** {status, headers, body} of whatever is answered; `path` as it goes over the wire. */
  request(method, path, { body, headers = {} } = {}) {
    return new Promise((resolve, reject) => {
      const all = { ...headers };
      if (body !== undefined) {
        all["Content-Type"] ??= "application/json";
        all["Content-Length"] = Buffer.byteLength(body);
      }
      const options = { host: "127.0.0.1", port: this.port, method, path, headers: all };
      const request = http.request({ ...options, agent: this.#agent }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          resolve({ status: answer.statusCode, headers: answer.headers, body: text });
        });
      });
      request.setTimeout(request_limit_ms, () => request.destroy(new Error(`${path}: no answer`)));
      request.on("error", reject);
      request.end(body);
    });
  }

  async get(path) {
    const { status, body } = await this.request("GET", `/api/v1${path}`);
    check(status === 200, `GET ${path}: HTTP ${status} ${body.slice(0, 300)}`);
    return JSON.parse(body);
  }

  /** What was answered 202 must be there for ever after. */
  async submit(job, headers = {}) {
    const answer = await this.request("POST", "/api/v1/searches", {
      body: JSON.stringify(job),
      headers,
    });
    check(answer.status === 202, `POST: HTTP ${answer.status} ${answer.body.slice(0, 300)}`);
    const search = JSON.parse(answer.body);
    this.reported.set(search.id, 0);
    return search;
  }

  /** The search as it is now; its trials count as reported. */
  async search(id) {
    const search = await this.get(`/searches/${id}`);
    this.report(id, search.progress.trials_done);
    return search;
  }

  report(id, trials) {
    this.reported.set(id, Math.max(trials, this.reported.get(id) ?? 0));
  }

  async wait_for(id, statuses, limit_ms = search_limit_ms) {
    let search = null;
    await wait_until(`search ${id} is ${statuses}`, limit_ms, async () => {
      search = await this.search(id);
      return statuses.includes(search.status);
    });
    return search;
  }

  /** Somebody who asks properly is answered properly. */
  async check_alive() {
    this.close_connections();
    const { status } = await this.request("GET", "/healthz");
    check(status === 200, `an honest request is answered ${status}`);
  }

  async metric(name) {
    const { body } = await this.request("GET", "/metrics");
    const found = body.match(new RegExp(`^${name} (\\S+)$`, "m"));
    check(found, `no metric ${name}`);
    return Number(found[1]);
  }

  /** Rows of a query, read beside the server as an analyst would. */
  sql(query) {
    const result = spawnSync("sqlite3", ["-readonly", "-json", this.database, query], {
      encoding: "utf8",
      timeout: command_limit_ms,
      maxBuffer: 1 << 28,
    });
    check(result.status === 0, `sqlite3: ${result.error ?? result.stderr}`);
    return result.stdout.trim() === "" ? [] : JSON.parse(result.stdout);
  }

  /** Another command of the program. */
  command(args) {
    return spawnSync(this.#binary, args, { encoding: "utf8", timeout: command_limit_ms });
  }

  /** What was reported and is not in the file: searches, and trials of searches. */
  lost_results() {
    const stored = new Map();
    const count = `SELECT id, (SELECT count(*) FROM trials AS t
        WHERE t.id >= number << 32 AND t.id < (number + 1) << 32) AS n FROM searches`;
    for (const row of this.sql(count)) stored.set(row.id, row.n);
    let lost = 0;
    for (const [id, trials] of this.reported) {
      lost += stored.has(id) ? Math.max(0, trials - stored.get(id)) : 1 + trials;
    }
    return lost;
  }

  /** `macrostep db check` finds nothing. */
  check_database() {
    const { status, stdout, stderr } = this.command(["db", "check", "--db", this.database]);
    check(status === 0 && stdout === "ok\n", `db check: ${stdout}${stderr}`);
  }
}
