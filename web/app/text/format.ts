// Numbers and times as an engineer reads them: H in ms, energies with an SI prefix, few digits.

const thin = "\u202f"; // narrow no-break space between a number and its unit
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent));
  return (exponent < 0 ? "⁻" : "") + [...digits].map((d) => superscripts[Number(d)]).join("");
}

/** At most `digits` significant digits, no trailing zeros, a true minus sign. */
export function significant(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** 3.2·10⁻⁵; exactly 10ⁿ without a factor; plain digits from 0.01 to below 10,000. */
export function scientific(value: number, digits = 2): string {
  if (value === 0) return "0";
  const [mantissa = "", exponent = "0"] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -2 && power < 4) return significant(value, digits);
  const factor = significant(Number(mantissa), digits);
  return factor === "1" ? `10${superscript(power)}` : `${factor}·10${superscript(power)}`;
}

/** 10ⁿ always as a power, for an axis. */
export function power_of_ten(exponent: number): string {
  return `10${superscript(exponent)}`;
}

/** Down, so that an H on the page is never larger than the one that was found. */
export function rounded_down(value: number, digits: number): number {
  const [mantissa = "", exponent = "0"] = value.toExponential(11).split("e"); // 1.7999999999999998
  return Number(`${mantissa.slice(0, digits + 1)}e${exponent}`);
}

/** In ms; from 10 s on in s, and below 1 µs in µs. */
function unit_of(seconds: number): [number, string] {
  if (seconds >= 10) return [1, "s"];
  return seconds > 0 && seconds < 1e-6 ? [1e6, "µs"] : [1e3, "ms"];
}

/** A macro-step ≥ 0. */
export function macro_step_text(seconds: number | null, digits = 3): string {
  if (seconds === null) return "–";
  const [times, unit] = unit_of(seconds);
  return `${rounded_down(seconds * times, digits)}${thin}${unit}`;
}

/** Where rows of neighbouring H stand below each other. */
export const digits_in_data = 5;

/** As one would type it: 250, 0.006, 1e7; six digits say what 0.5235987755982988 is. */
export function typed(value: number): string {
  const size = Math.abs(value);
  const short = Number(value.toPrecision(6));
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(short);
  return short.toExponential().replace("e+", "e");
}

/** "m/s^2", "m/s2" → "m/s²"; a pure number has the unit 1, which reads like a value. */
export function unit_text(unit: string): string {
  if (unit === "1") return "";
  return unit.replace(
    /([A-Za-zµΩ])\^?(-?\d)(?![.\d])/g,
    (_, name, power) => name + superscript(Number(power)),
  );
}

/** A column of macro-steps: the same unit and number of decimals in every row. */
export function macro_step_column(seconds: (number | null)[]): string[] {
  const [times, unit] = unit_of(Math.max(0, ...seconds.map((one) => one ?? 0)));
  const rounded = seconds.map((one) => (one === null ? null : rounded_down(one * times, 3)));
  const decimals = Math.max(...rounded.map((one) => String(one).split(".")[1]?.length ?? 0), 0);
  return rounded.map((one) =>
    one === null ? "–" : `${one.toFixed(Math.min(decimals, 6))}${thin}${unit}`,
  );
}

export function joules(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return "–";
  if (value === 0) return `0${thin}J`;
  const prefixes: [number, string][] = [
    [1e6, "MJ"],
    [1e3, "kJ"],
    [1, "J"],
    [1e-3, "mJ"],
    [1e-6, "µJ"],
    [1e-9, "nJ"],
  ];
  const size = Math.abs(value);
  const found = prefixes.find(([factor]) => size >= factor * 0.9995);
  if (!found || size >= 1e9) return `${scientific(value, digits)}${thin}J`;
  return `${significant(value / found[0], digits)}${thin}${found[1]}`;
}

export function ratio(value: number | null): string {
  return value === null ? "–" : scientific(value, 2);
}

/** "0.34 %", "7.7 %", "135 %" */
export function percent(share: number): string {
  const value = share * 100;
  return `${value < 10 ? significant(value, 2) : significant(Math.round(value), 4)}${thin}%`;
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, thin);
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${significant(seconds * 1e3, 2)}${thin}ms`;
  if (seconds < 60) return `${significant(seconds, 2)}${thin}s`;
  if (seconds < 3600)
    return `${Math.floor(seconds / 60)}${thin}min ${Math.round(seconds % 60)}${thin}s`;
  if (seconds < 48 * 3600)
    return `${Math.floor(seconds / 3600)}${thin}h ${Math.floor((seconds % 3600) / 60)}${thin}min`;
  return `${count(Math.round(seconds / 86400))}${thin}days`;
}

/** ", about 3 min left": an estimate, so no seconds beyond a minute; nothing where it is unknown. */
export function time_left(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 1) return ", nearly done";
  if (seconds < 55)
    return `, about ${significant(Math.max(1, Math.round(seconds)), 2)}${thin}s left`;
  if (seconds < 5400) return `, about ${Math.round(seconds / 60)}${thin}min left`;
  const hours = seconds / 3600;
  if (hours < 36) return `, about ${Math.round(hours)}${thin}h left`;
  return `, about ${count(Math.round(hours / 24))}${thin}days left`;
}

/** In µs or ms, as people say it. */
export function short_time(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 1e-3) return `${significant(seconds * 1e6, 3)}${thin}µs`;
  if (seconds < 1) return `${significant(seconds * 1e3, 3)}${thin}ms`;
  return `${significant(seconds, 3)}${thin}s`;
}

/** "3 min ago"; days and more as a date. A clock that is ahead reads as "just now". */
export function age(time: string, now: number): string {
  const seconds = (now - Date.parse(time)) / 1e3;
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)}${thin}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${thin}min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}${thin}h ago`;
  if (seconds < 7 * 86400) return `${Math.floor(seconds / 86400)}${thin}d ago`;
  return time.slice(0, 10);
}

export function plural(number: number, noun: string): string {
  const end = number === 1 ? "" : noun.endsWith("ch") ? "es" : "s";
  return `${count(number)} ${noun}${end}`;
}

/** 3.79e+03 in a text of the server → 3790, 1e+09 → 10⁹; names and identifiers stay. */
export function readable_numbers(text: string): string {
  return text.replace(/(?<![\w.])\d+(\.\d+)?e[+-]\d+(?![\w.]*\w)/g, (found) =>
    scientific(Number(found), 4),
  );
}

/** The server's reasons are parts of sentences; on the page they stand alone. */
export function as_sentence(text: string): string {
  const trimmed = readable_numbers(text.trim()).replace(/(\d) (%|ms\b)/g, `$1${thin}$2`);
  if (trimmed === "") return "";
  const is_path = /^[A-Za-z]\w*[._]\w/.test(trimmed); // trailer.w, a name that keeps its letters
  const start = is_path ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?:…]$/.test(start) ? start : `${start}.`;
}

/** A file's size, as file managers show it: 1 kB = 1000 bytes. */
export function bytes(size: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let n = 0;
  let value = size;
  while (value >= 999.5 && n < units.length - 1) {
    value /= 1e3;
    ++n;
  }
  return `${significant(value, n === 0 ? 4 : 3)}${thin}${units[n]}`;
}
