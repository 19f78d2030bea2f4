// Searches on a batch system: the choice in a form, and the state of the chunks while they run.
import { useEffect, useState } from "preact/hooks";
import { fetch_executors, fetch_search } from "./api";
import { batch_text, executor_options, key_of } from "./batch_text";
import { use_refetch } from "./refetch";
import type { Batch, ExecutorChoice, Executors, Search } from "./types";

/** Null until the server has told; a server that does not tell has none to choose from. */
function use_executors(): Executors | null {
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

/** Chunks tell no events: they are asked for while the search runs. */
export function BatchState({ search }: { search: Search }) {
  const [batch, set] = useState<Batch | null>(search.batch ?? null);
  const executors = use_executors();
  const elsewhere = executors !== null && executors.executors.length > 1;
  use_refetch(
    async () => set((await fetch_search(search.id)).batch ?? null),
    elsewhere && search.status === "running",
  );
  if (!batch || search.status !== "running") return null;
  return (
    <p class="muted">
      {batch_text(batch)}
      {batch.message && <span class="block">{batch.message}</span>}
    </p>
  );
}
