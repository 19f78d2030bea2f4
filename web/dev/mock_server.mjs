// node dev/mock_server.mjs [--port 8080] [--dist DIRECTORY] [--seconds 6]
//
// The API with made-up numbers, for working on the page without a server: three finished searches
// and one failed, one with 20,000 trials and one whose traces have a million points; a submitted
// search runs for some seconds and streams its points. With --dist the
// built page is served too, under the security headers of the real server. Loopback only.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import * as fixture from "./fixture.mjs";
import { answer as answer_analyses } from "./mock_analyses.mjs";
import { answer as answer_fmus } from "./mock_fmus.mjs";
import { comparison, listed } from "./mock_lists.mjs";
import { answer as answer_trials, large_curves, numbered, step_times } from "./mock_trials.mjs";

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const port = Number(option("port", 8080));
const dist = option("dist", null);
const seconds = Number(option("seconds", 6));
const largest_body = 1 << 20;
const batches = 60;
const heartbeat_ms = 15_000;

const searches = new Map();
const streams = new Set();
let sequence = 0;
let created = 0;

function now() {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}

function add(fields) {
  const id = (++created).toString(16).padStart(12, "0");
  const curves = fixture.curves();
  const search = {
    id,
    name: "Double-actuator crane",
    problem: "double_actuator_crane",
    status: "succeeded",
    complete: true,
    ...{ note: "", tags: [], priority: 0, queue_position: null },
    created_at: now(),
    started_at: now(),
    finished_at: now(),
    progress: { curves_done: curves.length, curves_total: curves.length, trials_done: 2614 },
    recommendation: fixture.recommendation(),
    reason: null,
    job: fixture.job(),
    table: fixture.table(),
    paper_rule: fixture.paper_rule(),
    cost: { trials: 2614, rhs_evaluations: 61234567, wall_s: 1.93 },
    provenance: { version: "0.1.0", build_id: "mock", math_class: "mock" },
    curves,
    ...fields,
  };
  searches.set(id, search);
  return search;
}

const hours = (n) => new Date(Date.now() - n * 3.6e6).toISOString();
const nothing = { recommendation: null, table: null, paper_rule: null, complete: false };
add({
  ...nothing,
  name: "far too large H",
  status: "failed",
  created_at: hours(50),
  curves: [],
  reason: "No configuration has a linear region: every trial at the first H (20 ms) diverged.",
});
add({
  name: "throttle 8 mm <script>alert(1)</script>",
  note: "<b>the one to build</b>",
  tags: ["throttle", "<i>thesis</i>"],
  created_at: hours(3),
});
add({
  name: "stopped early",
  status: "cancelled",
  complete: false,
  created_at: hours(1.2),
  reason: "Cancelled; 57 curves are missing.",
  progress: { curves_done: 87, curves_total: 144, trials_done: 1402 },
});
const large = large_curves();
add({
  name: "20 000 trials",
  created_at: hours(0.5),
  curves: large,
  progress: { curves_done: 144, curves_total: 144, trials_done: 144 * large[0].points.length },
});
add({ name: "a million points", created_at: hours(0.4), million_points: true });
const rig_job = fixture.job();
rig_job.search.real_time = { share: 0.8 };
add({ created_at: hours(0.05), job: rig_job, step_times: step_times() });

function sentence_of({ status, recommendation, reason }) {
  if (status === "running") return null;
  if (recommendation) return fixture.sentence;
  return status === "failed"
    ? `The search failed: ${reason}`
    : `No configuration can be recommended: ${reason}`;
}

const summary = ({
  job,
  table,
  paper_rule,
  cost,
  provenance,
  curves,
  step_times,
  timer,
  ...rest
}) => rest;
const head = (search) => ({ ...summary(search), sentence: sentence_of(search) });
const without_points = ({ points, ...curve }) => curve;

function emit(search, kind, data) {
  const text = `event: ${kind}\nid: ${++sequence}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const stream of streams) {
    if (stream.search === null || stream.search === search.id) stream.response.write(text);
  }
}

/** All curves walk up in H together, a batch at a time. */
function run(search) {
  const all = numbered(fixture.curves());
  search.curves = all.map((curve) => ({
    ...curve,
    bend_s: null,
    cliff_s: null,
    slope: null,
    fit: null,
    reason: "",
    flags: [],
    counts: null,
    usable_s: null,
    limited_by: null,
    points: [],
  }));
  const total = Math.max(...all.map((curve) => curve.points.length));
  let batch = 0;
  search.timer = setInterval(
    () => {
      const points = [];
      const from = Math.floor((batch / batches) * total);
      const to = Math.floor((++batch / batches) * total);
      for (const curve of all) {
        for (const point of curve.points.slice(from, to)) {
          const told = { ...point, inside_linear_region: null };
          points.push({ curve_id: curve.id, ...told });
          search.curves[curve.id].points.push(told);
        }
      }
      search.progress = {
        curves_done: all.filter((curve) => curve.points.length <= to).length,
        curves_total: all.length,
        trials_done: search.progress.trials_done + points.length,
      };
      if (points.length > 0)
        emit(search, "points", { search: search.id, points, progress: search.progress });
      emit(search, "status", { search: search.id, status: "running", progress: search.progress });
      if (batch === batches) {
        search.curves = all;
        finish(search, "succeeded", {
          recommendation: fixture.recommendation(),
          table: fixture.table(),
          paper_rule: fixture.paper_rule(),
          complete: true,
        });
      }
    },
    (seconds * 1000) / batches,
  );
}

function finish(search, status, fields) {
  clearInterval(search.timer);
  Object.assign(search, fields, { status, finished_at: now() });
  const { recommendation, reason } = search;
  const sentence = sentence_of(search);
  emit(search, "finished", { search: search.id, status, recommendation, reason, sentence });
}

function mistakes(job) {
  const errors = [];
  const wrong = (pointer, detail) => errors.push({ pointer, detail });
  const step = job.search?.macro_step ?? {};
  if (!(step.initial_s > 0))
    wrong("/search/macro_step/initial_s", "must be a number greater than 0");
  if (!(step.increment_s > 0))
    wrong("/search/macro_step/increment_s", "must be a number greater than 0");
  if (!(step.maximum_s >= step.initial_s))
    wrong("/search/macro_step/maximum_s", "must not be below initial_s");
  if (job.search?.extrapolation?.length === 0)
    wrong("/search/extrapolation", "must name at least one extrapolation");
  if (job.tests?.length === 0) wrong("/tests", "must hold at least one test");
  for (const [path, value] of Object.entries(job.parameters ?? {})) {
    if (typeof value !== "number" || value < 0)
      wrong(`/parameters/${path}`, "must be a number from 0 to its maximum");
  }
  return errors;
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(body === null ? "" : JSON.stringify(body));
}

function send_problem(response, status, title, detail, errors) {
  response.writeHead(status, { "Content-Type": "application/problem+json" });
  response.end(JSON.stringify({ type: "about:blank", title, status, detail, errors }));
}

/** Plausible numbers: every axis multiplies. */
function dry_run(job) {
  const { extrapolation = ["0"], integrators = {} } = job.search ?? {};
  const configurations = Object.values(integrators).reduce(
    (count, names) => count * names.length,
    extrapolation.length,
  );
  const curves = configurations * (job.tests?.length ?? 1);
  const estimate = {
    trials_max: curves * 100,
    trials_expected: curves * 20,
    seconds_expected: curves * 0.02,
    seconds_max: curves,
    threads: 2,
  };
  return { configurations, curves, estimate, job };
}

function create(response, text, is_dry_run) {
  let job;
  try {
    job = JSON.parse(text);
  } catch {
    return send_problem(response, 400, "The body is not JSON", "");
  }
  const errors = mistakes(job);
  if (errors.length > 0) {
    return send_problem(response, 422, "The job has errors", `${errors.length} found`, errors);
  }
  if (is_dry_run) return send(response, 200, dry_run(job));
  const search = add({
    ...nothing,
    name: job.name ?? "",
    problem: typeof job.problem === "string" ? job.problem : "own",
    job,
    status: "running",
    finished_at: null,
    cost: null,
    progress: { curves_done: 0, curves_total: 144, trials_done: 0 },
  });
  run(search);
  send(response, 202, head(search), { Location: `/api/v1/searches/${search.id}` });
}

function stream(response, search) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(": hello\n\n");
  const entry = { response, search };
  streams.add(entry);
  const heartbeat = setInterval(() => response.write(": heartbeat\n\n"), heartbeat_ms);
  response.on("close", () => {
    streams.delete(entry);
    clearInterval(heartbeat);
  });
}

function api(request, response, url, text) {
  const parts = url.pathname.replace("/api/v1/", "").split("/");
  if (parts[0] === "executors")
    return send(response, 200, { default: "local", executors: [{ name: "local", templates: [] }] });
  if (parts[0] === "problems") return send(response, 200, { problems: fixture.problems() });
  if (parts[0] === "events") return stream(response, url.searchParams.get("search"));
  if (parts[0] === "fmus") {
    const name = url.searchParams.get("name");
    const [status, body, title] = answer_fmus(request.method, parts[1], name, text);
    if (title) return send_problem(response, status, title, body.detail);
    return send(response, status, body);
  }
  if (parts[0] === "compare") {
    const ids = (url.searchParams.get("ids") ?? "").split(",");
    const found = ids.map((id) => searches.get(id)).filter((one) => one !== undefined);
    if (found.length === ids.length) return send(response, 200, comparison(found));
    return send_problem(response, 404, "No such search", ids.join(", "));
  }
  const is_dry_run = url.searchParams.has("dry_run");
  if (parts[0] === "analyses") {
    return send(response, ...answer_analyses(request.method, parts[1], parts[2], is_dry_run, text));
  }
  if (parts[0] !== "searches") return send_problem(response, 404, "Not found", url.pathname);
  if (parts.length === 1 && request.method === "POST") return create(response, text, is_dry_run);
  if (parts.length === 1) {
    return send(response, 200, {
      searches: listed([...searches.values()], url.searchParams).map(head),
      next: null,
    });
  }
  const search = searches.get(parts[1]);
  if (!search) return send_problem(response, 404, "No such search", parts[1]);
  if (parts.length === 2 && request.method === "DELETE") {
    searches.delete(search.id);
    return send(response, 204, null);
  }
  if (parts.length === 2 && request.method === "PATCH") {
    Object.assign(search, JSON.parse(text));
    const { id, name, note, tags, priority } = search;
    emit(search, "changed", { search: id, name, note, tags, priority });
    return send(response, 200, head(search));
  }
  if (parts[2] === "resume") {
    search.status = "running";
    run(search);
    return send(response, 200, head(search));
  }
  if (parts[2] === "curves") return send(response, 200, { curves: numbered(search.curves) });
  if (parts[2] === "cancel") {
    if (search.status === "running")
      finish(search, "cancelled", { reason: "Cancelled by the user." });
    return send(response, 200, head(search));
  }
  const told = answer_trials(search, request.method, parts.slice(2), url.searchParams);
  if (told?.status === 404) return send_problem(response, 404, "No such trial", parts[3]);
  if (told?.text !== undefined) {
    response.writeHead(200, { "Content-Type": told.type });
    return response.end(told.text);
  }
  if (told) return send(response, told.status, told.body);
  const { timer, million_points, ...fields } = search;
  send(response, 200, {
    ...fields,
    sentence: sentence_of(search),
    flag_meanings: fixture.flag_meanings,
    curves: search.curves.map(without_points),
  });
}

function page(response, path) {
  const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
  const file = join(dist, normalize(path === "/" ? "/index.html" : path));
  try {
    const body = readFileSync(file);
    const type = types[file.split(".").pop()] ?? "application/octet-stream";
    response.writeHead(200, {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
    });
    response.end(body);
  } catch {
    send_problem(response, 404, "Not found", path);
  }
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://127.0.0.1");
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
    if (text.length > largest_body) request.destroy();
  });
  request.on("end", () => {
    if (url.pathname.startsWith("/api/v1/")) api(request, response, url, text);
    else if (dist) page(response, url.pathname);
    else
      send_problem(response, 404, "Not found", "only the API is here; the page is served by vite");
  });
});
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
