import { describe, expect, it } from "vitest";
import {
  bonds_of,
  confirmed_bonds,
  connections_of,
  fitting_sources,
  inputs_of,
  misfit,
  outputs_of,
} from "../../app/own/own_ports";
import { empty_own, with_source, with_subsystem } from "../../app/own/own_state";
import { coupled, fmu, fmus, mass, port, spring_mass } from "./own_sample";

describe("ports", () => {
  it("are those that can be connected, of every use of an FMU", () => {
    const odd = fmu("cc", "odd", { inputs: [port("text", "?", { connectable: false })] });
    const state = [mass, mass, odd].reduce(with_subsystem, empty_own);
    const known = new Map([...fmus, ["cc", odd]]);
    expect(inputs_of(state, known).map((one) => one.key)).toEqual(["s1.f", "s1.w", "s2.f", "s2.w"]);
    expect(outputs_of(state, new Map())).toEqual([]); // nothing is known of them yet
  });

  it("fit in equal units, and whole numbers in whole numbers", () => {
    expect(misfit(port("f", "N"), port("f", "kg m/s^2"))).toBe("");
    expect(misfit(port("f", "N"), port("x", "m"))).toBe("m, not N");
    expect(misfit(port("f", "N"), port("f", "kN"))).toBe("kN, not N");
    expect(misfit(port("f", "N"), port("f", "?"))).toBe("");
    const gear = port("gear", "?", { type: "int32" });
    expect(misfit(gear, port("x", "?"))).toBe("a real number, not whole");
    expect(misfit(port("x", "?"), gear)).toBe("");
  });
});

describe("connections", () => {
  it("leave out what refers to ports that do not exist", () => {
    const state = with_source(coupled(), "s2.w", "s1.gone", 0);
    expect(connections_of(state, fmus).map(({ input }) => input.key)).toEqual([
      "s1.f",
      "s2.x_in",
      "s2.v_in",
    ]);
  });

  it("are proposed where the unit or the name leaves one output", () => {
    // f, x_in and v_in have one source each in their unit; w could follow f, but f is taken.
    const state = with_subsystem(with_subsystem(empty_own, mass), spring_mass);
    expect(fitting_sources(state, fmus)).toEqual({
      "s1.f": "s2.f",
      "s2.x_in": "s1.x",
      "s2.v_in": "s1.v",
    });
  });

  it("are not proposed where several outputs are as good", () => {
    const state = [mass, mass, spring_mass].reduce(with_subsystem, empty_own);
    const fitting = fitting_sources(state, fmus);
    expect(fitting["s3.x_in"]).toBeUndefined(); // x of either mass
    expect(fitting["s1.f"]).toBe("s3.f");
    const kept = fitting_sources({ ...state, sources: { "s1.f": "tests" } }, fmus);
    expect(kept["s1.f"]).toBe("tests");
  });
});

describe("power bonds of the form", () => {
  it("are proposed, and count when they are confirmed and still connected", () => {
    const state = coupled();
    const [first] = bonds_of(state, fmus);
    expect(first).toMatchObject({ key: "s1.v*s2.f", kind: "proposed", factor: 1 });
    expect(first?.effort).toEqual({ subsystem: "s2", port: "f" });
    expect(confirmed_bonds(state, fmus)).toHaveLength(1);
    expect(confirmed_bonds(with_source(state, "s1.f", "", 0), fmus)).toEqual([]);
    expect(confirmed_bonds({ ...state, bonds: {} }, fmus)).toEqual([]);
  });
});
