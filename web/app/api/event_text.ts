// The text of a server-sent event stream, piece by piece, as events. Reads what the server writes:
// lines that end in \n, the fields id, event and data, comments.
export interface StreamEvent {
  id: string; // of the last event that had one
  kind: string;
  data: string;
}

const longest_event = 32 << 20; // characters; the server's batches are far below

/** Takes the next piece, which may end anywhere, and returns the events that are complete by it. */
export function event_reader(): (piece: string) => StreamEvent[] {
  let rest = "";
  let id = "";
  let kind = "message";
  let data: string[] = [];
  let size = 0;
  return (piece) => {
    const events: StreamEvent[] = [];
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        if (data.length > 0) events.push({ id, kind, data: data.join("\n") });
        kind = "message";
        data = [];
        size = 0;
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "id") id = value;
      else if (name === "event") kind = value;
      else if (name === "data") {
        data.push(value);
        size += value.length;
      }
    }
    if (size + rest.length > longest_event) throw new Error("an event is too long");
    return events;
  };
}
