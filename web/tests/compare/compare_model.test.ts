import { describe, expect, it } from "vitest";
import type { Comparison } from "../../app/api/compare_api";
import type { Configuration } from "../../app/api/types";
import { parts_of } from "../../app/compare/compare_differences";
import {
  type Compared,
  configurations_of,
  curve_of,
  letter_of,
  member_name,
  recommendation_rows,
  series_of,
  tests_of,
  value_texts,
} from "../../app/compare/compare_model";
import { configuration_key } from "../../app/text/names";
import { configuration, curve, recommendation, search } from "../api/sample";

function compared(
  place: number,
  orders: Configuration["extrapolation"][],
  tests = ["step"],
): Compared {
  const curves = tests.flatMap((test) =>
    orders.map((order, n) => curve(n, { configuration: configuration(order), test })),
  );
  const found = search({ id: `s${place}`, recommendation: recommendation() });
  return { letter: letter_of(place), search: found, curves };
}

describe("searches side by side", () => {
  it("have a dash and a marker that no other has, whatever their colour", () => {
    const set = series_of(Array.from({ length: 20 }, (_, n) => compared(n, ["2"])));
    expect(new Set(set.styles.map((one) => `${one.dash}|${one.marker}`)).size).toBe(20);
    expect(set.series.map((one) => one.extrapolation).join("")).toBe("ABCDEFGHIJKLMNOPQRST");
  });

  it("show what each recommends, or one configuration of all", () => {
    const one = compared(0, ["1", "2"]);
    expect(curve_of(one, "step", null)?.configuration.extrapolation).toBe("2");
    expect(
      curve_of(one, "step", configuration_key(configuration("1")))?.configuration.extrapolation,
    ).toBe("1");
    expect(curve_of(one, "ramp", null)).toBeNull();
    const without = { ...one, search: search({ recommendation: null }) };
    expect(curve_of(without, "step", null)).toBeNull();
  });

  it("offer the configurations of any, those of all first", () => {
    const list = [compared(0, ["0", "2"]), compared(1, ["2"])];
    expect(configurations_of(list).map((one) => one.text)).toEqual([
      "m = 2, I1AL + forward Euler",
      "m = 0, I1AL + forward Euler (1)",
    ]);
  });

  it("have the tests of any", () => {
    expect(tests_of([compared(0, ["2"], ["step"]), compared(1, ["2"], ["ramp", "step"])])).toEqual([
      "step",
      "ramp",
    ]);
  });
});

describe("a table of differences", () => {
  it("names members in words", () => {
    expect(member_name("/search/macro_step/maximum_s")).toBe("search / macro step / maximum");
    expect(member_name("/parameters/a~1b~0c")).toBe("parameters / a/b~c");
    expect(member_name("")).toBe("");
  });

  it("writes as many digits as tell values apart", () => {
    expect(value_texts("/macro_step_s", [0.0018, 0.002])).toEqual(["1.8\u202fms", "2\u202fms"]);
    expect(value_texts("/x", [1.00000001, 1.00000002])).toEqual(["1.00000001", "1.00000002"]);
    expect(value_texts("/trials", [25340123, 7])).toEqual(["25\u202f340\u202f123", "7"]);
  });

  it("writes shares in percent, and problems by their names", () => {
    const texts = value_texts("/relative_residual", [0.301, 0.0125]);
    expect(texts).toEqual(["30.1\u202f%", "1.25\u202f%"]);
    expect(value_texts("/error/max", [15.01])).toEqual(["1501\u202f%"]);
    expect(value_texts("/error/nrmse", [0.7945])).toEqual(["79.45\u202f%"]);
    expect(value_texts("/confidence", [0.981, null])).toEqual(["98.1\u202f%", "–"]);
    expect(value_texts("/problem", ["double_actuator_crane"])).toEqual(["double-actuator crane"]);
    expect(value_texts("/name", ["double_actuator_crane"])).toEqual(["double_actuator_crane"]);
  });

  it("writes a configuration as it is called everywhere", () => {
    const [text] = value_texts("/correction_gain/without", [configuration("2")]);
    expect(text).toContain("m = 2");
    expect(text).not.toContain("{");
  });

  it("has a word for everything", () => {
    expect(value_texts("/x", [null, true, "", [], ["a", 1], { elements: 51 }, { a: 1 }])).toEqual([
      "–",
      "yes",
      "(empty)",
      "(none)",
      "a · 1",
      "51 elements",
      '{"a":1}',
    ]);
  });

  it("has no part without a difference, and only the members that differ", () => {
    const comparison: Comparison = {
      searches: [],
      identical: false,
      job: [],
      job_more: 0,
      recommendation: [],
      recommendation_more: 0,
      curves: [
        {
          configuration: configuration("2"),
          test: "step",
          bend_s: [0.001, 0.002],
          cliff_s: [1, 1],
        },
      ],
      curves_more: 0,
      curves_of_some: [
        {
          configuration: configuration("0"),
          test: "step",
          present: [true, false],
          bend_s: [null, null],
          cliff_s: [null, null],
        },
      ],
      curves_of_some_more: 3,
      cost: [],
      wall_s: [1, null],
    };
    const parts = parts_of(comparison, [null, null]);
    expect(parts.map((one) => one.id)).toEqual(["curves", "some", "cost"]);
    expect(parts[0]?.rows).toEqual([
      {
        name: "step: m = 2, I1AL + forward Euler, force–displacement: bend",
        values: ["1\u202fms", "2\u202fms"],
      },
    ]);
    expect(parts[1]?.rows[0]?.values).toEqual(["–", "no such curve"]);
    expect(parts[1]?.more).toBe(3);
    expect(parts[2]?.rows).toEqual([{ name: "time taken", values: ["1\u202fs", "–"] }]);
  });
});

describe("differences of recommendations", () => {
  const differs = (pointer: string) => ({ pointer, values: [1, 2] });
  const check = (name: string, value: number | null, verdict = "agrees") => ({
    check: name,
    verdict,
    value,
    limit: name === "growth" ? 0 : 0.5,
    detail: "",
  });

  it("tell ties by their number, however many members of them differ", () => {
    const list = ["/ties/0/extrapolation", "/ties/0/integrators/mechanics", "/ties/1"];
    const [a, b, c] = (["0", "1", "3"] as const).map((order) => configuration(order));
    const rows = (ties: Configuration[][]) =>
      recommendation_rows(
        list.map(differs),
        ties.map((one) => recommendation({ ties: one })),
      );
    expect(rows([[a!], [a!, b!], []])).toEqual([{ name: "ties", values: ["1", "2", "0"] }]);
    expect(
      rows([
        [a!, b!],
        [a!, c!],
        [a!, b!],
      ]),
    ).toEqual([{ name: "ties", values: ["2", "2, others", "2"] }]);
  });

  it("tell checks by their names, wherever they stand, and only what differs of them", () => {
    const rows = recommendation_rows(
      ["/macro_step_s", "/checks/0/check", "/checks/0/value", "/checks/1"].map(differs),
      [
        recommendation({ checks: [check("growth", -1.01), check("change", 0.12)] }),
        recommendation({ checks: [check("change", 0.34), check("growth", null, "unknown")] }),
      ],
    );
    expect(rows.slice(1)).toEqual([
      { name: "checks / growth / verdict", values: ["passed", "no verdict"] },
      { name: "checks / growth / value", values: ["−1.01", "–"] },
      { name: "checks / change / value", values: ["12\u202f%", "34\u202f%"] },
    ]);
    expect(rows[0]?.name).toBe("macro step");
  });

  it("leave a dash where a search has no recommendation, or none that was checked", () => {
    const rows = recommendation_rows(["/ties", "/checks"].map(differs), [
      null,
      recommendation({ checks: [check("unseen", 0.2)] }),
    ]);
    expect(rows).toEqual([
      { name: "ties", values: ["–", "0"] },
      { name: "checks / unseen / verdict", values: ["–", "passed"] },
      { name: "checks / unseen / value", values: ["–", "20\u202f%"] },
      { name: "checks / unseen / limit", values: ["–", "50\u202f%"] },
      { name: "checks / unseen / detail", values: ["–", "(empty)"] },
    ]);
  });
});
