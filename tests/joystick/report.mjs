// Holds the recommendation that macrostep makes from its test inputs against a joystick record that
// it has not seen: prints the tables of README.md and draws its pictures.
//
//   node tests/joystick/report.mjs [MACROSTEP]     default: build/release/server/macrostep
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { plot } from "./plot.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const binary = process.argv[2] ?? join(here, "../../build/release/server/macrostep");
const scratch = mkdtempSync(join(tmpdir(), "macrostep-joystick-"));
const output_limit_bytes = 64 << 20;

const cranes = [
  {
    problem: "single_actuator_crane",
    title: "single actuator",
    s: "s",
    s_dot: "s_dot",
    range: [0.44, 0.76],
    shown_ms: [0.2, 0.6, 1, 1.4, 1.8, 2, 2.2, 2.4, 2.6],
  },
  {
    problem: "double_actuator_crane",
    title: "double actuator",
    s: "s_2", // the one that fails first
    s_dot: "s_dot_2",
    range: [0.36, 0.7],
    shown_ms: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6],
  },
];
const orders = ["0", "1", "2", "3", "4", "i2"];
const colours = { 0: "#666666", 1: "#d95f02", 2: "#1b62b5", 3: "#2a9134", 4: "#b5338a", i2: "#c9a400" };
const name_of = (order) => (order === "i2" ? "I2" : `m = ${order}`);
const reference_colour = "#000000";
/** As in tables 4 and 5 of the paper, whatever the test. */
const integrators = { mechanics: ["i1al"], hydraulics: ["forward_euler"] };

function macrostep(...args) {
  return execFileSync(binary, args, { encoding: "utf8", maxBuffer: output_limit_bytes });
}

/** By the residual alone, as the paper does. */
const by_residual = { linear_region: { rule: "local_power_law" }, stability_check: "exact" };

function search(job) {
  job.search = { ...by_residual, ...job.search };
  const file = join(scratch, "job.json");
  writeFileSync(file, JSON.stringify(job));
  return JSON.parse(macrostep("search", file, "--json"));
}

/** A run under the joystick with its trace: a failed one ends with 1, and shows how far it came. */
function run(problem, extrapolation, macro_step_s) {
  const csv = join(scratch, "trace.csv");
  const args = ["run", problem, "--macro-step", macro_step_s, "--extrapolation", extrapolation];
  const more = ["--test", "joystick", "--json", "--csv", csv];
  const ended = spawnSync(binary, [...args, ...more], { encoding: "utf8" });
  return { ...JSON.parse(ended.stdout), trace: read_csv(readFileSync(csv, "utf8")) };
}

function read_csv(csv) {
  const [header, ...rows] = csv.trim().split("\n").map((line) => line.split(","));
  const columns = Object.fromEntries(header.map((name) => [name, []]));
  for (const row of rows) {
    row.forEach((cell, i) => columns[header[i]].push(Number(cell)));
  }
  return columns;
}

const ms = (seconds) => (seconds === null ? "–" : `${Number((1e3 * seconds).toPrecision(4))} ms`);
const percent = (share) => (share === null ? "–" : `${Number((100 * share).toPrecision(2))} %`);
const joules = (energy) =>
  energy < 1e4 ? Number(energy.toPrecision(3)) : energy.toExponential(1).replace("e+", "e");
const ending = ({ status, final_time_s }) =>
  status === "complete" ? status : `${status} at ${final_time_s.toFixed(1)} s`;
const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
const head = (...cells) => {
  row(...cells);
  console.log(`|${"---|".repeat(cells.length)}`);
};

// --- what the record itself allows ----------------------------------------------------------------

function own_curves({ problem }) {
  const found = search({ problem, search: { integrators }, tests: [{ name: "joystick" }] });
  return Object.fromEntries(found.curves.map((curve) => [curve.configuration.extrapolation, curve]));
}

function print_curves({ title, shown_ms }, curves) {
  console.log(`\nE in J at H, ${title}:\n`);
  head("extrapolation", ...shown_ms.map((h) => `${h} ms`), "bend", "cliff");
  for (const order of orders) {
    const { points, bend_s, cliff_s } = curves[order];
    const cells = shown_ms.map((h) => {
      const point = points.find(({ macro_step_s }) => Math.abs(1e3 * macro_step_s - h) < 1e-6);
      return !point ? "" : point.status === "complete" ? joules(point.residual_J) : "–";
    });
    row(order, ...cells, ms(bend_s), ms(cliff_s));
  }
}

function curve_panel({ title }, curves) {
  const lines = orders.map((order) => ({
    points: curves[order].points.map((p) => [1e3 * p.macro_step_s, p.residual_J]),
    colour: colours[order],
    marks: true,
  }));
  return {
    title,
    x: { label: "H in ms", range: [0, 3] },
    y: { label: "E in J", range: [0.1, 1e4], log: true },
    lines,
  };
}

// --- what the test inputs recommend ---------------------------------------------------------------

/** What is recommended, and what lies one or two steps of the scan beside it. */
function print_runs(crane, chosen) {
  const { extrapolation, macro_step_s } = chosen;
  const what = `m = ${extrapolation}, H = ${ms(macro_step_s)}`;
  console.log(`\nRecommended from the test inputs, ${crane.title}: ${what}\n`);
  head("under the joystick", "ends", "E", "relative residual", "NRMSE");
  const scan_step_s = 2e-4;
  for (const step of [-1, 0, 1, 2]) {
    const h = Number((macro_step_s + step * scan_step_s).toPrecision(6));
    const result = run(crane.problem, extrapolation, h);
    const complete = result.status === "complete";
    row(
      step === 0 ? `**${ms(h)}**` : ms(h),
      ending(result),
      complete ? `${joules(result.residual_J)} J` : "–",
      complete ? percent(result.relative_residual) : "–",
      complete ? percent(result.error.nrmse) : "–",
    );
  }
}

// --- traces ---------------------------------------------------------------------------------------

function points(trace, name, [from_s, to_s], every = 1) {
  const result = [];
  trace.t.forEach((t, i) => {
    if (t >= from_s && t <= to_s && i % every === 0) {
      result.push([t, trace[name][i]]);
    }
  });
  return result;
}

/** The root mean square error of a column over the standard deviation of the reference. */
function error_of(trace, reference, name) {
  const rows = Math.min(trace.t.length, reference.t.length);
  const truth = reference[name].slice(0, rows);
  const mean = truth.reduce((sum, value) => sum + value, 0) / rows;
  const sum_2 = (values) => values.reduce((sum, value) => sum + value * value, 0);
  const errors = truth.map((value, i) => trace[name][i] - value);
  return Math.sqrt(sum_2(errors) / sum_2(truth.map((value) => value - mean)));
}

/** One trial against the reference: the cylinder's length, and its rate in a window of time. */
function trace_panels({ problem, title, s, s_dot, range }, order, macro_step_s, window_s) {
  const result = run(problem, order, macro_step_s);
  const { trace } = result;
  const times = ["--interval", macro_step_s, "--test", "joystick"];
  const reference = read_csv(macrostep("reference", problem, ...times));
  const [length, rate] = [`mechanics.${s}`, `mechanics.${s_dot}`];
  const all = [0, 20];
  const every = Math.ceil(0.1 / macro_step_s);
  const lines = (name, window, step) => [
    { points: points(trace, name, window, step), colour: colours[order] },
    { points: points(reference, name, window, step), colour: reference_colour, dashed: true },
  ];
  const complete = result.status === "complete";
  row(
    title,
    order,
    ms(macro_step_s),
    ending(result),
    complete ? `${joules(result.residual_J)} J` : "–",
    ...[length, rate].map((name) => (complete ? percent(error_of(trace, reference, name)) : "–")),
  );
  const what = `${title}, ${name_of(order)}, ${ms(macro_step_s)}`;
  const symbol = s.replace("_", "");
  return [
    {
      title: what,
      x: { label: "t in s", range: all },
      y: { label: `${symbol} in m`, range },
      lines: lines(length, all, every),
    },
    {
      title: `${what}: rate`,
      x: { label: "t in s", range: window_s },
      y: { label: `d${symbol}/dt in m/s`, range: [-0.1, 0.1] },
      lines: lines(rate, window_s, 1),
    },
  ];
}

// --- all of it ------------------------------------------------------------------------------------

try {
  const panels = [];
  for (const crane of cranes) {
    const curves = own_curves(crane);
    print_curves(crane, curves);
    panels.push(curve_panel(crane, curves));
    print_runs(crane, search({ problem: crane.problem }).recommendation);
  }
  const names = orders.map((order) => ({ name: name_of(order), colour: colours[order] }));
  writeFileSync(join(here, "curves.svg"), plot(panels, 2, names));

  const [single, double] = cranes;
  // Where they fail: as the cylinder leaves its extended end, as it arrives at the retracted one.
  const leaving = [17.8, 18.8];
  const arriving = [2.9, 3.5];
  console.log("\nInside and beyond the bend:\n");
  head("crane", "extrapolation", "H", "ends", "E", "error of the length", "error of the rate");
  const traces = [
    ...trace_panels(single, "2", 0.0022, leaving),
    ...trace_panels(single, "1", 0.0022, leaving),
    ...trace_panels(single, "0", 0.0014, leaving),
    ...trace_panels(double, "2", 0.0016, arriving),
    ...trace_panels(double, "2", 0.0018, arriving),
    ...trace_panels(double, "i2", 0.0016, arriving),
    ...trace_panels(double, "0", 0.001, arriving),
  ];
  const monolithic = { name: "monolithic", colour: reference_colour, dashed: true };
  const legend = [monolithic, ...names.filter((_, i) => ["0", "1", "2", "i2"].includes(orders[i]))];
  writeFileSync(join(here, "traces.svg"), plot(traces, 2, legend));
} finally {
  rmSync(scratch, { recursive: true });
}
