// Buttons that copy a job or a recommendation in the form that another tool takes.
import { useState } from "preact/hooks";
import { signed_in } from "../api/access";
import { fetch_text, message_of } from "../api/api";
import type { Job } from "../api/types";
import { command_text, curl_text, json_text } from "../text/copy_text";

interface Way {
  name: string;
  text: () => string | Promise<string>;
}

/** There is no clipboard without HTTPS or loopback, but what is selected can be copied. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.className = "unseen";
    area.value = text;
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

/** `recommended`: the id of a search that has a recommendation, whose C is copied too. */
export function CopyAs({ job, recommended }: { job: unknown; recommended?: string | null }) {
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
  return <CopyButtons ways={ways} />;
}

/** A button for each way, and what became of the last one. */
export function CopyButtons({ ways }: { ways: Way[] }) {
  const [said, set_said] = useState("");
  async function copy(way: Way) {
    let text: string;
    try {
      text = await way.text();
    } catch (failure) {
      set_said(message_of(failure));
      return;
    }
    set_said((await copied(text)) ? `Copied as ${way.name}` : "The browser refused to copy");
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
