// What the page of a trial shows, in the order in which it is there: search and trial, the course
// over time, the other trials of its curve.
import { useEffect, useState } from "preact/hooks";
import { ApiError, fetch_curves, fetch_search, message_of, request } from "../api/api";
import { fetch_compared_trace, fetch_trial } from "../api/trial_api";
import type { Trial } from "../api/trial_types";
import type { Point, Search } from "../api/types";
import { is_own } from "../text/titles";
import type { CatalogueEntry } from "./port_units";
import { columns_of } from "./trace";
import type { Traced } from "./trial_comparison";
import { curve_of } from "./trial_model";

interface Loaded {
  search: Search;
  trial: Trial;
  entry: CatalogueEntry | null; // only for the units: without it, the figures have none
}

interface TrialState {
  loaded: Loaded | null;
  traced: Traced | null;
  curve: Point[] | null;
  missing: boolean; // there is no such trial
  error: string | null;
}

const nothing: TrialState = {
  loaded: null,
  traced: null,
  curve: null,
  missing: false,
  error: null,
};

async function load(id: string, number: number): Promise<Loaded> {
  const [search, trial] = await Promise.all([fetch_search(id), fetch_trial(id, number)]);
  const path = `/problems/${encodeURIComponent(search.problem)}`;
  const entry = is_own(search) ? null : await request<CatalogueEntry>(path).catch(() => null);
  return { search, trial, entry };
}

export function use_trial(id: string, number: number): TrialState {
  const [state, set_state] = useState(nothing);
  useEffect(() => {
    let wanted = true;
    const is_wanted = () => wanted;
    const add = (part: Partial<TrialState>) => wanted && set_state((old) => ({ ...old, ...part }));
    (async () => {
      try {
        const loaded = await load(id, number);
        if (!wanted) return;
        add({ loaded });
        const curves = fetch_curves(id);
        curves.catch(() => {}); // it is awaited below, after the trace
        const { rows, ...trace } = await fetch_compared_trace(id, number, is_wanted);
        if (!wanted) return;
        add({ traced: { trace, columns: columns_of({ ...trace, rows }) } });
        add({ curve: curve_of(await curves, loaded.trial.curve_id) });
      } catch (failure) {
        const missing = failure instanceof ApiError && failure.status === 404;
        add({ error: message_of(failure), missing });
      }
    })();
    return () => {
      wanted = false;
    };
  }, [id, number]);
  return state;
}
