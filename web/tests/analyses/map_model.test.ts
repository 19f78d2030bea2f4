import { describe, expect, it } from "vitest";
import * as map from "../../app/analyses/map_model";
import { cell_text, grouped_reasons } from "../../app/analyses/map_text";
import { anchor_of, order_of, series_at, value_domain } from "../../app/analyses/point_model";
import type { MapResult } from "../../app/api/analysis_api";

/** 3 × 2 points, two H; the last point of the upper row is not computed. */
function sample(): MapResult {
  const layer = (macro_step_s: number, values: (number | null)[][]) => ({
    macro_step_s,
    points_within_limit: values.flat().filter((one) => one !== null && one <= 1).length,
    points_without_value: [],
    values,
  });
  return {
    problem: "stiff_oscillator",
    quantity: "stability",
    limit: 1,
    test: null,
    x: { parameter: "coupling.c_k", unit: "N/m", scale: "log", values: [1, 10, 100] },
    y: { parameter: "coupling.d_k", unit: "N s/m", scale: "log", values: [1, 10] },
    macro_steps_s: [1e-3, 1e-2],
    configurations: [
      {
        label: "extrapolation 0",
        configuration: {} as never,
        layers: [
          layer(1e-3, [
            [0.8, 0.99, 1],
            [1, 1.005, null],
          ]),
          layer(1e-2, [
            [0.5, 1.05, 20],
            [1.2, 1.2, null],
          ]),
        ],
        largest_macro_step_s: [
          [1e-2, 1e-3, 1e-3],
          [1e-3, null, null],
        ],
      },
    ],
  };
}

const box: map.Box = { left: 10, top: 20, width: 300, height: 200 };

describe("classes of a map's cells", () => {
  const result = sample();
  const of = (layer: map.Layer) => map.plane_of(result, result.configurations[0]!, layer);
  const tones = (layer: map.Layer) => {
    const plane = of(layer);
    return plane.cells.map((row) => row.map((cell) => plane.classes[cell]!.tone));
  };

  it("tell stable, unstable and not computed apart at one H", () => {
    expect(tones(0)).toEqual([
      ["good", "good", "good"],
      ["good", "bad", "none"],
    ]);
    expect(tones(1)[0]).toEqual(["good", "bad", "bad"]);
  });

  it("tell which H is the largest, and where none was computed", () => {
    expect(tones("largest")).toEqual([
      ["good", "good", "good"],
      ["good", "bad", "none"],
    ]);
    const plane = of("largest");
    expect(plane.classes[plane.cells[0]![0]!]!.label).toMatch(/10\u202fms$/);
    expect(plane.classes[plane.cells[0]![1]!]!.label).toMatch(/up to H = 1\u202fms$/);
  });

  it("are at most eight levels of H, which cover every H", () => {
    const steps = Array.from({ length: 100 }, (_, n) => 1e-5 * 1.1 ** n);
    const many = { ...result, macro_steps_s: steps };
    many.configurations[0]!.largest_macro_step_s = [steps.slice(0, 50), steps.slice(50)];
    const plane = map.plane_of(many, many.configurations[0]!, "largest");
    expect(plane.classes).toHaveLength(8 + 2);
    expect(plane.cells[0]![0]).toBe(0);
    expect(plane.cells[1]![49]).toBe(7);
  });
});

describe("drawing of a map", () => {
  const plane: map.CellPlane = {
    classes: [
      { label: "a", tone: "good", strength: 1 },
      { label: "b", tone: "bad", strength: 1 },
    ],
    cells: [
      [0, 0, 1],
      [1, 1, 1],
    ],
  };

  it("makes one piece of a run, the lowest row at the bottom", () => {
    expect(map.class_paths(plane, box)).toEqual([
      "M10 120h200v100h-200z",
      "M210 120h100v100h-100zM10 20h300v100h-300z",
    ]);
  });

  it("draws the border where the tone changes, and only there", () => {
    expect(map.tone_border(plane, box)).toBe("M210 220V120M10 120H110M110 120H210");
  });

  it("draws 100 × 100 cells in few macro_step_text and as few pieces as runs", () => {
    const cells = Array.from({ length: 100 }, (_, y) =>
      Array.from({ length: 100 }, (_, x) => (x + y < 100 ? 0 : 1)),
    );
    const start = performance.now();
    const paths = map.class_paths({ ...plane, cells }, box);
    expect(performance.now() - start).toBeLessThan(200);
    expect(paths.join("").split("M").length - 1).toBe(199);
  });
});

describe("cursor of a map", () => {
  it("is in the cell below the pointer, or nowhere", () => {
    expect(map.cell_at(box, 3, 2, 11, 219)).toEqual({ column: 0, row: 0 });
    expect(map.cell_at(box, 3, 2, 309, 21)).toEqual({ column: 2, row: 1 });
    expect(map.cell_at(box, 3, 2, 9, 100)).toBeNull();
    expect(map.cell_at(box, 3, 2, 100, 221)).toBeNull();
  });

  it("moves by cells or tenths and stays within", () => {
    const from = { column: 5, row: 5 };
    expect(map.moved(from, 50, 50, "ArrowUp", false)).toEqual({ column: 5, row: 6 });
    expect(map.moved(from, 50, 50, "ArrowLeft", true)).toEqual({ column: 0, row: 5 });
    expect(map.moved(from, 50, 50, "End", false)).toEqual({ column: 49, row: 5 });
    expect(map.moved(from, 50, 50, "PageDown", false)).toEqual({ column: 5, row: 0 });
    expect(map.moved(from, 50, 50, "a", false)).toBeNull();
  });

  it("is kept in the address, and in the middle where that says nonsense", () => {
    expect(map.cell_of_text(map.text_of_cell({ column: 4, row: 1 }), 9, 9)).toEqual({
      column: 4,
      row: 1,
    });
    for (const text of [null, "", "9,1", "-1,1", "x"])
      expect(map.cell_of_text(text, 9, 8)).toEqual({ column: 4, row: 4 });
  });

  it("reads out value and judgement with units", () => {
    const result = sample();
    const read = (layer: map.Layer, column: number, row: number) =>
      cell_text(result, result.configurations[0]!, layer, { column, row });
    expect(read(1, 1, 0)).toBe(
      "coupling.c_k = 10\u202fN/m, coupling.d_k = 1\u202fN s/m: ρ = 1.05, unstable.",
    );
    expect(read(0, 1, 1)).toMatch(/ρ = 1\.005, unstable\.$/);
    expect(read(0, 2, 1)).toMatch(/: not computed\.$/);
    expect(read("largest", 0, 1)).toMatch(/: stable up to H = 1\u202fms\.$/);
    expect(read("largest", 1, 1)).toMatch(/: not stable at any H tried\.$/);
    const { classes, cells } = map.plane_of(result, result.configurations[0]!, "largest");
    expect(classes[cells[1]![1]!]!.label).toBe("not stable at any H tried");
    expect(read("largest", 2, 1)).toMatch(/: not computed\.$/);
  });
});

describe("reasons of points without a value", () => {
  it("are told once however many times they name, the most frequent first", () => {
    const late = { reason: "diverged at 0.25 s", points: 2 };
    const soon = { reason: "diverged at 1.5e-05 s", points: 3 };
    const other = { reason: "the matrix is not finite", points: 4 };
    expect(grouped_reasons([late, other, soon])).toEqual([
      { reason: "diverged", points: 5 },
      other,
    ]);
  });

  it("are few, and no point is lost", () => {
    const many = Array.from({ length: 9 }, (_, n) => ({ reason: `reason ${n}`, points: n + 1 }));
    const told = grouped_reasons(many);
    expect(told).toHaveLength(5);
    expect(told.reduce((sum, one) => sum + one.points, 0)).toBe(45);
  });
});

describe("axes of a map", () => {
  it("have powers of ten in the middle of their cells", () => {
    const ticks = map.axis_ticks([1, 10, 100, 1000], "log", 400, 20).filter((one) => one.label);
    expect(ticks.map((one) => one.label)).toEqual(["10⁰", "10¹", "10²", "10³"]);
    expect(ticks.map((one) => Number(one.at.toFixed(9)))).toEqual([0.125, 0.375, 0.625, 0.875]);
  });

  it("have round numbers where they are linear, also negative ones", () => {
    const values = Array.from({ length: 11 }, (_, n) => -1 + n * 0.2);
    const labels = map.axis_ticks(values, "linear", 300, 30).map((one) => one.label);
    expect(labels).toEqual(["−1", "−0.5", "0", "0.5", "1"]);
  });

  it("have no ticks where there is nothing between the ends", () => {
    expect(map.axis_ticks([1], "log", 100, 20)).toEqual([]);
    expect(map.axis_ticks([2, 2], "linear", 100, 20)).toEqual([]);
  });

  it("are thinned for a table, ends included", () => {
    expect(map.thinned(5, 10)).toEqual([0, 1, 2, 3, 4]);
    expect(map.thinned(10, 4)).toEqual([0, 3, 6, 9]);
    expect(map.thinned(11, 4)).toEqual([0, 3, 6, 9, 10]);
  });
});

describe("one point of a map over all H", () => {
  const steps = [1e-3, 2e-3, 4e-3];
  const square = {
    index: 0,
    label: "",
    values: steps.map((step) => ({ macro_step_s: step, value: 3 * step ** 2 })),
  };

  it("has the values of its cell, with gaps where nothing was computed", () => {
    const [series] = series_at(sample(), { column: 2, row: 1 });
    expect(series!.values.map((one) => one.value)).toEqual([null, null]);
    expect(anchor_of(series!)).toBeNull();
    expect(order_of(series!)).toBeNull();
  });

  it("tells the order that the error grows with", () => {
    expect(order_of(square)).toBeCloseTo(2, 12);
    const gap = { ...square, values: [{ macro_step_s: 5e-4, value: null }, ...square.values] };
    expect(order_of(gap)).toBeCloseTo(2, 12);
    expect(anchor_of(gap)?.macro_step_s).toBe(1e-3);
  });

  it("shows the limit, and is not stretched by a value far beyond it", () => {
    const result = sample();
    const wild = { ...square, values: [{ macro_step_s: 1, value: 1e30 }] };
    const [low, high] = value_domain(result, [square, wild]);
    expect(low).toBeLessThan(3e-6);
    expect(high).toBeGreaterThan(1);
    expect(high).toBeLessThan(1e4);
  });
});
