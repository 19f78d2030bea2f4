// Runs macrostep on jobs and writes tables in Markdown.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output_limit_bytes = 256 << 20;

export const binary = process.argv[2] ?? join(here, "../../build/release/server/macrostep");
const scratch = mkdtempSync(join(tmpdir(), "macrostep-energy-"));
process.on("exit", () => rmSync(scratch, { recursive: true }));

/** A job of a case: {problem, coupling, extrapolation, parameters, substeps, tests, …}. */
function job_file(job, name = "job.json") {
  const { problem, parameters, substeps, micro_steps, integrators, tests } = job;
  const search = integrators && {
    integrators: Object.fromEntries(Object.entries(integrators).map(([group, i]) => [group, [i]])),
  };
  const file = join(scratch, name);
  writeFileSync(file, JSON.stringify({ problem, parameters, substeps, micro_steps, search, tests }));
  return file;
}

function settings_of({ coupling, macro_step_s, extrapolation }) {
  return ["--coupling", coupling, "--macro-step", macro_step_s, "--extrapolation", extrapolation];
}

function answer(args) {
  const ended = spawnSync(binary, args, { encoding: "utf8", maxBuffer: output_limit_bytes });
  if (!ended.stdout.startsWith("{")) {
    throw new Error(`macrostep ${args.join(" ")}\n${ended.stderr}${ended.stdout}`);
  }
  return JSON.parse(ended.stdout);
}

/**
 * One run, with a correction {mu, nu, limit, …} or without; mu: null is the formula's. `more`: further
 * arguments. A run that does not complete is told by its status.
 */
export function run(job, test, correction, more = []) {
  const args = ["run", job_file(job), ...settings_of(job), "--test", test, "--json", ...more];
  if (correction) {
    args.push("--correction", "energy");
    for (const [name, value] of Object.entries(correction)) {
      if (value !== null) {
        args.push("--set", `correction.${name}=${value}`);
      }
    }
  }
  const result = answer(args);
  if (!("status" in result)) {
    throw new Error(JSON.stringify(result));
  }
  return result;
}

/** The monolithic solution at the communication points, into a file of CSV. */
export function reference(job, test, csv) {
  const args = ["reference", job_file(job), "--coupling", job.coupling, "--test", test];
  const ended = spawnSync(binary, [...args, "--interval", job.macro_step_s, "--csv", csv]);
  if (ended.status !== 0) {
    throw new Error(ended.stderr.toString());
  }
}

/** Rows of numbers by column. */
export function read_csv(file) {
  const [header, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, Number(row[i])])));
}

export const in_scratch = (name) => join(scratch, name);

/** On the tests of the problem's default job, and on those of `also`, jobs too. */
export function tune(job, also, more = []) {
  const others = also.flatMap((other, i) => ["--also", job_file(other, `also${i}.json`)]);
  return answer(["tune", job_file(job), ...settings_of(job), ...others, "--json", ...more]);
}

const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
export const table = (head, rows) => {
  console.log();
  row(...head);
  console.log(`|${"---|".repeat(head.length)}`);
  rows.forEach((cells) => row(...cells));
};
export const digits = (value, count = 3) =>
  value === null || value === undefined || !Number.isFinite(value)
    ? "–"
    : String(Number(value.toPrecision(count)));
export const percent = (share, count = 2) => {
  const text = digits(share === null ? null : 100 * share, count);
  return text === "–" ? text : `${text} %`;
};
