// Two or more searches side by side, without drawing: which curve of each is shown, and how
// differing values are written.

import type { Check, Configuration, Curve, Recommendation, Search } from "../api/types";
import type { Series, SeriesSet } from "../figures/series";
import { is_object } from "../forms/job_text";
import { count, macro_step_text, significant } from "../text/format";
import { configuration_key, configuration_short, verdict_words, word } from "../text/names";
import { search_title } from "../text/titles";

export interface Compared {
  letter: string;
  search: Search;
  curves: Curve[];
}

// Dashes have about the same weight. Searches beyond the last dash begin again with another marker.
const dashes = ["", "7 4", "2 3.5", "10 3 2 3", "14 4", "5 2 1 2 1 2", "1 5"];
const markers = [
  "m-2.6,0a2.6,2.6 0 1 0 5.2,0a2.6,2.6 0 1 0 -5.2,0z",
  "m-2.4,-2.4h4.8v4.8h-4.8z",
  "m0,-3.4l3.2,5.6h-6.4z",
  "m0,-3.5l3,3.5l-3,3.5l-3,-3.5z",
  "m-1.1,-3.3h2.2v2.2h2.2v2.2h-2.2v2.2h-2.2v-2.2h-2.2v-2.2h2.2z",
  "m-2.8,-3.2h5.6l-5.6,6.4h5.6z",
  "m-1.2,-3.6h2.4v7.2h-2.4z",
];
const colours = ["x2", "x1", "x3", "x4", "x6", "x5", "x7", "x0"];
const most_digits = 17; // tell any two doubles apart

/** A, B, … by place; never more than the API compares. */
export function letter_of(place: number): string {
  return String.fromCharCode("A".charCodeAt(0) + place);
}

/** A series per search: colour, dash and marker say which, none of them alone. */
export function series_of(list: Compared[]): SeriesSet {
  const styles = list.map((one, n) => ({
    label: one.letter,
    dash: dashes[n % dashes.length]!,
    marker: markers[(n + Math.floor(n / dashes.length)) % markers.length]!,
  }));
  const series = list.map(
    (one, n): Series => ({
      index: n,
      key: one.search.id,
      label: `${one.letter}, ${search_title(one.search)}`,
      extrapolation: one.letter, // the plot labels the ends of its lines by it
      colour: colours[n % colours.length]!,
      style: n,
    }),
  );
  return {
    series,
    by_key: new Map(series.map((one) => [one.key, one])),
    extrapolations: series.map((one) => one.extrapolation),
    styles,
  };
}

/** Test inputs of any of them, in their order. */
export function tests_of(list: Compared[]): string[] {
  return [...new Set(list.flatMap((one) => one.curves.map((curve) => curve.test)))];
}

/** Configurations of any of them, with names that tell them apart, those of most searches first. */
export function configurations_of(list: Compared[]): { key: string; text: string }[] {
  const found = new Map<string, { configuration: Configuration; searches: Set<string> }>();
  for (const { search, curves } of list) {
    for (const { configuration } of curves) {
      const key = configuration_key(configuration);
      const entry = found.get(key) ?? { configuration, searches: new Set() };
      entry.searches.add(search.id);
      found.set(key, entry);
    }
  }
  const all = [...found].map(([key, { configuration, searches }]) => ({
    key,
    configuration,
    number: searches.size,
  }));
  const couplings = new Set(all.map((one) => one.configuration.coupling));
  const name = (one: Configuration) =>
    couplings.size > 1
      ? `${configuration_short(one)}, ${word(one.coupling)}`
      : configuration_short(one);
  return all
    .sort((a, b) => b.number - a.number || (a.key < b.key ? -1 : 1))
    .map(({ key, configuration, number }) => ({
      key,
      text: number === list.length ? name(configuration) : `${name(configuration)} (${number})`,
    }));
}

/** The curve of a search under a test: of this configuration, or of what the search recommends. */
export function curve_of(one: Compared, test: string, key: string | null): Curve | null {
  const { recommendation } = one.search;
  const wanted = key ?? (recommendation && configuration_key(recommendation));
  if (wanted === null) return null;
  const fits = (curve: Curve) =>
    curve.test === test && configuration_key(curve.configuration) === wanted;
  return one.curves.find(fits) ?? null;
}

/** "/search/macro_step/maximum_s" → "search / macro step / maximum" */
export function member_name(pointer: string): string {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  const last = parts.length - 1;
  if (last >= 0) parts[last] = parts[last]!.replace(/_s$/, "");
  return parts.map((part) => part.replace(/_/g, " ")).join(" / ");
}

function is_configuration(value: unknown): value is Configuration {
  return (
    is_object(value) && is_object(value.integrators) && typeof value.extrapolation === "string"
  );
}

const shares = [
  /\/(relative_residual(_max)?|share|confidence)$/,
  /\/error\/(nrmse|max)$/,
  /\/checks\/(change|unseen)\/(value|limit)$/,
];

/** Whether the value is a share, which is shown in percent. */
function is_share(pointer: string): boolean {
  return shares.some((one) => one.test(pointer));
}

function text_of(pointer: string, value: unknown, digits: number): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (value === "") return "(empty)";
    if (/^\/checks\/.*\/verdict$/.test(pointer)) return verdict_words[value] ?? value;
    return pointer === "/problem" ? word(value) : value;
  }
  if (typeof value === "number" && is_share(pointer))
    return `${significant(value * 100, digits)}\u202f%`;
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value >= 0 && !pointer.endsWith("_s")) return count(value);
    return pointer.endsWith("_s") && value >= 0
      ? macro_step_text(value, digits)
      : significant(value, digits);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return "(none)";
    if (value.every((one) => typeof one !== "object")) return value.join(" · ");
  }
  if (is_configuration(value)) return `${configuration_short(value)}, ${word(value.coupling)}`;
  const { elements } = value as { elements?: unknown };
  return typeof elements === "number" ? `${elements} elements` : JSON.stringify(value);
}

/** The values of a row, with as many digits as it takes to tell different ones apart. */
export function value_texts(pointer: string, values: unknown[]): string[] {
  const different = new Set(values.map((one) => JSON.stringify(one))).size;
  for (let digits = 4; ; ++digits) {
    const texts = values.map((one) => text_of(pointer, one, digits));
    if (new Set(texts).size >= different || digits === most_digits) return texts;
  }
}

interface MemberRow {
  name: string;
  values: string[];
}

const check_members = ["verdict", "value", "limit", "detail"] as const;

/** Rows of the members of recommendations that differ. Their lists are compared as what they are,
    not place by place: ties by their number, checks by their names. */
export function recommendation_rows(
  differences: { pointer: string; values: unknown[] }[],
  recommendations: (Recommendation | null)[],
): MemberRow[] {
  const rows: MemberRow[] = [];
  const told = new Set<string>();
  for (const { pointer, values } of differences) {
    const list = pointer.split("/")[1] ?? "";
    if (list !== "ties" && list !== "checks") {
      rows.push({ name: member_name(pointer), values: value_texts(pointer, values) });
    } else if (!told.has(list)) {
      told.add(list);
      rows.push(...(list === "ties" ? [ties_row(recommendations)] : check_rows(recommendations)));
    }
  }
  return rows;
}

/** Where a search has as many ties as the first one, but others, the text says so: rows show differences. */
function ties_row(recommendations: (Recommendation | null)[]): MemberRow {
  const keys = recommendations.map((one) => one?.ties.map(configuration_key).sort());
  const [first] = keys;
  const values = keys.map((one) => {
    if (!one) return "–";
    const are_others = one.length === first?.length && one.join("\n") !== first.join("\n");
    return are_others ? `${count(one.length)}, others` : count(one.length);
  });
  return { name: "ties", values };
}

function check_rows(recommendations: (Recommendation | null)[]): MemberRow[] {
  const lists = recommendations.map((one) => one?.checks ?? []);
  const names = [...new Set(lists.flatMap((list) => list.map((one) => one.check)))];
  return names.flatMap((name) => {
    const found = lists.map((list): Check | undefined => list.find((one) => one.check === name));
    return check_members.flatMap((member) => {
      const pointer = `/checks/${name}/${member}`;
      const values = found.map((one) => one?.[member]);
      if (new Set(values).size === 1) return [];
      return [{ name: member_name(pointer), values: value_texts(pointer, values) }];
    });
  });
}
