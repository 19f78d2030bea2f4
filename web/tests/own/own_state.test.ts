import { describe, expect, it } from "vitest";
import {
  empty_own,
  from_fragment,
  parts_of_key,
  to_fragment,
  with_source,
  with_subsystem,
  without_subsystem,
} from "../../app/own/own_state";
import { coupled, fmu, mass } from "./own_sample";

describe("subsystems of the form", () => {
  it("get names of their own, without the dots that separate ports", () => {
    const dotted = fmu("cc", "Vehicle.Axle.Tyre");
    const state = [mass, mass, dotted, mass].reduce(with_subsystem, empty_own);
    expect(state.subsystems.map((one) => one.name)).toEqual(["mass", "mass_2", "Tyre", "mass_3"]);
    expect(new Set(state.subsystems.map((one) => one.id)).size).toBe(4);
  });

  it("begin with the FMU's solver and the trapezoidal rule, else with all that is offered", () => {
    const chosen = (integrators: string[]) =>
      with_subsystem(empty_own, fmu("cc", "x", { integrators })).subsystems[0]?.integrators;
    expect(chosen(["fmu", "trapezoidal", "forward_euler", "rk4"])).toEqual(["fmu", "trapezoidal"]);
    expect(chosen(["rk4", "cvode"])).toEqual(["rk4", "cvode"]);
  });

  it("take connections, ranges and bonds with them when they go", () => {
    const left = without_subsystem(coupled(), "s1");
    expect(left.subsystems.map((one) => one.id)).toEqual(["s2"]);
    expect([left.sources, left.externals, left.bonds]).toEqual([{}, {}, {}]);
  });
});

describe("source of an input", () => {
  it("begins at the FMU's start value and keeps what was typed", () => {
    const driven = with_source(empty_own, "s1.w", "tests", 2);
    expect(driven.externals["s1.w"]?.initial).toBe("2");
    const typed = {
      ...driven,
      externals: { "s1.w": { ...driven.externals["s1.w"]!, minimum: "-5" } },
    };
    const connected = with_source(typed, "s1.w", "s2.f", 2);
    expect(connected.sources).toEqual({ "s1.w": "s2.f" });
    expect(with_source(connected, "s1.w", "tests", 2).externals["s1.w"]?.minimum).toBe("-5");
    expect(with_source(connected, "s1.w", "", 2).sources).toEqual({});
  });

  it("is named by subsystem and port, whatever dots the port has", () => {
    expect(parts_of_key("s1.axle.v")).toEqual(["s1", "axle.v"]);
  });
});

describe("address of the form", () => {
  it("holds all of it", () => {
    const state = { ...coupled(), name: "rig: 1 % & #2", initial_ms: "soon" };
    expect(from_fragment(to_fragment(state))).toEqual(state);
  });

  it("is nothing while nothing is chosen", () => {
    expect(to_fragment(empty_own)).toBe("");
    expect(from_fragment("")).toEqual(empty_own);
  });

  it("is understood as far as possible when it was cut or edited", () => {
    expect(from_fragment(to_fragment(coupled()).slice(0, -20))).toEqual(empty_own);
    expect(from_fragment("#%E0%A4%A")).toEqual(empty_own);
    const edited = from_fragment(
      `#${encodeURIComponent('{"subsystems":[null,{"id":"../x","name":3}],"sources":7,"tests":{"step":1}}')}`,
    );
    expect(edited.subsystems.map((one) => one.id)).toEqual(["s1000", "s1001"]);
    expect(edited.sources).toEqual({});
    expect(edited.tests).toEqual(empty_own.tests);
  });
});
