// Requests for a comparison.
import { fetch_curves, fetch_search, request } from "./api";
import { type Compared, letter_of } from "./compare_model";
import type { Configuration, Status } from "./types";

interface MemberDifference {
  pointer: string;
  values: unknown[];
}

export interface CurveDifference {
  configuration: Configuration;
  test: string;
  present?: boolean[];
  bend_s: (number | null)[];
  cliff_s: (number | null)[];
}

export interface Comparison {
  searches: { id: string; name: string; problem: string; status: Status; complete: boolean }[];
  identical: boolean;
  job: MemberDifference[];
  job_more: number;
  recommendation: MemberDifference[];
  recommendation_more: number;
  curves: CurveDifference[];
  curves_more: number;
  curves_of_some: CurveDifference[];
  curves_of_some_more: number;
  cost: MemberDifference[];
  wall_s: (number | null)[];
}

export function comparison_path(ids: string[]): string {
  return `/compare?ids=${ids.map(encodeURIComponent).join(",")}`;
}

export function fetch_comparison(ids: string[]): Promise<Comparison> {
  return request(comparison_path(ids));
}

/** One search after the other: curves are large, and a browser has few connections. */
export async function fetch_compared(ids: string[]): Promise<Compared[]> {
  const list: Compared[] = [];
  for (const [n, id] of ids.entries()) {
    const [search, curves] = await Promise.all([fetch_search(id), fetch_curves(id)]);
    list.push({ letter: letter_of(n), search, curves });
  }
  return list;
}
