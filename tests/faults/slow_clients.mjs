// Clients that take their time, and clients that are many.
import { check, check_equal, wait_until } from "../journey/chapters.mjs";
import { connect, pause, status_of } from "./raw_http.mjs";
import { long_job } from "./searches.mjs";

const slow_clients = { quick: 5, all: 50 };
const byte_interval_ms = 200;
const held_ms = { quick: 300, all: 1_000 }; // before somebody honest asks
const header_limit_ms = 60_000; // the server's is 10 s
const body_limit_ms = 180_000; // the server's is 60 s
const read_limit_ms = 180_000; // the server's is 20 s
const pipelined = 400; // of some 100 kB each
const memory_growth_max = 64 << 20;
const flood = { quick: 300, all: 2000 };
const connection_cap = 256; // the server's
const refused_at_once = 4; // sockets on whose way out a thread of the server is just then
const stream_clients = { quick: 100, all: 500 };
const stream_cap = 64; // the server's
const answer_limit_ms = 60_000;

/** Opens sockets that send `start` and then a byte every now and then, until they are answered. */
function drip(server, count, start) {
  return Array.from({ length: count }, () => {
    const socket = connect(server);
    socket.write(start);
    const timer = setInterval(() => socket.writable && socket.write("x"), byte_interval_ms);
    socket.on("close", () => clearInterval(timer));
    return socket;
  });
}

async function all_are_answered(sockets, status, limit_ms) {
  const statuses = await Promise.all(sockets.map((one) => status_of(one, limit_ms)));
  for (const one of sockets) one.destroy();
  for (const one of statuses) check_equal(one, status, "the answer to a slow client");
}

export async function slow_header(server, { quick }) {
  const count = quick ? slow_clients.quick : slow_clients.all;
  const start = `GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\nX-Slow: `;
  const sockets = drip(server, count, start);
  await server.check_alive();
  await all_are_answered(sockets, 408, header_limit_ms);
  return { tries: count };
}

export async function slow_body(server, { quick }) {
  const count = quick ? slow_clients.quick : slow_clients.all;
  const lines = ["POST /api/v1/searches HTTP/1.1", `Host: ${server.host}`];
  lines.push("Content-Type: application/json", "Content-Length: 100000");
  const start = `${lines.join("\r\n")}\r\n\r\n`;
  const sockets = drip(server, count, start);
  await pause(quick ? held_ms.quick : held_ms.all);
  await server.check_alive();
  check_equal((await server.get("/searches")).searches, [], "what half a job has stored");
  if (quick) for (const one of sockets) one.destroy();
  else await all_are_answered(sockets, 408, body_limit_ms);
  return { tries: count, remark: quick ? "they go before the deadline" : "" };
}

/** Asks for a great deal and reads nothing of it. */
export async function slow_reader(server, { quick }) {
  const count = quick ? slow_clients.quick : slow_clients.all;
  const memory = server.memory_bytes();
  const request = `GET /api/v1/openapi.json HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(server);
    socket.pause();
    socket.write(request.repeat(pipelined));
    return socket;
  });
  await pause(quick ? held_ms.quick : held_ms.all);
  await server.check_alive();
  const growth = server.memory_bytes() - memory;
  check(growth < memory_growth_max, `memory has grown by ${growth} bytes`);
  if (!quick) {
    await wait_until("clients that do not read are dropped", read_limit_ms, async () => {
      server.close_connections();
      return (await server.metric("macrostep_http_connections")) <= 1;
    });
  }
  for (const one of sockets) one.destroy();
  return { tries: count, remark: `memory +${(growth / 2 ** 20).toFixed(0)} MiB` };
}

export async function connection_flood(server, { quick }) {
  const count = quick ? flood.quick : flood.all;
  const sockets = [];
  let open = 0;
  let refused = 0;
  for (let i = 0; i < count; i += 1) {
    const socket = connect(server);
    sockets.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    socket.once("data", (part) => {
      if (/^HTTP\/1\.1 503/.test(part)) refused += 1;
    });
    socket.once("end", () => socket.end());
    open = Math.max(open, server.descriptors());
  }
  await wait_until("those beyond the cap are told so", answer_limit_ms, () => {
    return refused >= count - connection_cap;
  });
  check_equal(refused, count - connection_cap, "refused connections");
  const most = server.descriptors_before + connection_cap + refused_at_once;
  check(open <= most, `${open} descriptors were open, at most ${most}`);
  for (const one of sockets) one.destroy();
  await wait_until("the server has room again", answer_limit_ms, async () => {
    try {
      return (await server.request("GET", "/healthz")).status === 200;
    } catch {
      return false; // refused with a reset
    }
  });
  return { tries: count, remark: `${refused} were refused with 503` };
}

/** Dashboards that are closed, or whose machines go away, while a search tells its progress. */
export async function vanishing_streams(server, { quick }) {
  const count = quick ? stream_clients.quick : stream_clients.all;
  const { id } = await server.submit(long_job("watched"));
  const request = `GET /api/v1/events HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
  const statuses = new Map();
  for (let i = 0; i < count; i += stream_cap) {
    const wave = Array.from({ length: Math.min(stream_cap, count - i) }, () => connect(server));
    const answers = wave.map((one) => status_of(one, answer_limit_ms));
    for (const one of wave) one.write(request);
    for (const status of await Promise.all(answers)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // Half of them say goodbye; of the others nothing is heard but a reset.
    wave.forEach((one, k) => {
      if (k % 2 === 0) one.destroy();
      else one.resetAndDestroy();
    });
  }
  for (const status of statuses.keys()) {
    check(status === 200 || status === 503, `a stream was answered ${status}`);
  }
  check((statuses.get(200) ?? 0) >= stream_cap, "hardly a stream was opened");
  await wait_until("streams of those who are gone end", answer_limit_ms, async () => {
    return (await server.metric("macrostep_event_streams")) === 0;
  });
  await server.search(id);
  check_equal(
    (await server.request("POST", `/api/v1/searches/${id}/cancel`)).status,
    200,
    "cancel",
  );
  await server.wait_for(id, ["cancelled"]);
  return { tries: count, remark: `${statuses.get(200)} were opened, the others refused` };
}
