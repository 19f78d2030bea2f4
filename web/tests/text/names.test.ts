import { describe, expect, it } from "vitest";
import type { Configuration } from "../../app/api/types";
import {
  configuration_key,
  configuration_short,
  counts,
  prose,
  what_is_left,
} from "../../app/text/names";
import { configuration, progress } from "../api/sample";

const sequential = (order: string[]): Configuration => ({
  ...configuration("2"),
  scheme: "gauss_seidel",
  order,
});

describe("what is left of a search", () => {
  const nearly = progress({ curves_done: 2, trials_done: 16, eta_s: 0.2 });

  it("is the time of its trials, then what follows them", () => {
    expect(what_is_left({ ...nearly, stage: "curves", stage_text: "runs the trials" })).toBe(
      ", nearly done",
    );
    const checks = { ...nearly, stage: "checks" as const, stage_text: "runs the checks" };
    expect(what_is_left(checks)).toBe(", runs the checks");
    expect(what_is_left({ ...nearly, eta_s: null, stage: null })).toBe("");
  });
});

describe("the names of a configuration", () => {
  const one = sequential(["mechanics", "hydraulics_1"]);
  const other = sequential(["hydraulics_1", "mechanics"]);

  it("tell two orders of the subsystems apart", () => {
    expect(configuration_key(one)).not.toBe(configuration_key(other));
    expect(configuration_short(one)).toContain("Gauss–Seidel mechanics → hydraulics 1");
    expect(configuration_short(other)).toContain("Gauss–Seidel hydraulics 1 → mechanics");
  });

  it("tell two numbers of substeps apart", () => {
    const fast = { ...one, substeps: { hydraulics: 4 } };
    expect(configuration_key(fast)).not.toBe(configuration_key(one));
    expect(configuration_short(fast)).toContain("4 sub-steps of hydraulics");
  });

  it("do not repeat the FMUs' own solvers", () => {
    const solvers = {
      ...configuration("2"),
      integrators: { truck: "fmu", trailer: "fmu" },
    } as const;
    expect(configuration_short(solvers)).toBe("m = 2, the FMUs' solvers");
    const mixed = { ...solvers, integrators: { truck: "fmu", trailer: "rk4" } } as const;
    expect(configuration_short(mixed)).toBe("m = 2, RK4 + the FMU's solver");
  });

  it("have no order where none is set", () => {
    const listed: Configuration = { ...configuration("2"), scheme: "gauss_seidel" };
    expect(configuration_key(sequential([]))).toBe(configuration_key(listed));
    expect(configuration_short(listed)).toMatch(/, Gauss–Seidel$/);
  });
});

describe("a row of the table", () => {
  const row = (flags: string[], macro_step_s: number | null = 0.001) => ({
    test: "step",
    configurations: [],
    macro_step_s,
    cliff_s: null,
    flags,
  });

  it("counts although its H is cut at a limit", () => {
    for (const flag of ["cut_at_stability_limit", "cut_at_transmitted_energy"]) {
      expect(counts(row([flag]))).toBe(true);
    }
  });

  it("does not count with too few macro-steps or without an H", () => {
    expect(counts(row(["too_few_macro_steps"]))).toBe(false);
    expect(counts(row(["no_linear_region"], null))).toBe(false);
  });
});

describe("a text of the server", () => {
  it("has tests and members of the job as the page calls them", () => {
    expect(prose("test sine_17.5hz does not count; relative_residual_max sets a limit")).toBe(
      "Test sine 17.5\u202fHz does not count; the largest relative residual of the job sets a limit.",
    );
  });
});
