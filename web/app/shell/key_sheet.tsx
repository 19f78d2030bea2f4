// The sheet of keys: what works on this page, and what works in figures and everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { all_keys, are_keys_on, switch_keys } from "../parts/keys";

const in_figures: [string, string][] = [
  ["← →", "Along a curve, or over a map"],
  ["↑ ↓", "To the next curve at the same H, or over a map"],
  ["Shift ← →", "Farther over a map"],
  ["Home End", "To the first or last point"],
  ["Enter", "Keep the curve highlighted, or the cell of a map"],
  ["Shift Enter", "Open the trial at a point of a curve"],
  ["Esc", "Leave the curve"],
];
const everywhere: [string, string][] = [
  ["Tab", "To the next link, button, field or figure"],
  ["Enter Space", "Follow a link, press a button"],
];

export function KeySheet({ on_close }: { on_close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, set_on] = useState(are_keys_on());
  useEffect(() => dialog.current?.showModal(), []);
  function toggle(next: boolean) {
    switch_keys(next);
    set_on(next);
  }
  return (
    <dialog ref={dialog} class="key-sheet" aria-labelledby="keys-title" onClose={on_close}>
      <div class="page-head">
        <h2 id="keys-title">Keys</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        Single characters are keys (remembered in this browser)
      </label>
      {all_keys().map((section) => (
        <Table
          key={section.title}
          title={section.title}
          rows={section.keys.map((one) => [one.keys, one.text])}
        />
      ))}
      <Table title="In a figure" rows={in_figures} />
      <Table title="In the browser" rows={everywhere} />
    </dialog>
  );
}

function Table({ title, rows }: { title: string; rows: [string, string][] }) {
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {rows.map(([keys, text]) => (
          <tr key={keys}>
            <th scope="row">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
