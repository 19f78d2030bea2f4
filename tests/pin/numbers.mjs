// What of an answer is compared: a map of names to values. A value is a number, null, a boolean, or a code such as
// the status of a trial. Names hold what identifies a curve or trial (configuration, test, H), never its id.
import { createHash } from "node:crypto";

// Ids, measured times, texts, and what only tells how the answer came about.
const left_out = new Set([
  ...["id", "trial_id", "curve_id", "configuration_id", "search_id", "analysis_id"],
  ...["wall_s", "eta_s", "step_time", "step_times", "real_time", "created_at", "started_at", "finished_at"],
  ...["job", "provenance", "progress", "batch", "queue_position", "priority"],
  ...["reason", "note", "failure", "no_formula", "worst_input"], // texts or null
]);
// Strings that are kept; all others are texts.
const codes = new Set([
  ...["status", "check", "verdict", "rule", "test", "flags", "quantity", "parameter", "scale"],
  ...["coupling", "scheme", "order", "extrapolation", "integrators", "correction", "fmus"],
  ...["subsystem_order", "substeps", "objective", "without"],
]);
const configuration_members = [
  ...["coupling", "scheme", "order", "subsystem_order", "extrapolation", "integrators", "substeps", "correction"],
];
// What a configuration has when nothing is said of it.
const unsaid = new Set(["", "null", "undefined"]);

const is_object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value) =>
  is_object(value)
    ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
    : value;

/** A configuration in a line, whatever the order of its members and whether they are JSON or columns of a view. */
export function label_of(configuration) {
  const texts = configuration_members.map((member) => {
    const value = configuration[member];
    const json = typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value;
    return typeof json === "object" ? JSON.stringify(sorted(json)).replace(/[{}"[\]]/g, "") : String(json);
  });
  return texts.filter((text) => !unsaid.has(text)).join(" ");
}

// An element of a list by what it is, or null where its position is all there is.
function identity_of(element, list) {
  if (!is_object(element)) return null;
  if (is_object(element.configuration)) {
    return [label_of(element.configuration), element.test].filter(Boolean).join(", ");
  }
  if (list === "points" || list === "layers") return element.macro_step_s ?? null;
  if (list === "table") return element.test ?? null;
  if (list === "parameters") return element.path ?? null;
  return null;
}
const identity_members = new Set(["configuration", "test", "macro_step_s", "path"]);

/** Sets `name` and, where it is taken, a name beside it: nothing may hide another value. */
export function add(numbers, name, value) {
  let free = name;
  for (let i = 2; numbers.has(free); i += 1) free = `${name} #${i}`;
  numbers.set(free, value);
}

/** Adds all of a JSON `value` to `numbers`, below `name`. */
export function add_json(numbers, name, value, { key = "", kept = false } = {}) {
  const keep = kept || codes.has(key);
  if (typeof value === "string") {
    if (keep) add(numbers, name, value);
  } else if (Array.isArray(value)) {
    if (value.some((element) => typeof element === "string")) {
      if (keep) add(numbers, name, [...value].sort().join(" "));
      return;
    }
    add(numbers, `${name}.count`, value.length);
    const seen = new Map();
    value.forEach((element, i) => {
      const identity = identity_of(element, key);
      const which = String(identity ?? i);
      const times = (seen.get(which) ?? 0) + 1;
      seen.set(which, times);
      const place = `${name}[${which}${times > 1 ? ` #${times}` : ""}]`;
      if (identity === null) {
        add_json(numbers, place, element);
      } else {
        const { ...members } = element;
        for (const member of identity_members) delete members[member];
        add_json(numbers, place, members);
      }
    });
  } else if (is_object(value)) {
    for (const [member, inner] of Object.entries(value)) {
      if (left_out.has(member) || /^seconds_/.test(member)) continue;
      add_json(numbers, name === "" ? member : `${name}.${member}`, inner, { key: member, kept: keep });
    }
  } else {
    add(numbers, name, value);
  }
}

/** The rows of a CSV file, by position. */
export function add_csv(numbers, name, csv) {
  const [head, ...rows] = csv.trimEnd().split("\n").map((line) => line.split(","));
  add(numbers, `${name}.rows.count`, rows.length);
  rows.forEach((row, i) => {
    row.forEach((cell, column) => {
      const number = cell === "" ? null : Number(cell);
      if (!Number.isNaN(number)) add(numbers, `${name}.rows[${i}].${head[column]}`, number);
    });
  });
}

/** Rows of a view: objects of columns. `place_of` names the place of a row, `members` its columns to compare. */
export function add_rows(numbers, view, rows, place_of) {
  add(numbers, `${view}.count`, rows.length);
  for (const row of rows) {
    const place = place_of(row);
    for (const [column, value] of Object.entries(row)) {
      if (left_out.has(column)) continue;
      if (typeof value === "string" && !codes.has(column)) continue;
      add(numbers, `${view}${place}.${column}`, value);
    }
  }
}

// --- as text ---------------------------------------------------------------------------------------

const view = new DataView(new ArrayBuffer(8));
const mantissa_bits = 52n;
const exponent_mask = 0x7ffn;
const bias = 1023n;

/** A double as C's %a writes it; whole numbers in decimal. */
export function hex_float(value) {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (!Number.isFinite(value)) return String(value);
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const sign = bits >> 63n === 1n ? "-" : "";
  const exponent = (bits >> mantissa_bits) & exponent_mask;
  const digits = (bits & ((1n << mantissa_bits) - 1n)).toString(16).padStart(13, "0").replace(/0+$/, "");
  const fraction = digits === "" ? "" : `.${digits}`;
  if (exponent === 0n) return `${sign}0x0${fraction}p${digits === "" ? "+0" : 1n - bias}`;
  const power = exponent - bias;
  return `${sign}0x1${fraction}p${power < 0n ? "" : "+"}${power}`;
}

export const text_of = (value) => (typeof value === "number" ? hex_float(value) : String(value));

/** For a message: a number in both notations. */
export function shown(value) {
  if (value === undefined) return "missing";
  const text = text_of(value);
  return typeof value === "number" && text !== String(value) ? `${text} (${value})` : text;
}

// --- condensed, for the files ----------------------------------------------------------------------

// These members of a curve stay as they are, the rest of it goes into its hash.
const curve_members = ["bend_s", "cliff_s", "slope", "usable_s", "counts"];
const curve = new RegExp(`^(curves\\[[^\\]]*\\])\\.(?!(?:${curve_members.join("|")})$)`);
// What is too long: everything below one of them goes into one hash.
const long_list = /^(.*?\.(?:points|rows|landscape|values|largest_macro_step_s))(?:\[|\.count$)/;
const long_view = /^(v_residual_curves|v_indicators|study\.scores)\b/;

/** Name → text, short enough to be kept: hashes stand for points, with their statuses counted. */
export function condensed(numbers) {
  const lines = new Map();
  const groups = new Map();
  for (const [name, value] of numbers) {
    const group = [curve, long_view, long_list].map((pattern) => pattern.exec(name)).find(Boolean)?.[1];
    if (group === undefined) {
      lines.set(name, text_of(value));
    } else {
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([name, value]);
    }
  }
  for (const [group, members] of groups) {
    const texts = members.map(([name, value]) => `${name.slice(group.length)} ${text_of(value)}`).sort();
    const hash = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
    lines.set(`${group}.hash`, hash);
    if (!group.startsWith("curves[")) continue;
    const statuses = {};
    for (const [name, value] of members) {
      if (name.endsWith(".status")) statuses[value] = (statuses[value] ?? 0) + 1;
    }
    for (const [status, count] of Object.entries(statuses)) lines.set(`${group}.${status}`, String(count));
  }
  return lines;
}
