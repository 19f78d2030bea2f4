// Where a search runs: the choice of a form between this server and its batch systems.
import { useEffect, useState } from "preact/hooks";
import { fetch_executors } from "../api/api";
import type { ExecutorChoice, Executors } from "../api/types";
import { executor_options, key_of } from "../text/batch_text";

/** Null until the server has told; a server that does not tell has none to choose from. */
export function use_executors(): Executors | null {
  const [executors, set] = useState<Executors | null>(null);
  useEffect(() => {
    fetch_executors().then(set, () => set(null));
  }, []);
  return executors;
}

export function ExecutorField(props: {
  chosen: ExecutorChoice | null | undefined;
  on_change: (choice: ExecutorChoice | undefined) => void;
}) {
  const executors = use_executors();
  const options = executors ? executor_options(executors) : [];
  if (options.length === 0) return null;
  return (
    <div class="field" id="field-executor">
      <label for="executor">Run on</label>
      <select
        id="executor"
        value={key_of(props.chosen)}
        onChange={(event) => {
          const key = event.currentTarget.value;
          props.on_change(options.find((one) => one.key === key)?.choice);
        }}
      >
        {options.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
