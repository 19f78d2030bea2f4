import { describe, expect, it } from "vitest";
import type { Trace } from "../../app/api/trial_types";
import { axis_texts } from "../../app/figures/axis_text";
import { applied_input, drawn_order } from "../../app/trials/applied_inputs";
import {
  columns_of,
  difference,
  energies,
  first_counted,
  largest,
  resample,
} from "../../app/trials/trace";
import { configuration } from "../api/sample";

const trace: Trace = {
  search_id: "a",
  trial_id: 1,
  macro_step_s: 0.1,
  test: "step",
  status: "complete",
  reason: null,
  points_total: 4,
  points: 4,
  connections: [],
  reference: null,
  reference_reason: null,
  columns: ["t", "m1.f", "m2.v", "residual_power_W", "m1.w"],
  rows: [
    [0, 1, 10, 0, 5],
    [0.1, 2, 20, 8, 5],
    [0.2, 3, null, -4, 5],
    [0.3, 4, 40, 2, 5],
  ],
};

describe("columns of a trace", () => {
  it("are outputs before the residual power and external inputs behind it", () => {
    const columns = columns_of(trace);
    expect([...columns.outputs.keys()]).toEqual(["m1.f", "m2.v"]);
    expect([...columns.external.keys()]).toEqual(["m1.w"]);
    expect(Array.from(columns.power_W)).toEqual([0, 8, -4, 2]);
    expect(columns.outputs.get("m2.v")![2]).toBeNaN();
    expect(columns.complete).toBe(true);
    expect(columns_of({ ...trace, points_total: 9 }).complete).toBe(false);
    expect(columns.reference).toBeNull();
  });

  it("end with the monolithic solution, in the order of the outputs, where there is one", () => {
    const columns = columns_of({
      ...trace,
      reference: { nrmse: 0.1, max: 0.2, outputs: { "m1.f": 0.1, "m2.v": null } },
      columns: [...trace.columns, "reference.m1.f", "reference.m2.v"],
      rows: trace.rows.map((row, n) => [...row, 1.5 + n, n === 3 ? null : 11 * n]),
    });
    expect([...columns.external.keys()]).toEqual(["m1.w"]);
    expect(Array.from(columns.reference!.get("m1.f")!)).toEqual([1.5, 2.5, 3.5, 4.5]);
    expect(columns.reference!.get("m2.v")![3]).toBeNaN();
  });
});

describe("a reference at other times", () => {
  const t = Float64Array.of(0, 1, 2);

  it("is straight between its points and nowhere beyond them", () => {
    const at = Float64Array.of(0, 0.5, 1, 1.75, 2, 2.5);
    const values = resample(t, Float64Array.of(0, 10, 0), at);
    expect(Array.from(values.subarray(0, 5))).toEqual([0, 5, 10, 2.5, 0]);
    expect(values[5]).toBeNaN();
  });

  it("is its own points where times agree, whatever stands beside them", () => {
    const values = resample(t, Float64Array.of(1, Number.NaN, 3), t);
    expect([values[0], values[2]]).toEqual([1, 3]);
  });

  it("leaves a difference whose largest size is known", () => {
    const apart = difference(Float64Array.of(1, 5, 2), Float64Array.of(1, 8, Number.NaN));
    expect(largest(apart)).toBe(3);
    expect(largest(Float64Array.of(Number.NaN))).toBeNull();
  });
});

describe("energies of a trace", () => {
  it("are rectangles of held inputs, from the third macro-step on for m = 0", () => {
    const { net_J, residual_J } = energies(columns_of(trace), "0", 0.25);
    // H δP = 0.8, −0.4 and, with half of the last macro-step inside the test, 0.1 J.
    expect(net_J[3]).toBeCloseTo(0.5, 12);
    expect(residual_J[2]).toBe(0);
    expect(residual_J[3]).toBeCloseTo(0.1, 12);
  });

  it("are trapezoids of extrapolated ones", () => {
    expect(energies(columns_of(trace), "1", null).net_J[3]).toBeCloseTo(0.4 + 0.2 - 0.1, 12);
  });

  it("begin to count where the engine's do", () => {
    expect(
      ["0", "1", "4", "i1", "i2", "least_squares", "hermite", "adaptive"].map(first_counted),
    ).toEqual([2, 4, 10, 4, 6, 10, 8, 10]);
  });
});

describe("an input as it was applied", () => {
  const t = Float64Array.of(0, 1, 2, 3, 4);

  it("is held over a macro-step by order 0", () => {
    const { values } = applied_input(t, Float64Array.of(3, 1, 4, 1, 5), 0);
    expect(Array.from(values)).toEqual([3, 3, 1, 1, 4, 4, 1, 1]);
  });

  it("meets a polynomial of its order once it has values enough", () => {
    for (const order of [1, 2, 3, 4]) {
      const source = (time: number) => 2 + time - 0.5 * time ** order;
      const long = Float64Array.from({ length: 12 }, (_, n) => n * 0.5);
      const input = applied_input(long, long.map(source), order);
      input.t.forEach((time, n) => {
        if (time >= long[order]!) expect(input.values[n]).toBeCloseTo(source(time), 4);
      });
    }
  });

  it("starts with the values that are there", () => {
    const { values } = applied_input(t, Float64Array.of(0, 1, 2, 3, 4), 1);
    expect(Array.from(values.subarray(0, 4))).toEqual([0, 0, 1, 2]);
  });

  it("comes late by its delay", () => {
    const { values } = applied_input(t, Float64Array.of(3, 1, 4, 1, 5), 0, 1);
    expect(Array.from(values)).toEqual([3, 3, 3, 3, 1, 1, 4, 4]);
  });

  it("goes on in time, with the jump at the end of each macro-step", () => {
    const input = applied_input(t, t, 2);
    expect(input.t.every((time, n) => n === 0 || time > input.t[n - 1]!)).toBe(true);
  });

  it("is only drawn where the trace tells it", () => {
    expect(drawn_order(configuration("2"))).toBe(2);
    expect(drawn_order(configuration("i2"))).toBeNull();
    expect(drawn_order({ ...configuration("1"), scheme: "gauss_seidel" })).toBeNull();
    expect(drawn_order({ ...configuration("1"), correction: "nepce" })).toBeNull();
    expect(drawn_order({ ...configuration("1"), substeps: { hydraulics: 4 } })).toBeNull();
  });
});

describe("labels of an axis", () => {
  it("tell neighbours apart", () => {
    expect(axis_texts([0.499998, 0.5, 0.500002], 2e-6).labels).toEqual([
      "0.499998",
      "0.500000",
      "0.500002",
    ]);
  });

  it("share a power of ten where numbers are long", () => {
    expect(axis_texts([-2e6, 0, 2e6], 2e6)).toEqual({ labels: ["−2", "0", "2"], power: "10⁶" });
    expect(axis_texts([0, 5e-9, 1e-8], 5e-9)).toEqual({
      labels: ["0", "0.5", "1.0"],
      power: "10⁻⁸",
    });
  });

  it("are short where nothing is to be told apart", () => {
    expect(axis_texts([0, 0], 0)).toEqual({ labels: ["0", "0"], power: "" });
    expect(axis_texts([0, 50, 100], 50).labels).toEqual(["0", "50", "100"]);
  });
});
