// What to know before a recommendation is used, each with its severity.
import type { Notice } from "../../api/types";
import { prose } from "../../text/names";

const words = { error: "error", warning: "warning", info: "note" };

/** The severity of the list is that of its worst notice. */
export function worst_severity(notices: Notice[]): Notice["severity"] {
  const found = (["error", "warning"] as const).find((severity) =>
    notices.some((notice) => notice.severity === severity),
  );
  return found ?? "info";
}

export function Notices({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <ul class={`message notices ${worst_severity(notices)}`} aria-label="Notices">
      {notices.map((notice, n) => (
        <li key={n} class={notice.severity} data-code={notice.code}>
          <span class="severity">{words[notice.severity]}</span> {prose(notice.sentence)}
        </li>
      ))}
    </ul>
  );
}
