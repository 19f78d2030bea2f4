// Runs the scenarios one after the other, each on a server and a database of its own, and tells of
// each what was lost, what crashed and what leaked.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Server } from "./server.mjs";

const end_exit_code = 0;
const columns = ["fault", "tries", "lost results", "crashes", "leaked descriptors", "result"];
const widths = [44, 6, 12, 7, 18, 0];

const row_text = (cells) =>
  cells
    .map((cell, i) => (i > 0 && i < 5 ? String(cell).padStart(widths[i]) : cell.padEnd(widths[i])))
    .join("  ");

/** Thrown by a scenario that this host cannot run. */
export class Skip extends Error {}

export function need_tool(name, ...args) {
  const result = spawnSync(name, args.length > 0 ? args : ["--version"], { stdio: "ignore" });
  if (result.error) throw new Skip(`no ${name} here`);
}

export class Suite {
  #binary;
  #scratch;
  #passed = 0;
  #failed = 0;
  #skipped = [];

  constructor({ binary, scratch, quick, only }) {
    this.#binary = binary;
    this.#scratch = scratch;
    this.quick = quick;
    this.only = only;
    console.log(row_text(columns));
  }

  /** `action` gets the server and the bench, and returns {tries, remark}; it may not take longer
      than `limit_ms`. `options` are the server's. */
  async fault(name, limit_ms, action, { options = [], start = true } = {}) {
    if (this.only && !name.includes(this.only)) return;
    const directory = mkdtempSync(join(this.#scratch, "fault-"));
    const server = new Server(this.#binary, directory, options);
    const started = performance.now();
    let tries = 0;
    let remark = "";
    let lost = 0;
    let leaked = 0;
    let reason = null;
    let timer = null;
    try {
      if (start) await server.start();
      const bench = { quick: this.quick, directory, binary: this.#binary };
      const late = new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`not done after ${limit_ms / 1e3} s`)), limit_ms);
      });
      ({ tries, remark = "" } = await Promise.race([action(server, bench), late]));
      if (server.running) {
        await server.check_alive();
        leaked = await server.leaked_descriptors();
        const code = await server.end("SIGTERM");
        if (code !== end_exit_code) reason = `ended with ${code} after SIGTERM`;
      }
      if (existsSync(server.database)) server.check_database();
    } catch (error) {
      if (error instanceof Skip) {
        this.#skipped.push(`${name}: ${error.message}`);
        await server.end("SIGKILL");
        rmSync(directory, { recursive: true, force: true });
        return;
      }
      reason = String(error.message ?? error);
    }
    clearTimeout(timer);
    if (server.running) await server.end("SIGKILL");
    try {
      if (existsSync(server.database)) lost = server.lost_results();
    } catch (error) {
      reason ??= error.message;
    }
    if (reason === null && lost + server.crashes + leaked > 0) reason = "see the numbers";
    if (reason === null && tries === 0) reason = "nothing was tried";
    const result = reason === null ? "ok" : "FAILED";
    const time = `${((performance.now() - started) / 1e3).toFixed(1)} s`;
    const text = `${result} (${[time, remark].filter(Boolean).join("; ")})`;
    console.log(row_text([name, tries, lost, server.crashes, leaked, text]));
    if (reason !== null) {
      console.log(`${reason}\n${server.log_end()}`.replace(/^/gm, "    | "));
      this.#failed += 1;
    } else {
      this.#passed += 1;
    }
    rmSync(directory, { recursive: true, force: true });
  }

  /** The exit code. */
  finish() {
    for (const skipped of this.#skipped) console.log(`skipped: faults, ${skipped}`);
    const counts = [this.#passed, this.#failed, this.#skipped.length];
    console.log("%d passed, %d failed, %d skipped", ...counts);
    return this.#failed === 0 ? 0 : 1;
  }
}

/** A directory for a scenario that needs more than the server's. */
export function make_directory(...parts) {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
}
