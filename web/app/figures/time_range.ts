// The stretch of time that the figures of a trial show: zoomed and panned, never beyond the trial.

export type TimeRange = [number, number]; // in s

const closest = 1e-7; // of the whole: nearer, neighbouring doubles of the time could not be told apart
const digits_of_length = 4; // to which share of itself a stretch is told in the address: 10⁻⁴
const pan_share = 0.1; // of what is shown, per press of a key
export const zoom_factor = 0.5;

export function whole(t: Float64Array): TimeRange {
  const [first, last] = [t[0] ?? 0, t[t.length - 1] ?? 0];
  return last > first ? [first, last] : [first, first + 1];
}

/** Moved into the whole, without a change of its length where that fits. */
export function within(range: TimeRange, full: TimeRange): TimeRange {
  const most = full[1] - full[0];
  const length = Math.min(most, Math.max(most * closest, range[1] - range[0]));
  const start = Math.min(full[1] - length, Math.max(full[0], range[0]));
  return length === most ? full : [start, start + length];
}

export function pan(range: TimeRange, seconds: number, full: TimeRange): TimeRange {
  return within([range[0] + seconds, range[1] + seconds], full);
}

/** What is at `centre` stays in its place. */
export function zoom(range: TimeRange, factor: number, centre: number, full: TimeRange): TimeRange {
  return within(
    [centre - (centre - range[0]) * factor, centre + (range[1] - centre) * factor],
    full,
  );
}

/** What a key does to the range; null for other keys: those that scroll go on doing so. */
export function key_range(range: TimeRange, key: string, full: TimeRange): TimeRange | null {
  const length = range[1] - range[0];
  const middle = (range[0] + range[1]) / 2;
  switch (key) {
    case "ArrowLeft":
      return pan(range, -length * pan_share, full);
    case "ArrowRight":
      return pan(range, length * pan_share, full);
    case "+":
    case "=":
      return zoom(range, zoom_factor, middle, full);
    case "-":
      return zoom(range, 1 / zoom_factor, middle, full);
    case "Home":
      return pan(range, full[0] - range[0], full);
    case "End":
      return pan(range, full[1] - range[1], full);
    case "0":
      return full;
    default:
      return null;
  }
}

/** "0.2,0.35" of the address; null for what is none. */
export function parse_range(text: string | null, full: TimeRange): TimeRange | null {
  const [from, to, ...more] = (text ?? "").split(",").map(Number);
  if (text === null || from === undefined || to === undefined || more.length > 0) return null;
  if (!Number.isFinite(from) || !Number.isFinite(to) || !(to > from)) return null;
  return within([from, to], full);
}

export function range_text(range: TimeRange, full: TimeRange): string | null {
  if (range[0] === full[0] && range[1] === full[1]) return null;
  const decimals = Math.max(0, digits_of_length - Math.floor(Math.log10(range[1] - range[0])));
  return range.map((time) => String(Number(time.toFixed(Math.min(15, decimals))))).join(",");
}
