// Long series made short enough to draw: per column of pixels the smallest and the largest value,
// in the order in which they came, so that no peak is lost. Pure, and fast enough for every frame
// of a pan: whole blocks of points are looked up, only those at the ends of a column are read.
//
// Columns are cut at multiples of their width in time, not at the edge of the view: while a view is
// panned, the same points stay together and the drawing does not shimmer.

const block = 32; // points
const raw_per_column = 2; // up to so many points a column, they are drawn as they are

/** A series with the places of the extremes of its blocks. NaN: no value there. */
export interface IndexedSeries {
  values: Float64Array;
  low_at: Int32Array; // -1: no value in the block
  high_at: Int32Array;
}

interface Decimated {
  t: number[];
  values: (number | null)[][]; // one list per series, each as long as t
}

export function index_series(values: Float64Array): IndexedSeries {
  const blocks = Math.ceil(values.length / block);
  const low_at = new Int32Array(blocks).fill(-1);
  const high_at = new Int32Array(blocks).fill(-1);
  for (let b = 0; b < blocks; ++b) {
    const end = Math.min(values.length, (b + 1) * block);
    let low = -1;
    let high = -1;
    for (let n = b * block; n < end; ++n) {
      const value = values[n]!;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < values[low]!) low = n;
      if (high < 0 || value > values[high]!) high = n;
    }
    low_at[b] = low;
    high_at[b] = high;
  }
  return { values, low_at, high_at };
}

/** The first index from `start` on whose time is at least `time`; the length if there is none. */
export function first_at(t: Float64Array, time: number, start = 0): number {
  // Doubling strides: the next column of pixels is near.
  let low = start;
  let stride = 1;
  while (low + stride < t.length && t[low + stride]! < time) {
    low += stride;
    stride *= 2;
  }
  let high = Math.min(t.length, low + stride);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places of the smallest and the largest value of [from, to); [-1, -1] without a value. */
export function extremes({ values, low_at, high_at }: IndexedSeries, from: number, to: number) {
  let low = -1;
  let high = -1;
  let n = from;
  while (n < to) {
    if (n % block === 0 && n + block <= to) {
      const b = n / block;
      const [l, h] = [low_at[b]!, high_at[b]!];
      if (l >= 0 && (low < 0 || values[l]! < values[low]!)) low = l;
      if (h >= 0 && (high < 0 || values[h]! > values[high]!)) high = h;
      n += block;
      continue;
    }
    const value = values[n]!;
    if (!Number.isNaN(value)) {
      if (low < 0 || value < values[low]!) low = n;
      if (high < 0 || value > values[high]!) high = n;
    }
    ++n;
  }
  return [low, high] as const;
}

/** What is between `from` and `to`, with a point beyond either end so that lines reach the edge. */
export function decimate(
  t: Float64Array,
  series: IndexedSeries[],
  from: number,
  to: number,
  columns: number,
): Decimated {
  const first = Math.max(0, first_at(t, from) - 1);
  const last = Math.min(t.length, first_at(t, to) + 1);
  if (last - first <= raw_per_column * columns) {
    return {
      t: Array.from(t.subarray(first, last)),
      values: series.map(({ values }) => Array.from(values.subarray(first, last), or_null)),
    };
  }
  const width = (to - from) / columns;
  const out: Decimated = { t: [], values: series.map(() => []) };
  let start = first;
  for (let column = Math.floor(from / width); start < last; ++column) {
    const end = Math.min(last, first_at(t, (column + 1) * width, start));
    if (end === start) {
      if ((column + 1) * width > to) break;
      continue;
    }
    append_column(out, t, series, start, end);
    start = end;
  }
  if (start < last) append_column(out, t, series, last - 1, last);
  return out;
}

/**
 * Both with their times in common, as uPlot wants them; undefined (no gap in a line) where a series
 * has no point. Linear, as both are sorted.
 */
export function merged(
  a: Decimated,
  b: Decimated,
): { t: number[]; values: (number | null | undefined)[][] } {
  const t: number[] = [];
  const values = [...a.values, ...b.values].map(() => [] as (number | null | undefined)[]);
  const own = a.values.length;
  let [m, n] = [0, 0];
  while (m < a.t.length || n < b.t.length) {
    const time = Math.min(a.t[m] ?? Number.POSITIVE_INFINITY, b.t[n] ?? Number.POSITIVE_INFINITY);
    const [in_a, in_b] = [a.t[m] === time, b.t[n] === time];
    t.push(time);
    for (let k = 0; k < own; ++k) values[k]!.push(in_a ? a.values[k]![m] : undefined);
    for (let k = own; k < values.length; ++k)
      values[k]!.push(in_b ? b.values[k - own]![n] : undefined);
    if (in_a) ++m;
    if (in_b) ++n;
  }
  return { t, values };
}

function append_column(
  out: Decimated,
  t: Float64Array,
  series: IndexedSeries[],
  start: number,
  end: number,
): void {
  const single = end - start === 1;
  out.t.push(t[start]!);
  if (!single) out.t.push(t[end - 1]!);
  series.forEach((one, n) => {
    const [low, high] = extremes(one, start, end);
    const [a, b] = low <= high ? [low, high] : [high, low];
    out.values[n]!.push(value_at(one, a));
    if (!single) out.values[n]!.push(value_at(one, b));
  });
}

function value_at({ values }: IndexedSeries, at: number): number | null {
  return at < 0 ? null : values[at]!;
}

function or_null(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
