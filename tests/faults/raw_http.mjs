// Bytes over a socket, and what came back: what no HTTP library would send.
import net from "node:net";

const answer_limit_ms = 30_000;

export function connect(server) {
  const socket = net.connect({ host: "127.0.0.1", port: server.port, allowHalfOpen: true });
  socket.on("error", () => {}); // a reset is an answer, too
  return socket;
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The responses in a text: {status, body}. A body without a length goes to the end. */
export function responses_in(text) {
  const responses = [];
  let rest = text;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const status = rest.match(/^HTTP\/1\.1 (\d{3})/);
    if (end < 0 || !status) {
      responses.push({ status: 0, body: rest }); // no HTTP: the caller says whether that may be
      return responses;
    }
    const header = rest.slice(0, end + 4);
    const length = header.match(/\r\ncontent-length: (\d+)/i);
    const size = length ? Number(length[1]) : 0;
    responses.push({ status: Number(status[1]), body: rest.slice(end + 4, end + 4 + size) });
    rest = rest.slice(end + 4 + size);
  }
  return responses;
}

/** Sends all, says that no more comes, collects until the server closes: {responses, closed}. */
export function exchange(server, bytes, { half_close = true, limit_ms = answer_limit_ms } = {}) {
  return new Promise((resolve) => {
    const socket = connect(server);
    const parts = [];
    const finish = (closed) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(parts).toString("latin1");
      resolve({ responses: responses_in(text), closed });
    };
    const timer = setTimeout(() => finish(false), limit_ms);
    socket.on("data", (part) => parts.push(part));
    socket.on("end", () => finish(true));
    socket.on("close", () => finish(true));
    socket.on("connect", () => {
      socket.write(bytes);
      if (half_close) socket.end();
    });
  });
}

/** The first status that comes, 0 when it is closed without one. */
export function status_of(socket, limit_ms) {
  return new Promise((resolve) => {
    let text = "";
    const timer = setTimeout(() => resolve(-1), limit_ms);
    const finish = (status) => {
      clearTimeout(timer);
      resolve(status);
    };
    socket.on("data", (part) => {
      text += part.toString("latin1");
      const found = text.match(/^HTTP\/1\.1 (\d{3})/);
      if (found) finish(Number(found[1]));
    });
    socket.on("end", () => finish(0));
    socket.on("close", () => finish(0));
  });
}
