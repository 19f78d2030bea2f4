// What chunks of a search cost beside their trials, measured on the Slurm that throughput.sh has
// started, and what follows for many nodes. Arguments: a scratch folder, and slurmctld's process id.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [scratch, controller] = process.argv.slice(2);
const program = process.env.MACROSTEP_BINARY;
const repeats = 5;
const poll_s = 2; // of squeue (server/schedulers/slurm.cpp)
const most_tasks = 1000; // of an array (server/schedulers/batch_system.hpp)
const processors = 32; // of a node in the tables

/** Wall and processor time, in s, of a program that must succeed. */
function time(command, args, options = {}) {
  const result = spawnSync("bash", ["-c", 'TIMEFORMAT="%3R %3U %3S"; time "$@"', "_", command, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    ...options,
  });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${result.stderr}`);
  const [wall, user, system] = result.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall, cpu: user + system, out: result.stdout };
}

/** The wall time that was least disturbed, on a machine that is shared. */
const least = (numbers) => Math.min(...numbers);
const again = (count, run) => Array.from({ length: count }, (_, index) => run(index));
const modified = (file) => statSync(file).mtimeMs / 1e3;

/** Least squares: numbers x with rows · x = values, by the normal equations. */
function fit(rows, values) {
  const size = rows[0].length;
  const sum = (of) => rows.reduce((total, row, i) => total + of(row, values[i]), 0);
  const matrix = again(size, (i) => [
    ...again(size, (j) => sum((row) => row[i] * row[j])),
    sum((row, value) => row[i] * value),
  ]);
  for (let i = 0; i < size; ++i)
    for (let k = 0; k < size; ++k)
      if (k !== i) {
        const factor = matrix[k][i] / matrix[i][i];
        matrix[k] = matrix[k].map((value, j) => value - factor * matrix[i][j]);
      }
  return matrix.map((row, i) => row[size] / row[i]);
}

// --- the coordinator: folders whose shards are all there -----------------------------------------
function job_file(name, job) {
  const file = join(scratch, `${name}.json`);
  writeFileSync(file, JSON.stringify(job));
  return file;
}

function oscillator(increment_s) {
  const macro_step = { initial_s: increment_s, increment_s };
  const linear_region = { scan: "arithmetic" };
  const search = { macro_step, linear_region, stability_check: "none" };
  return { problem: "linear_oscillator", search };
}

function search(name, job, folder, minutes, more = []) {
  const database = join(scratch, `${name}.db`);
  for (const end of ["", "-wal", "-shm"]) rmSync(database + end, { force: true });
  const chunks = folder ? ["--chunk-folder", folder, "--chunk-minutes", String(minutes)] : [];
  return time(program, ["search", job, "--db", database, "--no-reference", ...chunks, ...more]);
}

function trials_in(name) {
  const query = ["-readonly", join(scratch, `${name}.db`), "SELECT count(*) FROM trials"];
  return Number(spawnSync("sqlite3", query, { encoding: "utf8" }).stdout);
}

function imports() {
  const rows = [];
  const values = [];
  let manifest_s = 0;
  for (const [size, increment_s] of Object.entries({ few: 4e-4, many: 1e-4 })) {
    const job = job_file(size, oscillator(increment_s));
    for (const [cut, minutes] of Object.entries({ one: 600, each: 1e-9 })) {
      const name = `${size}-${cut}`;
      const folder = join(scratch, name);
      const command = ["--executor", "command", "--threads", "2"];
      search(name, job, folder, minutes, command);
      let tasks = 0;
      while (exists(join(folder, "round-0", `${tasks}.shard`))) ++tasks;
      const cpu = least(again(repeats, () => search(name, job, folder, minutes, command).cpu));
      rows.push([1, tasks, trials_in(name)]);
      values.push(cpu);
      if (tasks > 1) {
        const file = (task) => join(folder, "round-0", `${task}.json`);
        manifest_s = (modified(file(tasks - 1)) - modified(file(0))) / (tasks - 1);
      }
    }
  }
  const [start_s, shard_s, trial_s] = fit(rows, values);
  return { rows: rows.map((row, i) => [...row.slice(1), values[i]]), start_s, shard_s, trial_s, manifest_s };
}

function exists(file) {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

// --- a task: a chunk with one trial --------------------------------------------------------------
function chunk_start() {
  const folder = join(scratch, "few-each", "round-0");
  const manifest = JSON.parse(readFileSync(join(folder, "0.json"), "utf8"));
  const file = join(scratch, "one-trial.json");
  writeFileSync(file, `${JSON.stringify({ ...manifest, most_trials: 1 })}\n`);
  const run = () => time(program, ["run-chunk", "--manifest", file, "--out", join(scratch, "one.shard")]);
  return least(again(2 * repeats, run).map((one) => one.wall));
}

// --- Slurm ---------------------------------------------------------------------------------------
function submit(tasks, more) {
  const array = `--array=0-${tasks - 1}`;
  const args = ["--parsable", array, "--output=/dev/null", ...more, "--wrap", "true"];
  return time("sbatch", args, { cwd: scratch });
}

function submissions() {
  const rows = [];
  const values = [];
  for (const tasks of [1, 100, 1000]) {
    const walls = again(repeats, () => {
      const { wall, out } = submit(tasks, ["--hold"]);
      time("scancel", [out.trim()]);
      return wall;
    });
    rows.push([1, tasks]);
    values.push(least(walls));
  }
  const [array_s, task_s] = fit(rows, values);
  return { array_s, task_s: Math.max(task_s, 0) };
}

/** Processor time of slurmctld so far. */
function controller_cpu() {
  const fields = readFileSync(`/proc/${controller}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Tasks that do nothing, on the two processors of the node. */
function turnover() {
  const tasks = 40;
  const before = controller_cpu();
  const start = Date.now();
  submit(tasks, []);
  const end = start + 300e3;
  while (time("squeue", ["--noheader"]).out !== "") {
    if (Date.now() > end) throw new Error("tasks that do nothing do not end");
    spawnSync("sleep", ["0.2"]);
  }
  const wall_s = (Date.now() - start) / 1e3;
  return { slot_s: (2 * wall_s) / tasks, controller_s: (controller_cpu() - before) / tasks };
}

// --- the model -----------------------------------------------------------------------------------
/** Seconds of a search: `work_s` on one processor in all, divided into chunks. */
function predicted(k, { slots, threads, chunks, work_s, trials }) {
  const rounds = Math.ceil(chunks / most_tasks);
  const tasks = chunks / rounds;
  const submission = tasks * (k.manifest_s + k.task_s) + k.array_s;
  const waves = Math.ceil(tasks / slots);
  const running = waves * (work_s / chunks / threads + k.start_s + k.slot_s);
  const coming_in = tasks * k.shard_s + (trials / rounds) * k.trial_s;
  const launching = tasks * k.controller_s;
  const parts = { running, "taking in": coming_in, launching };
  const [limit, longest] = Object.entries(parts).sort((a, b) => b[1] - a[1])[0];
  const round_s = submission + longest + poll_s;
  // Processors that have no task, or trials that run on all of them.
  const why = limit === "running" ? (tasks < slots ? "tasks" : "processors") : limit;
  return { seconds: k.coordinator_s + rounds * round_s, limit: why };
}

/** With the chunks that suit it best, of those that the options allow. */
function best(k, nodes, trial_s, threads, trials) {
  const work_s = trials * trial_s;
  const slots = (nodes * processors) / threads;
  const most = trials / 25; // a curve has so many, and is never divided
  const sizes = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800];
  const all = sizes.flatMap((chunk_s) => {
    const chunks = Math.ceil(work_s / (chunk_s * threads));
    if (chunks > most) return [];
    return [{ chunk_s, ...predicted(k, { slots, threads, chunks, work_s, trials }) }];
  });
  if (all.length === 0) return null;
  const found = all.sort((a, b) => a.seconds - b.seconds)[0];
  return { ...found, rate: trials / found.seconds, share: work_s / found.seconds / (nodes * processors) };
}

// --- a search on this Slurm beside what the model says -------------------------------------------
function crane() {
  const macro_step = { initial_s: 4e-4, increment_s: 4e-4, maximum_s: 0.02 };
  const integrators = { mechanics: ["i1al"], hydraulics: ["forward_euler"] };
  const space = { extrapolation: ["0", "1", "2"], integrators, macro_step, stability_check: "none" };
  return { problem: "double_actuator_crane", micro_steps: { hydraulics: 2e-7 }, search: space };
}

function validations(k) {
  const job = job_file("crane", crane());
  const local = search("crane", job, null, 0, ["--threads", "1"]);
  const trials = trials_in("crane");
  return [0.002, 0.02, 1].map((minutes) => {
    const folder = join(scratch, `crane-${minutes}`);
    const slurm = ["--executor", "slurm", "--partition", "short"];
    const { wall } = search("crane", job, folder, minutes, slurm);
    let chunks = 0;
    while (exists(join(folder, "round-0", `${chunks}.shard`))) ++chunks;
    const said = predicted(k, { slots: 2, threads: 1, chunks, work_s: local.cpu, trials });
    return { chunks, work_s: local.cpu, seconds: said.seconds, wall };
  });
}

const shown = (value, digits = 3) => Number(value.toPrecision(digits));
const line = (cells) => console.log(`| ${cells.join(" | ")} |`);

mkdirSync(scratch, { recursive: true });
const coordinator = imports();
const slurm = { ...submissions(), ...turnover() };
const constants = {
  coordinator_s: coordinator.start_s,
  shard_s: coordinator.shard_s,
  trial_s: coordinator.trial_s,
  manifest_s: coordinator.manifest_s,
  start_s: chunk_start(),
  ...slurm,
};

console.log("shards, trials, processor time of the coordinator in s:");
for (const row of coordinator.rows) line(row.map((value) => shown(value)));
console.log("\nconstants in ms:");
for (const [name, value] of Object.entries(constants)) line([`\`${name}\``, shown(value * 1e3)]);
console.log("\nchunks, work in s, model in s, measured in s:");
for (const one of validations(constants))
  line([one.chunks, shown(one.work_s), shown(one.seconds), shown(one.wall)]);
for (const threads of [1, processors]) {
  console.log(`\nmillion trials, nodes of ${processors} processors, --threads ${threads}:`);
  for (const trial_s of [1e-3, 1e-2, 0.1, 1]) {
    const cells = [1, 10, 100, 1000].map((nodes) => {
      const found = best(constants, nodes, trial_s, threads, 1e6);
      if (!found) return "–";
      const { rate, share, chunk_s, limit } = found;
      return `${shown(rate, 2)}/s, ${shown(100 * share, 2)} %, ${chunk_s} s, ${limit}`;
    });
    line([`${trial_s * 1e3} ms`, ...cells]);
  }
}
