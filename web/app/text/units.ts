// Units of ports as the server reads them (models/subsystem/unit.hpp): "N", "m/s", "N s/m", "kg.m2", "Nm", "1".
// A product of named units with integer powers; everything after a "/" up to the next "/" divides.

export interface Unit {
  scale: number; // value in SI = scale × value in the unit
  exponents: number[]; // of m, kg, s, A, K
}

/** The unit of a port whose unit nobody told: it fits every other. */
export const unknown_unit = "?";

const largest_power = 9;
const scale_tolerance = 1e-12; // equal scales differ by rounding only

type Named = [number, ...number[]]; // scale, exponents

const names = table<Named>({
  m: [1, 1],
  g: [1e-3, 0, 1],
  s: [1, 0, 0, 1],
  A: [1, 0, 0, 0, 1],
  K: [1, 0, 0, 0, 0, 1],
  N: [1, 1, 1, -2],
  Pa: [1, -1, 1, -2],
  J: [1, 2, 1, -2],
  W: [1, 2, 1, -3],
  V: [1, 2, 1, -3, -1],
  C: [1, 0, 0, 1, 1],
  F: [1, -2, -1, 4, 2],
  H: [1, 2, 1, -2, -2],
  Wb: [1, 2, 1, -2, -1],
  T: [1, 0, 1, -2, -1],
  Ohm: [1, 2, 1, -3, -2],
  ohm: [1, 2, 1, -3, -2],
  Ω: [1, 2, 1, -3, -2],
  S: [1, -2, -1, 3, 2],
  Hz: [1, 0, 0, -1],
  L: [1e-3, 3],
  l: [1e-3, 3],
  bar: [1e5, -1, 1, -2],
  rad: [1],
});
const without_prefix = table<Named>({
  deg: [Math.PI / 180],
  rpm: [Math.PI / 30, 0, 0, -1],
  rev: [2 * Math.PI],
  min: [60, 0, 0, 1],
  h: [3600, 0, 0, 1],
  t: [1e3, 0, 1],
  degC: [1, 0, 0, 0, 0, 1],
  "%": [1e-2],
  "1": [1],
  "-": [1],
});
// Products that people write without a separator; powers of them would be ambiguous.
const without_separator = table<Named>({
  Nm: [1, 2, 1, -2],
  Nms: [1, 2, 1, -1],
  Pas: [1, -1, 1, -1],
  Ws: [1, 2, 1, -2],
  Wh: [3600, 2, 1, -2],
  As: [1, 0, 0, 1, 1],
  Ah: [3600, 0, 0, 1, 1],
  Vs: [1, 2, 1, -2, -1],
});
const prefixes = table({
  p: 1e-12,
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
});

function table<T>(entries: Record<string, T>): Map<string, T> {
  return new Map(Object.entries(entries));
}

function plain(entry: Named | undefined, scale = 1): Unit | null {
  if (!entry) return null;
  const [own, ...exponents] = entry;
  return { scale: own * scale, exponents: [0, 1, 2, 3, 4].map((i) => exponents[i] ?? 0) };
}

function named_unit(name: string): Unit | null {
  return plain(without_prefix.get(name)) ?? prefixed(names, name);
}

function prefixed(units: Map<string, Named>, name: string): Unit | null {
  const scale = prefixes.get(name.slice(0, 1));
  const behind = scale === undefined ? null : plain(units.get(name.slice(1)), scale);
  return plain(units.get(name)) ?? behind;
}

/** "m^2", "m2" or "s^-1". */
function factor_from(text: string): Unit | null {
  const whole = named_unit(text) ?? prefixed(without_separator, text);
  if (whole) return whole;
  const [, name = "", digits = ""] = text.match(/^(.*?[^-0-9^])\^?(-?[0-9]+)$/) ?? [];
  const unit = named_unit(name);
  const power = Number(digits);
  if (!unit || digits === "" || Math.abs(power) > largest_power) return null;
  return { scale: unit.scale ** power, exponents: unit.exponents.map((one) => one * power) };
}

/** Null for a text that is not a unit. */
export function unit_from(text: string): Unit | null {
  if (/[0-9]\.[0-9]/.test(text)) return null; // a number, or a power that is not whole
  const product: Unit = { scale: 1, exponents: [0, 0, 0, 0, 0] };
  let sign = 1;
  let open = 0; // parentheses
  let dangling = true; // a factor must follow
  for (const [part] of text.matchAll(/[ *·./()]|[^ *·./()]+/g)) {
    if (/^[ *·./()]$/.test(part)) {
      open += part === "(" ? 1 : part === ")" ? -1 : 0;
      if (open < 0 || (dangling && part !== "(" && part !== " ")) return null;
      if (part === "/") sign = -1;
      dangling = dangling || !/[ ()]/.test(part);
      continue;
    }
    const factor = factor_from(part);
    if (!factor) return null;
    product.scale *= factor.scale ** sign;
    product.exponents = product.exponents.map((one, i) => one + sign * (factor.exponents[i] ?? 0));
    dangling = false;
  }
  return dangling || open !== 0 ? null : product;
}

export function same_dimension(one: Unit, other: Unit): boolean {
  return one.exponents.every((exponent, i) => exponent === other.exponents[i]);
}

/** Whether values in one unit can be taken for values in the other. */
export function same_unit(one: string, other: string): boolean {
  if (one === other || one === unknown_unit || other === unknown_unit) return true;
  const [first, second] = [unit_from(one), unit_from(other)];
  if (!first || !second || !same_dimension(first, second)) return false;
  return Math.abs(first.scale / second.scale - 1) < scale_tolerance;
}

const power: Unit = { scale: 1, exponents: [2, 1, -3, 0, 0] };

/** What effort × flow must be multiplied by to be in W; null where units do not say. */
export function watts_of(effort: string, flow: string): number | null {
  const [one, other] = [unit_from(effort), unit_from(flow)];
  if (!one || !other) return null;
  const exponents = one.exponents.map((exponent, i) => exponent + (other.exponents[i] ?? 0));
  if (!same_dimension({ scale: 1, exponents }, power)) return null;
  const scale = one.scale * other.scale;
  return Math.abs(scale - 1) <= scale_tolerance ? 1 : scale;
}
