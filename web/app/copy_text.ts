// A job as others take it: as JSON, for curl, for the command line.
import { is_own_job } from "./titles";
import type { Job } from "./types";

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

/** Runs the job without a server. Null where it needs FMUs, which only this server has. */
export function command_text(job: Job): string | null {
  if (is_own_job(job) && job.problem.subsystems.some((one) => one.fmu !== undefined)) return null;
  return `macrostep ${places(job).command} - ${here_document(job)}`;
}
