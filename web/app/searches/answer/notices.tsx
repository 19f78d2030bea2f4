// What to know before a recommendation is used, each with its severity.
import type { Notice } from "../../api/types";
import { prose } from "../../text/names";

const words = { error: "error", warning: "warning", info: "note" };

/** The worst comes first, and its severity is that of the list. */
export function Notices({ notices }: { notices: Notice[] }) {
  const [worst, ...others] = notices;
  if (!worst) return null;
  return (
    <ul class={`message notices ${worst.severity}`} aria-label="Notices">
      {[worst, ...others].map((notice, n) => (
        <li key={n} class={notice.severity} data-code={notice.code}>
          <span class="severity">{words[notice.severity]}</span> {prose(notice.sentence)}
        </li>
      ))}
    </ul>
  );
}
