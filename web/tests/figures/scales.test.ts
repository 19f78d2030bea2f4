import { describe, expect, it } from "vitest";
import { log_domain, log_ticks } from "../../app/figures/scales";

function labels(low: number, high: number, length = 400, notation: "digits" | "powers" = "digits") {
  return log_ticks(low, high, length, 30, notation)
    .filter((tick) => tick.label !== null)
    .map((tick) => tick.label);
}

describe("logarithmic ticks", () => {
  it("label every decade when many are shown, as powers", () => {
    expect(labels(1e-8, 1e-2, 300, "powers")).toEqual([
      "10⁻⁸",
      "10⁻⁷",
      "10⁻⁶",
      "10⁻⁵",
      "10⁻⁴",
      "10⁻³",
      "10⁻²",
    ]);
  });

  it("label nothing between powers where three of them are seen", () => {
    expect(labels(0.06, 21, 300, "powers")).toEqual(["10⁻¹", "10⁰", "10¹"]);
  });

  it("never print 0 for small values", () => {
    for (const label of labels(3e-12, 8e-4, 300, "powers")) expect(label).toMatch(/^10⁻/);
  });

  it("skip decades rather than overlap", () => {
    const shown = labels(1e-30, 1e10, 300, "powers");
    expect(shown.length).toBeGreaterThanOrEqual(4);
    expect(shown.length).toBeLessThanOrEqual(10);
  });

  it("label 2 and 5 between two decades of H", () => {
    expect(labels(0.19, 21)).toEqual(["0.2", "0.5", "1", "2", "5", "10", "20"]);
  });

  it("label digits below a decade", () => {
    expect(labels(1.4, 8.2)).toEqual(["2", "3", "4", "5", "6", "7", "8"]);
  });

  it("keep at least two labels however narrow the domain or the axis", () => {
    for (const [low, high] of [
      [1.71, 1.94],
      [0.99, 1.01],
      [4e-7, 4.4e-7],
      [0.2, 0.4],
    ] as const) {
      for (const length of [120, 300, 900]) {
        for (const notation of ["digits", "powers"] as const) {
          expect(labels(low, high, length, notation).length).toBeGreaterThanOrEqual(2);
        }
      }
    }
  });

  it("write exact decimals", () => {
    expect(labels(0.1, 0.9)).toContain("0.3");
    expect(labels(2e-5, 9e-5, 400, "powers")).toContain("3·10⁻⁵");
  });

  it("lie inside the domain, in order, powers of ten marked", () => {
    const ticks = log_ticks(0.15, 30, 400, 30, "digits");
    const values = ticks.map((tick) => tick.value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0.15);
    expect(Math.max(...values)).toBeLessThanOrEqual(30);
    expect(ticks.filter((tick) => tick.major).map((tick) => tick.value)).toEqual([1, 10]);
  });

  it("give none for an impossible domain", () => {
    expect(log_ticks(0, 1, 300, 30, "digits")).toEqual([]);
    expect(log_ticks(2, 2, 300, 30, "digits")).toEqual([]);
    expect(log_ticks(Number.NaN, 2, 300, 30, "digits")).toEqual([]);
  });
});

describe("logarithmic domain", () => {
  it("ignores what has no logarithm", () => {
    const domain = log_domain([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-3, 1e-1]);
    expect(domain?.[0]).toBeLessThan(1e-3);
    expect(domain?.[1]).toBeGreaterThan(1e-1);
  });

  it("has a width even for one value, and is null for none", () => {
    const [low = 0, high = 0] = log_domain([5]) ?? [];
    expect(high / low).toBeGreaterThan(1.5);
    expect(log_domain([0, Number.NaN])).toBeNull();
  });
});
