// One binary of macrostep with a home of its own, and what it answers as numbers by name.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { add, add_csv, add_json, add_rows, label_of } from "./numbers.mjs";

const command_limit_ms = 900e3;
const end_of_errors = 400; // characters that are shown

/** Runs the program for one case in an empty folder and gathers `numbers`. */
export class Program {
  numbers = new Map();

  constructor(binary, folder) {
    this.binary = binary;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("MACROSTEP_"));
    this.environment = { ...Object.fromEntries(environment), HOME: folder, NO_COLOR: "1", LC_ALL: "C" };
    for (const name of ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]) delete this.environment[name];
  }

  path(name) {
    return join(this.folder, name);
  }

  /** Writes a file of JSON and returns its path. */
  json_file(name, value) {
    writeFileSync(this.path(name), JSON.stringify(value));
    return this.path(name);
  }

  /** {code, stdout, stderr} of a command. */
  async run(...args) {
    return await new Promise((resolve, reject) => {
      const child = spawn(this.binary, args.map(String), {
        cwd: this.folder,
        env: this.environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const texts = { stdout: [], stderr: [] };
      for (const name of Object.keys(texts)) child[name].on("data", (data) => texts[name].push(data));
      const timer = setTimeout(() => child.kill("SIGKILL"), command_limit_ms);
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        if (code === null) reject(new Error(`macrostep ${args.join(" ")} ended by ${signal}`));
        const text = (name) => Buffer.concat(texts[name]).toString();
        resolve({ code, stdout: text("stdout"), stderr: text("stderr") });
      });
    });
  }

  /** A command that must succeed. */
  async must(...args) {
    const ended = await this.run(...args);
    if (ended.code !== 0) {
      throw new Error(`macrostep ${args.join(" ")}: ${(ended.stderr + ended.stdout).slice(-end_of_errors)}`);
    }
    return ended.stdout;
  }

  /** Adds what a command answers with --json, and how it ends, which may be a failure. */
  async answer(name, ...args) {
    const ended = await this.run(...args, "--json");
    add(this.numbers, name === "" ? "exit_code" : `${name}.exit_code`, ended.code);
    if (!ended.stdout.startsWith("{")) {
      if (ended.code === 0) throw new Error(`macrostep ${args.join(" ")} wrote no JSON`);
      return null;
    }
    const json = JSON.parse(ended.stdout);
    add_json(this.numbers, name, json);
    return json;
  }

  csv(name, file) {
    add_csv(this.numbers, name, readFileSync(this.path(file), "utf8"));
  }

  /** A search with what it leaves in a database. */
  async search(job, ...options) {
    await this.answer("", "search", job, "--db", this.path("searches.db"), ...options);
    this.views("searches.db");
  }

  // Rows of a view with all bits of its numbers.
  #rows(database, view, from = view) {
    const file = this.path(database);
    const sqlite = (sql) => {
      const ended = spawnSync("sqlite3", ["-readonly", "-json", file, sql], {
        encoding: "utf8",
        maxBuffer: 1 << 30,
      });
      if (ended.status !== 0) throw new Error(`${view}: ${ended.stderr}`);
      return ended.stdout.trim() === "" ? [] : JSON.parse(ended.stdout);
    };
    const columns = sqlite(`SELECT name FROM pragma_table_info('${view}')`).map(({ name }) => name);
    const exact = columns.map(
      (column) =>
        `CASE typeof(v."${column}") WHEN 'real' THEN 'r' || hex(ieee754_to_blob(v."${column}")) ` +
        `WHEN 'integer' THEN 'i' || v."${column}" WHEN 'null' THEN NULL ELSE 't' || v."${column}" END ` +
        `AS "${column}"`,
    );
    return sqlite(`SELECT ${exact.join(", ")} FROM ${from} AS v`).map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, text]) => [column, value_of(text)])),
    );
  }

  views(database) {
    const recommendations = this.#rows(database, "v_recommendations");
    add_rows(this.numbers, "v_recommendations", recommendations, ({ rule }) => `[${rule}]`);
    const of_curve = (row) => `[${label_of(row)}, ${row.test}].rows`;
    const place_of = (row) => `${of_curve(row)}[${row.macro_step_s}]`;
    const trials = this.#rows(database, "v_trials");
    add_rows(this.numbers, "v_trials", trials.map(without_identity), (row) => place_of(row.whole));
    const points = this.#rows(database, "v_residual_curves");
    add_rows(this.numbers, "v_residual_curves", points.map(without_identity), (row) => place_of(row.whole));
    const by_id = new Map(trials.map((row) => [row.trial_id, row]));
    for (const row of this.#rows(database, "v_indicators")) {
      if (row.indicator === "wall_time") continue;
      const which = [row.indicator, row.power_bond].filter((part) => part !== null).join(" ");
      add(this.numbers, `v_indicators${place_of(by_id.get(row.trial_id))}.${which}`, row.value);
    }
  }
}

const identity_columns = [
  ...["test", "coupling", "scheme", "extrapolation", "integrators", "correction", "substeps"],
  ...["subsystem_order", "macro_step_s"],
];
function without_identity(row) {
  const rest = { ...row, whole: row };
  for (const column of identity_columns) delete rest[column];
  Object.defineProperty(rest, "whole", { enumerable: false });
  return rest;
}

const buffer = new DataView(new ArrayBuffer(8));
function value_of(text) {
  if (text === null) return null;
  const rest = text.slice(1);
  if (text[0] === "i") return Number(rest);
  if (text[0] === "t") return rest;
  buffer.setBigUint64(0, BigInt(`0x${rest}`));
  return buffer.getFloat64(0);
}
