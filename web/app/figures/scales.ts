// Logarithmic axes: which ticks to draw and which of them to label.
//
// d3's log ticks cannot be trusted here: they print 0 for small values and leave a domain of less
// than a decade with one label or none. An axis of ours has at least two labels, 10^n first, then
// 2 and 5 in between, then every digit, then (narrower than that) an even division.
import { power_of_ten, scientific, significant } from "../text/format";

export interface Tick {
  value: number;
  label: string | null;
  major: boolean; // a power of ten
}

const enough_powers = 3; // from so many on, powers of ten are labelled and nothing between them
const max_decades = 400; // beyond doubles; bounds every loop below

function multiples(low: number, high: number, digits: number[]): number[] {
  const values: number[] = [];
  const first = Math.floor(Math.log10(low)) - 1;
  const last = Math.min(Math.ceil(Math.log10(high)), first + max_decades);
  for (let exponent = first; exponent <= last; ++exponent) {
    for (const digit of digits) {
      const value = Number(`${digit}e${exponent}`); // exact decimals, no 0.30000000000000004
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) values.push(value);
    }
  }
  return values;
}

/** Round numbers at even distances, about `most` of them, never fewer than two. */
function even_division(low: number, high: number, most: number): number[] {
  const raw = (high - low) / Math.max(1, most);
  const power = Math.floor(Math.log10(raw));
  const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1].map((factor) => factor * 10 ** power);
  let values: number[] = [];
  for (const step of steps) {
    if (step < raw && values.length >= 2) break;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    values = [];
    for (let n = first; n <= last; ++n) values.push(Number((n * step).toPrecision(12)));
  }
  return values;
}

/** Smallest distance in pixels between neighbours on a log axis of `length` pixels. */
function spacing(values: number[], low: number, high: number, length: number): number {
  const width = Math.log10(high / low);
  let smallest = Number.POSITIVE_INFINITY;
  for (let n = 1; n < values.length; ++n) {
    const pixels = (Math.log10(values[n]! / values[n - 1]!) / width) * length;
    smallest = Math.min(smallest, pixels);
  }
  return smallest;
}

function decades(low: number, high: number, length: number, room: number): number[] {
  const all = multiples(low, high, [1]);
  const per_decade = length / Math.log10(high / low);
  const stride = Math.max(1, Math.ceil(room / per_decade));
  return all.filter((value) => Math.round(Math.log10(value)) % stride === 0);
}

/** `room` is the least number of pixels between two labels; `powers` writes 10ⁿ throughout. */
export function log_ticks(
  low: number,
  high: number,
  length: number,
  room: number,
  notation: "digits" | "powers",
): Tick[] {
  if (!(low > 0) || !(high > low) || !(length > 0)) return [];
  const powers = multiples(low, high, [1]);
  const fits = (values: number[]) =>
    values.length >= 2 && spacing(values, low, high, length) >= room;
  const wide = Math.log10(high / low) >= 2;
  const only_decades = notation === "powers" && powers.length >= enough_powers;
  const candidates = wide
    ? only_decades
      ? [decades(low, high, length, room)]
      : [multiples(low, high, [1, 2, 5]), decades(low, high, length, room)]
    : [
        multiples(low, high, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        multiples(low, high, [1, 2, 3, 5]),
        multiples(low, high, [1, 2, 5]),
        multiples(low, high, [1, 3]),
      ];
  const narrow = () => even_division(low, high, Math.max(2, Math.floor(length / (room * 1.5))));
  let labelled = candidates.find(fits);
  if (!wide && (labelled === undefined || labelled.length < 3)) {
    const even = narrow();
    if (even.length > (labelled?.length ?? 0)) labelled = even;
  }
  labelled ??= powers;
  const minor =
    Math.log10(high / low) <= 8 ? multiples(low, high, [1, 2, 3, 4, 5, 6, 7, 8, 9]) : powers;
  const values = [...new Set([...minor, ...labelled])].sort((a, b) => a - b);
  const names = labels(labelled, notation);
  return values.map((value) => ({
    value,
    label: names.get(value) ?? null,
    major: powers.includes(value),
  }));
}

/** Digits only while every label is short that way, else powers of ten: never a mixture. */
function labels(values: number[], notation: "digits" | "powers"): Map<number, string> {
  const smallest = Math.min(...values);
  const largest = Math.max(...values);
  const plain = notation === "digits" && smallest >= 0.001 && largest <= 1000;
  const name = (value: number) => {
    if (plain) return significant(value, 12);
    const exponent = Math.round(Math.log10(value));
    if (Math.abs(value / 10 ** exponent - 1) < 1e-9) return power_of_ten(exponent);
    for (let digits = 1; digits < 6; ++digits) {
      if (Math.abs(Number(value.toPrecision(digits)) / value - 1) < 1e-9) {
        return power_label(value, digits);
      }
    }
    return power_label(value, 6);
  };
  return new Map(values.map((value) => [value, name(value)]));
}

function power_label(value: number, digits: number): string {
  const exponent = Math.floor(Math.log10(value) + 1e-12);
  if (exponent >= -2 && exponent < 4) {
    const [mantissa = "1"] = value.toExponential(Math.max(0, digits - 1)).split("e");
    return exponent === 0 ? significant(value, digits) : `${mantissa}·${power_of_ten(exponent)}`;
  }
  return scientific(value, digits);
}

/** The smallest and largest of the values, widened by a share of the logarithmic width. */
export function log_domain(values: number[], widen = 0.04): [number, number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high === 0) return null;
  const width = Math.max(Math.log10(high / low), 0.2);
  const middle = Math.log10(high * low) / 2;
  const half = width / 2 + width * widen;
  return [10 ** (middle - half), 10 ** (middle + half)];
}
