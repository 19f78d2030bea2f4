import { describe, expect, it } from "vitest";
import { decimate, extremes, first_at, index_series, merged } from "../../app/figures/decimate";

function ramp(length: number, step = 1): Float64Array {
  return Float64Array.from({ length }, (_, n) => n * step);
}

/** The smallest and the largest value, found by looking at each. */
function plain_extremes(values: Float64Array, from: number, to: number): number[] {
  const all = Array.from(values.subarray(from, to)).filter((value) => !Number.isNaN(value));
  return [Math.min(...all), Math.max(...all)];
}

const noisy = ramp(10_000).map((n) => Math.sin(n / 700) + 0.3 * Math.sin(n * 12.9898));

describe("extremes of a stretch", () => {
  it("are those of reading every point, wherever the stretch begins and ends", () => {
    const series = index_series(noisy);
    for (const [from, to] of [
      [0, 10_000],
      [1, 63],
      [63, 65],
      [64, 128],
      [17, 9_983],
      [9_999, 10_000],
    ] as const) {
      const [low, high] = extremes(series, from, to);
      expect([noisy[low], noisy[high]]).toEqual(plain_extremes(noisy, from, to));
    }
  });

  it("leave out what is no number", () => {
    const values = ramp(200).map((n) => (n === 100 ? Number.NaN : -n));
    const [low, high] = extremes(index_series(values), 90, 110);
    expect([low, high]).toEqual([109, 90]);
    expect(extremes(index_series(new Float64Array(70).fill(Number.NaN)), 0, 70)).toEqual([-1, -1]);
  });
});

describe("a thinned series", () => {
  it("is the series itself where every point has room", () => {
    const t = ramp(10);
    const out = decimate(t, [index_series(t)], 0, 9, 100);
    expect(out.t).toEqual(Array.from(t));
    expect(out.values[0]).toEqual(Array.from(t));
  });

  it("has at most two points a column and loses no peak", () => {
    const t = ramp(noisy.length, 1e-3);
    const values = noisy.slice();
    values[4_321] = 50;
    values[7_654] = -50;
    const out = decimate(t, [index_series(values)], 0, 10, 100);
    expect(out.t.length).toBeLessThanOrEqual(2 * 103);
    expect(Math.max(...(out.values[0] as number[]))).toBe(50);
    expect(Math.min(...(out.values[0] as number[]))).toBe(-50);
  });

  it("goes on in time", () => {
    const t = ramp(noisy.length, 1e-3);
    const out = decimate(t, [index_series(noisy)], 1.2345, 8.7, 333);
    expect(out.t.every((time, n) => n === 0 || time > out.t[n - 1]!)).toBe(true);
    expect(out.t[0]).toBeLessThanOrEqual(1.2345);
    expect(out.t[out.t.length - 1]).toBeGreaterThanOrEqual(8.7);
  });

  it("keeps the order of a rise and of a fall within a column", () => {
    const t = ramp(1000);
    const rise = decimate(t, [index_series(t)], 0, 999, 10).values[0] as number[];
    expect(rise.every((value, n) => n === 0 || value >= rise[n - 1]!)).toBe(true);
    const fall = decimate(t, [index_series(t.map((n) => -n))], 0, 999, 10).values[0] as number[];
    expect(fall.every((value, n) => n === 0 || value <= fall[n - 1]!)).toBe(true);
  });

  it("gathers the same points into a column after a pan, so that nothing shimmers", () => {
    const t = ramp(100_000, 1e-4);
    const values = ramp(100_000).map((n) => Math.sin(n * 7.7));
    const series = [index_series(values)];
    const before = decimate(t, series, 1, 3, 200);
    const after = decimate(t, series, 1.0731, 3.0731, 200);
    const inner = before.t.filter((time) => time > 1.2 && time < 2.8);
    expect(inner.length).toBeGreaterThan(100);
    for (const time of inner) expect(after.t).toContain(time);
  });

  it("has a gap where a whole column has no value", () => {
    const t = ramp(1000);
    const values = t.map((n) => (n >= 300 && n < 600 ? Number.NaN : n));
    const out = decimate(t, [index_series(values)], 0, 999, 10);
    expect(out.values[0]).toContain(null);
    expect(out.values[0]!.filter((value) => Number.isNaN(value))).toEqual([]);
  });

  it("finds its way where points are at uneven distances", () => {
    const t = Float64Array.from([0, 1e-6, 2e-6, 5, 5.1, 5.2, 5.3, 5.4, 9.9, 10]);
    const out = decimate(t, [index_series(t)], 0, 10, 3);
    expect(out.values[0]![0]).toBe(0);
    expect(out.t[out.t.length - 1]).toBe(10);
    expect(first_at(t, 5.15)).toBe(5);
    expect(first_at(t, 11)).toBe(10);
  });
});

describe("two series on common times", () => {
  it("have every time once, and no gap where one of them has no point", () => {
    const a = { t: [0, 1, 2], values: [[10, null, 12]] };
    const b = { t: [0.5, 1, 3], values: [[5, 6, 7]] };
    expect(merged(a, b)).toEqual({
      t: [0, 0.5, 1, 2, 3],
      values: [
        [10, undefined, null, 12, undefined],
        [undefined, 5, 6, undefined, 7],
      ],
    });
    expect(merged(a, { t: [], values: [[]] }).t).toEqual([0, 1, 2]);
  });
});
