import { describe, expect, it } from "vitest";
import * as analysis from "../../app/analyses/analysis_form";
import type { Job, Parameter } from "../../app/api/types";
import { worded_by } from "../../app/forms/job_form";
import { problem } from "../api/sample";

const parameter = (path: string, part: Partial<Parameter> = {}): Parameter => ({
  path,
  unit: "N/m",
  default: 100,
  minimum: 0,
  maximum: 1e6,
  description: "",
  ...part,
});
const oscillator = {
  ...problem,
  parameters: [
    parameter("m1.m"),
    parameter("m1.x0", { default: 0, minimum: -5, maximum: 5 }),
  ].concat(["coupling.c_k", "coupling.d_k"].map((path) => parameter(path))),
};
const fill = (job: Job) => analysis.analysis_form(oscillator, job);
const build = (form: analysis.AnalysisForm, base: Job = {}) =>
  analysis.build_analysis(oscillator, form, base);

const map: Job = {
  kind: "map",
  name: "seen",
  problem: problem.name,
  parameters: { "m1.m": 7 },
  micro_steps: { hydraulics: 1e-4 },
  search: {
    couplings: ["force_displacement"],
    schemes: ["jacobi"],
    extrapolation: ["0"],
    integrators: { mechanics: ["i1al"], hydraulics: ["trapezoidal"] },
    corrections: ["none"],
    correction_parameters: { alpha: 0.5 },
  },
  map: {
    x: { parameter: "coupling.d_k", minimum: 1, maximum: 1e4, count: 20, scale: "linear" },
    y: { parameter: "m1.m", minimum: 2, maximum: 3, count: 4, scale: "log" },
    macro_steps_s: [1e-3, 2.5e-3],
    quantity: "stability",
  },
};

describe("form of an analysis", () => {
  it("begins with the parameters of the coupling, around their defaults", () => {
    const form = fill({});
    expect([form.x.parameter, form.y.parameter]).toEqual(["coupling.c_k", "coupling.d_k"]);
    expect([form.x.minimum, form.x.maximum, form.x.scale]).toEqual(["1", "10000", "log"]);
  });

  it("takes all of a parameter that is 0 by default, which has no logarithm", () => {
    const axis = analysis.usual_axis(oscillator.parameters[1]);
    expect([axis.minimum, axis.maximum, axis.scale]).toEqual(["-5", "5", "linear"]);
  });

  it("filled from a map sends the same job again, with what it cannot show", () => {
    expect(build(fill(map), map)).toEqual(map);
    const range = { minimum_s: 1e-4, maximum_s: 0.1, count: 5 };
    const accuracy = {
      ...map,
      tests: problem.job.tests ?? [],
      map: {
        ...(map.map as object),
        macro_steps_s: range,
        quantity: "accuracy",
        error_max: 0.05,
        test: "ramp",
      },
    };
    expect(build(fill(accuracy), accuracy)).toEqual(accuracy);
  });

  it("filled from a tuning sends the same job again", () => {
    const { map: _, ...others } = map;
    const tune = {
      ...others,
      kind: "tune",
      tests: problem.job.tests ?? [],
      tune: { macro_step_s: 2e-3, objective: null, also: [{ parameters: { "m1.x0": 1 } }] },
    };
    expect(build(fill(tune), tune)).toEqual(tune);
  });

  it("leaves one configuration for a tuning", () => {
    const { space } = fill({});
    const one = analysis.one_configuration({ ...space, corrections: ["none", "nepce"] });
    expect([one.extrapolation.length, one.corrections]).toEqual([1, ["none"]]);
    for (const names of Object.values(one.integrators)) expect(names).toHaveLength(1);
  });

  it("shows every mistake at a field that is there", () => {
    const pointers: [string, string][] = [
      ["/map/x/minimum", "x:minimum"],
      ["/map/y", "y:parameter"],
      ["/map/macro_steps_s/maximum_s", "last_ms"],
      ["/map/macro_steps_s/3", "first_ms"],
      ["/map/quantity", "quantity"],
      ["/map/test", "test"],
      ["/tune/macro_step_s", "tune_ms"],
      ["/search/schemes/0", "schemes"],
      ["/parameters/m1.m", "parameter:m1.m"],
    ];
    const map_fields = analysis.fields_of_analysis(oscillator, fill({}));
    const tune_fields = analysis.fields_of_analysis(oscillator, fill({ kind: "tune" }));
    for (const [pointer, field] of pointers) {
      expect(analysis.field_of_analysis(pointer)).toBe(field);
      expect((pointer.startsWith("/tune") ? tune_fields : map_fields).has(field), pointer).toBe(
        true,
      );
    }
  });

  it("asks nothing, and says what was typed, where a number cannot be read", () => {
    const form = fill({});
    expect(analysis.has_unreadable(form)).toBe(false);
    const wrong = { ...form, x: { ...form.x, minimum: "low" } };
    expect(analysis.has_unreadable(wrong)).toBe(true);
    const words = worded_by([{ pointer: "/map/x/minimum", detail: "must be a number" }], (one) =>
      analysis.typed_at_analysis(one, wrong),
    );
    expect(words[0]?.detail).toBe("“low” is not a number");
    expect(analysis.has_unreadable({ ...form, listed: true, steps_ms: "1 2 x" })).toBe(true);
    expect(build({ ...form, listed: true, steps_ms: "1, 2; 5" }).map).toMatchObject({
      macro_steps_s: [1e-3, 2e-3, 5e-3],
    });
  });
});
