// Requests about single trials.
import { ApiError, fetch_text, request } from "./api";
import { trial_rows } from "./csv";
import type { Rerun, Trace, Trial, TrialRow } from "./trial_types";

const most_points = 20_000; // that the server gives of a trace
const busy_interval_ms = 1_000;
const busy_limit_ms = 90_000; // a trial may take a minute, and another one be before it
const table_timeout_ms = 60_000; // of all trials at once

const path = (search: string, trial: number) =>
  `/searches/${encodeURIComponent(search)}/trials/${trial}`;

export function fetch_trial(search: string, trial: number): Promise<Trial> {
  return request(path(search, trial));
}

/** Trials are run again one at a time: asks until it is the turn of this one. */
export async function patient<T>(
  ask: () => Promise<T>,
  is_wanted: () => boolean,
  interval_ms = busy_interval_ms,
): Promise<T> {
  const end = Date.now() + busy_limit_ms;
  for (;;) {
    try {
      return await ask();
    } catch (failure) {
      const busy = failure instanceof ApiError && failure.status === 503;
      if (!busy || !is_wanted() || Date.now() > end) throw failure;
    }
    await new Promise((resolve) => setTimeout(resolve, interval_ms));
  }
}

export function fetch_trace(
  search: string,
  trial: number,
  is_wanted: () => boolean,
  reference = false,
): Promise<Trace> {
  const query = `points=${most_points}${reference ? "&reference=true" : ""}`;
  return patient(() => request(`${path(search, trial)}/trace?${query}`), is_wanted);
}

/** With the monolithic solution; without it where that takes longer than the server allows. */
export async function fetch_compared_trace(
  search: string,
  trial: number,
  is_wanted: () => boolean,
): Promise<Trace> {
  try {
    return await fetch_trace(search, trial, is_wanted, true);
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.status === 409)) throw failure;
    const trace = await fetch_trace(search, trial, is_wanted);
    return { ...trace, reference_reason: failure.message };
  }
}

export function rerun_trial(
  search: string,
  trial: number,
  is_wanted: () => boolean,
): Promise<Rerun> {
  return patient(() => request(`${path(search, trial)}/rerun`, { method: "POST" }), is_wanted);
}

/** One search at a time is kept: whoever goes from trial to trial asks for the same again. */
let kept: { search: string; ended: string; trials: Promise<TrialRow[]> } | null = null;

/** `ended`: when the search came to its end; null while it may have more trials. */
export function fetch_trials(search: string, ended: string | null): Promise<TrialRow[]> {
  if (ended !== null && kept?.search === search && kept.ended === ended) return kept.trials;
  const path = `/searches/${encodeURIComponent(search)}/export?format=csv`;
  const trials = fetch_text(path, "text/csv", table_timeout_ms).then(trial_rows);
  if (ended !== null) {
    kept = { search, ended, trials };
    trials.catch(() => {
      kept = null;
    });
  }
  return trials;
}
