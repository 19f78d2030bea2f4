// What is drawn: configurations in a fixed order, each with a colour class (extrapolation) and a
// dash and marker (everything else), so that neither needs the other to be told apart.

import type { Configuration, Curve } from "../api/types";
import {
  companion,
  configuration_key,
  configuration_short,
  extrapolation_rank,
  word,
} from "../text/names";

export interface Series {
  index: number; // position in the fixed order: the `pick` of the address
  key: string;
  label: string;
  extrapolation: string;
  colour: string; // CSS class
  style: number; // index into styles
}

interface Style {
  label: string;
  dash: string;
  marker: string; // path relative to the point
}

export interface SeriesSet {
  series: Series[];
  by_key: Map<string, Series>;
  extrapolations: string[];
  styles: Style[];
}

const dashes = ["", "7 4", "2 3.5", "10 3 2 3", "14 4", "5 2 1 2 1 2", "1 5"];
// Circle, square, triangle, diamond, plus, hourglass, bar: of about the same area.
const markers = [
  "m-2.6,0a2.6,2.6 0 1 0 5.2,0a2.6,2.6 0 1 0 -5.2,0z",
  "m-2.4,-2.4h4.8v4.8h-4.8z",
  "m0,-3.4l3.2,5.6h-6.4z",
  "m0,-3.5l3,3.5l-3,3.5l-3,-3.5z",
  "m-1.1,-3.3h2.2v2.2h2.2v2.2h-2.2v2.2h-2.2v-2.2h-2.2v-2.2h2.2z",
  "m-2.8,-3.2h5.6l-5.6,6.4h5.6z",
  "m-1.2,-3.6h2.4v7.2h-2.4z",
];

export function colour_class(extrapolation: string): string {
  return `x${Math.min(extrapolation_rank(extrapolation), 7)}`;
}

export function build_series(curves: Iterable<Curve>): SeriesSet {
  const configurations = new Map<string, Configuration>();
  for (const curve of curves)
    configurations.set(configuration_key(curve.configuration), curve.configuration);
  const couplings = new Set([...configurations.values()].map((one) => one.coupling));
  const style_label = (one: Configuration) =>
    couplings.size > 1 ? `${companion(one)}, ${word(one.coupling)}` : companion(one);
  const labels = [...new Set([...configurations.values()].map(style_label))].sort();
  const entries = [...configurations.entries()].sort(([key_a, a], [key_b, b]) => {
    const rank = extrapolation_rank(a.extrapolation) - extrapolation_rank(b.extrapolation);
    if (rank !== 0) return rank;
    return (
      labels.indexOf(style_label(a)) - labels.indexOf(style_label(b)) || (key_a < key_b ? -1 : 1)
    );
  });
  const series = entries.map(([key, configuration], index) => ({
    index,
    key,
    label: configuration_short(configuration),
    extrapolation: configuration.extrapolation,
    colour: colour_class(configuration.extrapolation),
    style: labels.indexOf(style_label(configuration)),
  }));
  return {
    series,
    by_key: new Map(series.map((one) => [one.key, one])),
    extrapolations: [...new Set(series.map((one) => one.extrapolation))],
    styles: labels.map((label, n) => ({
      label: label === "" ? "all" : label,
      dash: dashes[n % dashes.length]!,
      marker: markers[n % markers.length]!,
    })),
  };
}
