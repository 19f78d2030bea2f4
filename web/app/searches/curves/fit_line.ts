// Where the line of a linear region is drawn: solid over the points it was fitted to, then on to the
// first H that was compared with it and left it. Elsewhere the fit says nothing: with the rules
// local_power_law and tangent it is that of the bend alone.

import type { Curve, Job } from "../../api/types";
import { is_inside } from "./plot_model";

export interface FitRule {
  name: string; // of linear_region.rule; unknown ones are drawn like local_power_law
  points: number;
}

/** (H, E) in s and J, from left to right. */
export type Sample = [number, number];

export interface FitLine {
  fitted: Sample[];
  continued: Sample[]; // empty where the scan ended on the line
  slope: number; // in the double logarithmic figure
}

const default_points = 5;
const tangent_points = 2;
const samples = 24; // a straight line in E and H is a curve in their logarithms

export function fit_rule(job: Job): FitRule {
  const region = job.search?.linear_region;
  return {
    name: region?.rule ?? "local_power_law",
    points: region?.points ?? default_points,
  };
}

export function fit_line(curve: Curve, rule: FitRule): FitLine | null {
  const { fit } = curve;
  if (!fit) return null;
  const accepted = curve.points.filter((point) => is_inside(curve, point));
  const window = rule.name === "tangent" ? tangent_points : Math.max(2, rule.points);
  const used =
    rule.name === "baseline_power_law" ? accepted.slice(0, window) : accepted.slice(-window);
  const first = used[0];
  const last = used[used.length - 1];
  const end = accepted[accepted.length - 1];
  if (!first || !last || !end || used.length < 2) return null;
  const next = curve.points.find((point) => point.macro_step_s > end.macro_step_s);

  let energy = (h: number) => fit.coefficient * h ** fit.exponent;
  if (rule.name === "tangent") {
    if (first.residual_J === null || last.residual_J === null) return null;
    const base = last.residual_J;
    const rise = (base - first.residual_J) / (last.macro_step_s - first.macro_step_s);
    energy = (h) => base + rise * (h - last.macro_step_s);
  }
  return {
    fitted: sampled(first.macro_step_s, last.macro_step_s, energy),
    continued: next ? sampled(last.macro_step_s, next.macro_step_s, energy) : [],
    slope: curve.slope ?? fit.exponent,
  };
}

/** What has no place on a logarithmic axis is left out. */
function sampled(from: number, to: number, energy: (h: number) => number): Sample[] {
  const list: Sample[] = [];
  for (let n = 0; n <= samples; ++n) {
    const h = from * (to / from) ** (n / samples);
    const value = energy(h);
    if (value > 0 && Number.isFinite(value)) list.push([h, value]);
  }
  return list;
}
