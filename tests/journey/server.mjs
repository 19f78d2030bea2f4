// The server under test: started on a port of the system's choice with a database of its own, asked
// over REST, and the database read with sqlite3 as an analyst would.
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { check_equal } from "./chapters.mjs";
import { answer_limit_ms, compute_limit_ms } from "./limits.mjs";

export class Server {
  #binary;
  #log;
  #process = null;

  constructor(binary, scratch, log) {
    this.#binary = binary;
    this.database = join(scratch, "journey.db");
    this.#log = createWriteStream(log);
    this.port = 0;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Again on the same port after the first time, as a service does. One thread: chromium has the rest. */
  async start() {
    const args = ["serve", "--listen", `127.0.0.1:${this.port}`, "--db", this.database];
    // FMUs of ours, on machines that may have no sandbox: how they run is not the page's business.
    args.push("--threads", "1", "--fmu-sandbox", "none");
    const child = spawn(this.#binary, args, {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    child.stderr.pipe(this.#log, { end: false });
    const address = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the server is not ready")), answer_limit_ms);
      const ended = (text) => {
        clearTimeout(timer);
        reject(new Error(`the server ${text}, see its log among the artefacts`));
      };
      let text = "";
      child.once("error", (error) => ended(`cannot be started: ${error.message}`));
      child.once("exit", (code, signal) => ended(`ended with ${code ?? signal}`));
      child.stdout.on("data", (part) => {
        text += part;
        const found = text.match(/http:\/\/127\.0\.0\.1:(\d+)/);
        if (!found) return;
        clearTimeout(timer);
        resolve(Number(found[1]));
      });
    });
    this.port = address;
  }

  /** Ends it by a signal and waits; returns the exit code, null after a kill. */
  async end(signal) {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const gone = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), answer_limit_ms);
    const code = await gone;
    clearTimeout(timer);
    return code;
  }

  async get(path) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      signal: AbortSignal.timeout(answer_limit_ms),
    });
    if (!response.ok) throw new Error(`GET ${path}: HTTP ${response.status}`);
    return response.json();
  }

  submit(job) {
    return this.#post("/searches", job);
  }

  submit_analysis(job) {
    return this.#post("/analyses", job);
  }

  async #post(path, job) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(job),
      signal: AbortSignal.timeout(answer_limit_ms),
    });
    if (response.status !== 202) throw new Error(`POST ${path}: HTTP ${response.status}`);
    return response.json();
  }

  async change(id, fields) {
    const response = await fetch(`${this.url}/api/v1/searches/${id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(answer_limit_ms),
    });
    if (!response.ok) throw new Error(`PATCH: HTTP ${response.status}`);
  }

  async remove(id) {
    const response = await fetch(`${this.url}/api/v1/searches/${id}`, {
      method: "DELETE",
      signal: AbortSignal.timeout(answer_limit_ms),
    });
    if (response.status !== 204) throw new Error(`DELETE: HTTP ${response.status}`);
  }

  /** Rows of a query, read beside the running server. */
  sql(query) {
    const result = spawnSync("sqlite3", ["-readonly", "-json", this.database, query], {
      encoding: "utf8",
      timeout: answer_limit_ms,
    });
    if (result.status !== 0) throw new Error(`sqlite3: ${result.error ?? result.stderr}`);
    return result.stdout.trim() === "" ? [] : JSON.parse(result.stdout);
  }
}

export function has_sqlite() {
  return spawnSync("sqlite3", ["-version"], { stdio: "ignore" }).status === 0;
}

/** What a script of bash prints that knows the program as macrostep. */
export function run_script(script, binary) {
  const path = [dirname(binary), process.env.PATH].join(delimiter);
  const result = spawnSync("bash", ["-c", script], {
    encoding: "utf8",
    timeout: compute_limit_ms,
    env: { ...process.env, PATH: path },
  });
  check_equal(result.status, 0, `${result.error ?? result.stderr}`);
  return result.stdout;
}
