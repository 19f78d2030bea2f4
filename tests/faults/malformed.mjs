// Requests that two programs could read differently, bodies that lie about their length or never
// end, and JSON that is none. Nothing of it may store anything, and none gets two answers.
import { once } from "node:events";
import { check, check_equal } from "../journey/chapters.mjs";
import { connect, exchange, status_of } from "./raw_http.mjs";

const refused_limit_ms = 30_000;
const endless_bytes_max = 64 << 20; // the server's limit is 8 MiB
const body_limit_bytes = 8 << 20; // the server's
const piece_bytes = 64 << 10;
const deep_levels = 100_000;
const long_text_bytes = 10_000_000;
const numbers_in_array = 400_000;

const job = '{"problem": "linear_oscillator", "name": "smuggled"}';

async function check_nothing_stored(server) {
  const { searches } = await server.get("/searches");
  check_equal(
    searches.map((one) => one.name),
    [],
    "searches that were stored",
  );
}

/** [what, bytes, statuses]: with a list the request is read in one way, and answered so; without
    one it is refused, by a single answer or by none, and the connection is closed. */
function smuggling_table(host) {
  const get = (...headers) => `${["GET /healthz HTTP/1.1", ...headers].join("\r\n")}\r\n\r\n`;
  const host_line = `Host: ${host}`;
  const json = "Content-Type: application/json";
  const length = (text) => `Content-Length: ${text.length}`;
  const submission = ["POST /api/v1/searches HTTP/1.1", host_line, json, length(job)];
  const inner = `${submission.join("\r\n")}\r\n\r\n${job}`;
  const hex = inner.length.toString(16);
  const post = (headers, body) =>
    `${["POST /api/v1/none HTTP/1.1", host_line, json, ...headers].join("\r\n")}\r\n\r\n${body}`;
  const chunked = "Transfer-Encoding: chunked";
  return [
    ["length and chunks", post([length(`0\r\n\r\n${inner}`), chunked], `0\r\n\r\n${inner}`)],
    ["chunks and length", post([chunked, "Content-Length: 4"], `${hex}\r\n${inner}\r\n0\r\n\r\n`)],
    ["two lengths", post(["Content-Length: 0", length(inner)], inner)],
    ["two equal lengths", post([length(inner), length(inner)], inner)],
    ["a list of lengths", post([`Content-Length: 0, ${inner.length}`], inner)],
    ["a signed length", post([`Content-Length: +${inner.length}`], inner)],
    ["a negative length", post(["Content-Length: -1"], inner)],
    ["a hexadecimal length", post(["Content-Length: 0x10"], inner)],
    ["a length beyond 64 bits", post(["Content-Length: 18446744073709551617"], inner)],
    ["an empty length", post(["Content-Length:"], inner)],
    ["space before the colon", post([`Content-Length : ${inner.length}`], inner)],
    ["tab before the colon", post([`Content-Length\t: ${inner.length}`], inner)],
    ["space before chunked's colon", post(["Transfer-Encoding : chunked"], `0\r\n\r\n${inner}`)],
    ["gzip", post(["Transfer-Encoding: gzip"], inner)],
    ["gzip, chunked", post(["Transfer-Encoding: gzip, chunked"], `0\r\n\r\n${inner}`)],
    ["chunked, identity", post(["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${inner}`)],
    ["chunked twice", post([chunked, chunked], `0\r\n\r\n${inner}`)],
    ["xchunked", post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${inner}`)],
    ["chunked in quotes", post(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${inner}`)],
    ["chunked after a vertical tab", post(["Transfer-Encoding: \vchunked"], `0\r\n\r\n${inner}`)],
    ["chunked in HTTP/1.0", post([chunked], `0\r\n\r\n${inner}`).replace("HTTP/1.1", "HTTP/1.0")],
    ["a folded header", get(host_line, "X-Folded: a", ` ${length(inner)}`) + inner],
    ["a folded first header", `GET /healthz HTTP/1.1\r\n ${host_line}\r\n\r\n`],
    ["bare line feeds", get(host_line).replaceAll("\r\n", "\n")],
    ["one bare line feed", get(`${host_line}\nX-A: b`)],
    ["a bare carriage return", get(host_line, "X-A: b\rX-B: c")],
    ["NUL in a header", get(host_line, "X-A: b\0c")],
    ["NUL in the target", `GET /healthz\0 HTTP/1.1\r\n${host_line}\r\n\r\n`],
    ["NUL in a header's name", get(host_line, "X-\0A: b")],
    ["a header without a colon", get(host_line, "X-A")],
    ["a header without a name", get(host_line, ": b")],
    ["no host", get("X-A: b")],
    ["two hosts", get(host_line, "Host: evil.example")],
    ["an empty host", get("Host:")],
    ["another host", get("Host: evil.example")],
    ["absolute form, another host", get(host_line).replace("/healthz", "http://evil.example/")],
    ["absolute form", get(host_line).replace("/healthz", `http://${host}/healthz`)],
    ["authority form", `CONNECT ${host} HTTP/1.1\r\n${host_line}\r\n\r\n`],
    ["a target without a slash", get(host_line).replace("/healthz", "healthz")],
    ["a space in the target", get(host_line).replace("/healthz", "/healthz /metrics")],
    ["a fragment", get(host_line).replace("/healthz", "/healthz#a")],
    ["HTTP/0.9", "GET /healthz\r\n\r\n"],
    ["HTTP/1.2", get(host_line).replace("HTTP/1.1", "HTTP/1.2")],
    ["HTTP/2.0", get(host_line).replace("HTTP/1.1", "HTTP/2.0")],
    ["HTTP/11", get(host_line).replace("HTTP/1.1", "HTTP/11")],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", Buffer.from("16030100c8010000c403030000000000000000000000000000", "hex")],
    ["a chunk of 2^64 + 5", post([chunked], `10000000000000005\r\n${inner}\r\n0\r\n\r\n`)],
    ["a chunk of 2^63", post([chunked], `8000000000000000\r\n${inner}`)],
    ["a negative chunk", post([chunked], `-1\r\n${inner}\r\n0\r\n\r\n`)],
    ["a chunk of 0x5", post([chunked], `0x5\r\nhello\r\n0\r\n\r\n${inner}`)],
    ["a chunk without its size", post([chunked], `\r\n${inner}\r\n0\r\n\r\n`)],
    ["a chunk that is longer", post([chunked], `3\r\nabcdef\r\n0\r\n\r\n${inner}`)],
    ["a chunk that ends in a line feed", post([chunked], `3\nabc\n0\n\n${inner}`)],
    ["a space after a chunk's size", post([chunked], `3 \r\nabc\r\n0\r\n\r\n${inner}`)],
    ["a long extension", post([chunked], `1;${"a".repeat(5000)}\r\na\r\n0\r\n\r\n${inner}`)],
    ["a short extension", post([chunked], "3;a=b\r\nabc\r\n0\r\n\r\n"), [404]],
    ["many trailers", post([chunked], `0\r\n${"X-A: b\r\n".repeat(1000)}\r\n`)],
    ["a trailer with a length", post([chunked], `0\r\n${length(inner)}\r\n\r\n${inner}`)],
    ["a trailer with a host", post([chunked], "0\r\nHost: evil.example\r\n\r\n"), [404]],
    ["a hundred and one headers", get(host_line, ...Array(101).fill("X-A: b"))],
    ["a long header", get(host_line, `X-A: ${"b".repeat(100_000)}`)],
    ["a long target", get(host_line).replace("/healthz", `/${"a".repeat(100_000)}`)],
    ["a method of control characters", get(host_line).replace("GET", "G\x01T")],
    ["an unknown expectation", post(["Expect: 200-ok", length("{}")], "{}")],
    ["a body of GET is a body", `${get(host_line, length(inner))}${inner}`, [200]],
    ["two requests in one piece", get(host_line) + get(host_line), [200, 200]],
    ["upper-case chunked", post(["TRANSFER-ENCODING: CHUNKED"], "3\r\nabc\r\n0\r\n\r\n"), [404]],
  ];
}

export async function smuggling(server) {
  const table = smuggling_table(server.host);
  for (const [what, bytes, statuses] of table) {
    const raw = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
    const { responses, closed } = await exchange(server, raw, { limit_ms: refused_limit_ms });
    const got = responses.map((one) => one.status);
    check(closed, `${what}: the connection stays open`);
    if (statuses) {
      check_equal(got, statuses, what);
    } else {
      check(got.length <= 1, `${what}: answered ${got}`);
      check(
        got.every((one) => one >= 400 && one < 600),
        `${what}: answered ${got}`,
      );
    }
    await server.check_alive();
  }
  await check_nothing_stored(server);
  return { tries: table.length };
}

/** Sends pieces until the server has answered or hung up; how many bytes it took to say so. */
async function send_without_end(server, header, piece) {
  const socket = connect(server);
  const answer = status_of(socket, refused_limit_ms);
  let answered = false;
  answer.then(() => {
    answered = true;
  });
  socket.write(header);
  let sent = 0;
  while (!answered && !socket.destroyed && sent < endless_bytes_max) {
    sent += piece.length;
    if (!socket.write(piece)) {
      await Promise.race([answer, once(socket, "drain"), once(socket, "close")]).catch(() => {});
    }
  }
  const status = await answer;
  socket.destroy();
  return { status, sent };
}

export async function bodies(server) {
  const head = ["POST /api/v1/searches HTTP/1.1", `Host: ${server.host}`];
  head.push("Content-Type: application/json");
  const start = (header) => `${[...head, header].join("\r\n")}\r\n\r\n`;
  let tries = 0;

  const piece = "a".repeat(piece_bytes);
  const endless = [
    [
      "chunks without end",
      "Transfer-Encoding: chunked",
      `${piece_bytes.toString(16)}\r\n${piece}\r\n`,
    ],
    ["chunks of one byte", "Transfer-Encoding: chunked", "1\r\na\r\n".repeat(piece_bytes / 8)],
    ["a length of an exabyte", "Content-Length: 1000000000000000000", piece],
    ["one byte too many", `Content-Length: ${body_limit_bytes + 1}`, piece],
  ];
  for (const [what, header, repeated] of endless) {
    const { status, sent } = await send_without_end(server, start(header), repeated);
    const refused = status === 413 || status === 400 || status === 0;
    check(refused && sent < endless_bytes_max, `${what}: ${status} after ${sent} bytes`);
    await server.check_alive();
    tries += 1;
  }
  const extension = await send_without_end(server, start("Transfer-Encoding: chunked"), "1;a");
  check([400, 0].includes(extension.status), `a chunk size without end: ${extension.status}`);
  const header = await send_without_end(server, "GET / HTTP/1.1\r\nX-A: ", piece);
  check([431, 0].includes(header.status), `a header without end: ${header.status}`);
  tries += 2;

  // The rest of a body that is longer than it says is no request.
  const longer = await exchange(server, `${start("Content-Length: 2")}{}${job}`);
  check_equal(
    longer.responses.map((one) => one.status),
    [422, 400],
    "a body longer than its length",
  );
  const shorter = await exchange(server, start(`Content-Length: ${job.length + 1}`) + job);
  check_equal(shorter.responses.length <= 1, true, "answers to a body that is cut off");
  const cut = await exchange(server, `${start("Transfer-Encoding: chunked")}30\r\n${job}`);
  check_equal(cut.responses.length <= 1, true, "answers to a chunk that is cut off");
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=a",
  ];
  for (const type of [...types, "application/jsonp", ""]) {
    const headers = { "Content-Type": type };
    const { status } = await server.request("POST", "/api/v1/searches", { body: job, headers });
    check_equal(status, 415, `a body of the type '${type}'`);
  }
  const packed = { "Content-Encoding": "gzip" };
  const { status } = await server.request("POST", "/api/v1/searches", {
    body: job,
    headers: packed,
  });
  check_equal(status, 415, "a packed body");
  tries += 9;
  await check_nothing_stored(server);
  return { tries };
}

/** [what, body, status] */
function json_table() {
  const named = (value) => `{"problem": "linear_oscillator", "name": ${value}}`;
  const deep = (open, close) => open.repeat(deep_levels) + close.repeat(deep_levels);
  const zeros = `[${"0,".repeat(numbers_in_array)}0]`;
  const record = `"time_s": ${zeros}, "value": ${zeros}`;
  const huge = '{"A": [[1e308, 1e308], [1e308, 1e308]], "B": [[1e308]], "C": [[1]]}';
  const bytes = (...parts) => Buffer.concat(parts.map((one) => Buffer.from(one)));
  return [
    ["arrays 100 000 deep", deep("[", "]"), 400],
    ["arrays 100 000 deep, open", "[".repeat(deep_levels), 400],
    ["objects 100 000 deep", deep('{"a":', "}"), 400],
    ["depth within a member", `{"problem": ${deep("[", "]")}}`, 400],
    ["a string of 10 MB", named(`"${"a".repeat(long_text_bytes)}"`), 413],
    ["a string of 8 MB", named(`"${"a".repeat(body_limit_bytes - 100)}"`), 422],
    ["two names", '{"problem": "linear_oscillator", "name": "a", "name": "b"}', 400],
    [
      "two names, one escaped",
      '{"problem": "linear_oscillator", "name": "a", "n\\u0061me": "b"}',
      400,
    ],
    ["1e999", '{"problem": "linear_oscillator", "parameters": {"m1.k": 1e999}}', 400],
    ["-1e999", '{"problem": "linear_oscillator", "parameters": {"m1.k": -1e999}}', 400],
    ["NaN", '{"problem": "linear_oscillator", "parameters": {"m1.k": NaN}}', 400],
    ["Infinity", '{"problem": "linear_oscillator", "parameters": {"m1.k": Infinity}}', 400],
    ["a million digits", `{"problem": "linear_oscillator", "priority": ${"9".repeat(1e6)}}`, 400],
    ["-0 where a whole number is", '{"problem": "linear_oscillator", "substeps": {"m1": -0}}', 422],
    ["1e1000000000", '{"problem": "linear_oscillator", "priority": 1e1000000000}', 400],
    ["a leading zero", '{"problem": "linear_oscillator", "priority": 01}', 400],
    ["a lone high surrogate", named('"\\ud800"'), 400],
    ["a lone low surrogate", named('"\\udc00"'), 400],
    ["a surrogate in UTF-8", bytes(named('"'), [0xed, 0xa0, 0x80], '"}'), 400],
    ["an overlong slash", bytes('{"problem": "', [0xc0, 0xaf], '"}'), 400],
    ["a cut sequence", bytes('{"problem": "', [0xe2, 0x82], '"}'), 400],
    ["NUL in a string", named('"a\\u0000b"'), 400],
    ["a NUL byte at the end", bytes(named('"a"'), [0]), 400],
    ["UTF-16", Buffer.from(named('"a"'), "utf16le"), 400],
    ["a line break in a string", named('"a\nb"'), 400],
    ["a comment", `/* a */ ${named('"a"')}`, 400],
    ["a comma too many", '{"problem": "linear_oscillator",}', 400],
    ["single quotes", "{'problem': 'linear_oscillator'}", 400],
    ["two values", `${named('"a"')} ${named('"b"')}`, 400],
    ["nothing", "", 400],
    ["white space", " \n\t ", 400],
    ["null", "null", 422],
    ["a number", "1", 422],
    ["an array of numbers", `[${"1,".repeat(numbers_in_array)}1]`, 422],
    ["a million and one values", `[${"1,".repeat(1_000_000)}1]`, 400],
    [
      "tags without end",
      `{"problem": "linear_oscillator", "tags": [${'"a",'.repeat(numbers_in_array)}"a"]}`,
      422,
    ],
    [
      "many unknown members",
      `{${Array.from({ length: 100_000 }, (_, i) => `"a${i}": 1`).join()}}`,
      422,
    ],
    [
      "a record of 400 000 wrong points",
      `{"problem": "linear_oscillator", "tests": [{"kind": "recorded", ${record}}]}`,
      422,
    ],
    ["__proto__", '{"problem": "linear_oscillator", "__proto__": {"name": "a"}}', 422],
    [
      "values of other types",
      '{"problem": [], "name": {}, "search": 1, "tests": "a", "tags": 0}',
      422,
    ],
    [
      "a matrix of 1e308",
      `{"problem": {"subsystems": [{"name": "a", "state_space": ${huge}}]}}`,
      422,
    ],
  ];
}

export async function json_oddities(server) {
  const table = json_table();
  for (const [what, body, status] of table) {
    const answer = await server.request("POST", "/api/v1/searches", { body });
    check_equal(answer.status, status, `${what} (${answer.body.slice(0, 200)})`);
    if (status !== 413) JSON.parse(answer.body);
    await server.check_alive();
  }
  const marked = await server.request("POST", "/api/v1/searches?dry_run=true", {
    body: `\ufeff{"problem": "linear_oscillator"}`,
  });
  check([200, 400].includes(marked.status), `a byte-order mark: ${marked.status}`);
  await check_nothing_stored(server);
  return { tries: table.length + 1 };
}
