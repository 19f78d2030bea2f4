// Requests for a comparison of searches and the shapes of its answer.
import { request } from "./api";
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
