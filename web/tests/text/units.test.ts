import { describe, expect, it } from "vitest";
import { same_unit, unit_from, watts_of } from "../../app/text/units";

describe("units", () => {
  it("are products of prefixed names with powers", () => {
    // kN = 1000 kg m/s²; everything after the slash divides until the next.
    expect(unit_from("kN")).toEqual({ scale: 1000, exponents: [1, 1, -2, 0, 0] });
    expect(unit_from("N s/m")?.exponents).toEqual([0, 1, -1, 0, 0]);
    expect(unit_from("N/(m/s)")?.exponents).toEqual([0, 1, -3, 0, 0]);
    expect(unit_from("kg m^2")?.exponents).toEqual([2, 1, 0, 0, 0]);
    expect(unit_from("m/s2")?.exponents).toEqual([1, 0, -2, 0, 0]);
    expect(unit_from("s^-1")?.exponents).toEqual([0, 0, -1, 0, 0]);
    for (const torque of ["N.m", "N m", "Nm", "J", "kg.m2/s2"])
      expect(same_unit("N·m", torque), torque).toBe(true);
    expect(same_unit("N.m.s/rad", "Nms")).toBe(true);
    expect(unit_from("kNm")?.scale).toBe(1e3);
    expect(unit_from("min")?.scale).toBe(60); // not a milli-inch
    expect(unit_from("1")).toEqual({ scale: 1, exponents: [0, 0, 0, 0, 0] });
  });

  it("are nothing where a text is no unit", () => {
    for (const text of [
      "",
      "?",
      "parsec",
      "N/",
      "(N",
      "N)",
      "m^10",
      "constructor",
      "*m",
      "1.1",
      "m^2.1",
      "N..m",
      "Nm2",
    ])
      expect(unit_from(text), text).toBeNull();
  });

  it("fit where values can be taken over as they are", () => {
    expect(same_unit("N.m", "N.m")).toBe(true);
    expect(same_unit("rad/s", "1/s")).toBe(true);
    expect(same_unit("N", "?")).toBe(true);
    expect(same_unit("m", "mm")).toBe(false);
    expect(same_unit("N", "m")).toBe(false);
    expect(same_unit("bar", "Pa")).toBe(false);
  });

  it("multiply to watts, perhaps by a factor", () => {
    expect(watts_of("N", "m/s")).toBe(1);
    expect(watts_of("N m", "rad/s")).toBe(1);
    expect(watts_of("N.m", "rad/s")).toBe(1);
    expect(watts_of("Nm", "rad.s-1")).toBe(1);
    expect(watts_of("V", "A")).toBe(1);
    expect(watts_of("bar", "L/min")).toBeCloseTo(1e5 * 1e-3 * (1 / 60), 9);
    expect(watts_of("N", "m")).toBeNull();
    expect(watts_of("?", "m/s")).toBeNull();
  });
});
