// The preset of a job: the paper's own answer. It keeps some members, beside which others are
// refused.
import type { Job } from "../api/types";

type SearchMembers = NonNullable<Job["search"]>;

export const paper_preset = "rahikainen2019";

const kept = [
  "event_phases",
  "relative_residual_max",
  "accuracy",
  "stability_check",
  "validate_unseen",
  "minimum_macro_steps",
  "real_time",
];
const kept_of_region = ["rule", "points", "scan"];

function without(members: object, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function asks_for_paper(job: Job): boolean {
  return job.search?.preset === paper_preset;
}

/** The members of a search without a preset and what that keeps. */
export function without_preset(search: SearchMembers): SearchMembers {
  const { linear_region, ...rest } = without(search, ["preset", ...kept]);
  const region = without((linear_region as object | undefined) ?? {}, kept_of_region);
  return Object.keys(region).length > 0 ? { ...rest, linear_region: region } : rest;
}

/** The members of a search, by the paper or not. */
export function with_preset(search: SearchMembers, paper: boolean): SearchMembers {
  return paper ? { preset: paper_preset, ...without_preset(search) } : search;
}
