// The chunks of a search that runs on a batch system.
import { useState } from "preact/hooks";
import { fetch_search } from "../../api/api";
import type { Batch, Search } from "../../api/types";
import { use_executors } from "../../forms/executor_field";
import { use_refetch } from "../../parts/parts";
import { batch_text } from "../../text/batch_text";

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
