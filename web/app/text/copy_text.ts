// A job as others take it: as JSON, for curl, for the command line.

import type { Trial } from "../api/trial_types";
import type { Job } from "../api/types";
import { is_own_job } from "./titles";

/** A here-document takes everything as it stands; no line of JSON is its end mark. */
const end_mark = "JOB";

export function json_text(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Where jobs of a kind go: the route that takes them, the command that runs them. */
function places(job: Job): { route: string; command: string } {
  return job.kind === "map" || job.kind === "tune"
    ? { route: "analyses", command: job.kind }
    : { route: "searches", command: "search" };
}

function here_document(job: Job): string {
  return `<<'${end_mark}'\n${json_text(job)}\n${end_mark}\n`;
}

/** Submits the job to the server at `origin`; with a token where this one has one. */
export function curl_text(job: Job, origin: string, with_token: boolean): string {
  const lines = [
    `curl --fail-with-body -X POST '${origin}/api/v1/${places(job).route}'`,
    ...(with_token ? [`-H "Authorization: Bearer $MACROSTEP_TOKEN"`] : []),
    "-H 'Content-Type: application/json'",
    "--data-binary @-",
  ];
  return `${lines.join(" \\\n  ")} ${here_document(job)}`;
}

/** The FMUs of a job are on this server only. */
function needs_fmus(job: Job): boolean {
  return is_own_job(job) && job.problem.subsystems.some((one) => one.fmu !== undefined);
}

/** Runs the job without a server. Null where it needs FMUs. */
export function command_text(job: Job): string | null {
  if (needs_fmus(job)) return null;
  return `macrostep ${places(job).command} - ${here_document(job)}`;
}

/** One word of a command, whatever it holds. */
function quoted(word: string): string {
  return /^[\w.,:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs one trial of the job without a server. Null where it needs FMUs. */
export function run_text(
  job: Job,
  {
    configuration,
    test,
    macro_step_s,
    event_delay_s,
  }: Pick<Trial, "configuration" | "test" | "macro_step_s" | "event_delay_s">,
): string | null {
  if (needs_fmus(job)) return null;
  const { order = [], integrators } = configuration;
  const options = [
    `--macro-step ${macro_step_s}`,
    `--extrapolation ${configuration.extrapolation}`,
    `--test ${quoted(test)}`,
    ...(event_delay_s ? [`--event-delay ${event_delay_s}`] : []),
    `--coupling ${quoted(configuration.coupling)}`,
    `--scheme ${configuration.scheme}`,
    ...(order.length > 0 ? [`--order ${quoted(order.join(","))}`] : []),
    `--correction ${configuration.correction}`,
    ...Object.entries(integrators).map((pair) => `--integrator ${quoted(pair.join("="))}`),
  ];
  return `macrostep run - ${options.join(" \\\n  ")} ${here_document(job)}`;
}
