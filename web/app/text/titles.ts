// What a search and its problem are called.

import type { Job, OwnJob, Search, Summary } from "../api/types";
import { group_order, word } from "./names";

const own_name = "own problem"; // the server's, where the user gave none

/** The job holds the problem itself. */
export function is_own(search: Summary): boolean {
  return search.problem === "own" || search.problem === "";
}

export function is_own_job(job: Job): job is OwnJob {
  return typeof job.problem === "object";
}

/** By name. Without the job, in a list, the recommendation knows them: each has its integrator. */
function subsystems_of(search: Summary): string[] {
  const problem = (search as Partial<Search>).job?.problem;
  if (typeof problem === "object") return problem.subsystems.map((one) => one.name).sort();
  return Object.keys(search.recommendation?.integrators ?? {}).sort();
}

/**
 * " of m1 + m2": whose integrators a configuration lists, in that order. Those of a problem of one's
 * own may be the same, and their names do not tell; those of the built-in ones do.
 */
export function whose_integrators(search: Summary): string {
  const names = is_own(search) ? subsystems_of(search).sort(group_order) : [];
  return names.length === 0 ? "" : ` of ${names.join(" + ")}`;
}

/** "double-actuator crane"; "own problem (m1, m2)" */
export function problem_title(search: Summary): string {
  if (!is_own(search)) return word(search.problem);
  const names = subsystems_of(search);
  return names.length === 0 ? own_name : `${own_name} (${names.join(", ")})`;
}

/** False where the name says no more than the problem's own name does. */
export function name_adds(search: Summary): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const problem = is_own(search) ? own_name : search.problem;
  return search.name !== "" && plain(search.name) !== plain(problem);
}

/** A search is named after its problem unless somebody named it. */
export function search_title(search: Summary): string {
  if (name_adds(search)) return search.name;
  const title = problem_title(search);
  return title.charAt(0).toUpperCase() + title.slice(1);
}
