// Buttons that copy a job or a recommendation in the form that another tool takes.
import { useState } from "preact/hooks";
import { signed_in } from "./access";
import { fetch_text, message_of } from "./api";
import { command_text, curl_text, json_text } from "./copy_text";
import type { Job } from "./types";

interface Way {
  name: string;
  text: () => string | Promise<string>;
}

/** `recommended`: the id of a search that has a recommendation, whose C is copied too. */
export function CopyAs({ job, recommended }: { job: unknown; recommended?: string | null }) {
  const [said, set_said] = useState("");
  const command = command_text(job as Job);
  const ways: Way[] = [
    { name: "JSON", text: () => json_text(job) },
    { name: "curl", text: () => curl_text(job as Job, location.origin, signed_in()) },
  ];
  if (command !== null) ways.push({ name: "command line", text: () => command });
  if (recommended) {
    const path = `/searches/${encodeURIComponent(recommended)}/export?format=c`;
    ways.push({ name: "C", text: () => fetch_text(path) });
  }

  async function copy(way: Way) {
    let text: string;
    try {
      text = await way.text();
    } catch (failure) {
      set_said(message_of(failure));
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      set_said(`Copied as ${way.name}`);
    } catch {
      set_said("Copying was refused; select the text instead"); // no clipboard without HTTPS or loopback
    }
  }

  return (
    <p class="copy-as">
      {ways.map((way) => (
        <button key={way.name} type="button" class="small" onClick={() => copy(way)}>
          Copy as {way.name}
        </button>
      ))}{" "}
      <span role="status" class="muted">
        {said}
      </span>
    </p>
  );
}
