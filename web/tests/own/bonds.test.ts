import { describe, expect, it } from "vitest";
import { type Connection, likeness, possible_bonds, propose_bonds } from "../../app/own/bonds";

const connect = (from: string, to: string, unit: string): Connection => {
  const name = (text: string) => ({ subsystem: text.split(".")[0]!, port: text.split(".")[1]! });
  return { from: name(from), to: name(to), unit };
};
const written = (bonds: { effort: { port: string }; flow: { port: string }; kind: string }[]) =>
  bonds.map((bond) => `${bond.effort.port}*${bond.flow.port} ${bond.kind}`);

describe("proposed power bonds", () => {
  it("pair an effort with the flow that goes the other way", () => {
    const connections = [
      connect("body.x", "tyre.x", "m"),
      connect("body.v", "tyre.v", "m/s"),
      connect("tyre.f", "body.f", "N"),
    ];
    const proposed = propose_bonds(connections);
    expect(written(proposed)).toEqual(["f*v proposed"]);
    expect(proposed[0]?.effort.subsystem).toBe("tyre");
    expect(proposed[0]?.factor).toBe(1);
    // The force and the position go opposite ways, too; their product is an energy.
    expect(possible_bonds(connections, proposed)).toEqual([
      {
        effort: { subsystem: "body", port: "x" },
        flow: { subsystem: "tyre", port: "f" },
        factor: null,
        kind: "possible",
      },
    ]);
  });

  it("do not pair what goes the same way, or to a third subsystem", () => {
    const same_way = [connect("a.v", "b.v", "m/s"), connect("a.f", "b.f", "N")];
    const third = [connect("a.v", "b.v", "m/s"), connect("b.f", "c.f", "N")];
    for (const connections of [same_way, third]) {
      expect(propose_bonds(connections)).toEqual([]);
      expect(possible_bonds(connections, [])).toEqual([]);
    }
  });

  it("let names decide where units leave a choice, and say so", () => {
    const connections = [
      connect("rig.v_x", "ground.v_x", "m/s"),
      connect("rig.v_y", "ground.v_y", "m/s"),
      connect("ground.f_x", "rig.f_x", "N"),
      connect("ground.f_y", "rig.f_y", "N"),
    ];
    const proposed = propose_bonds(connections);
    expect(written(proposed)).toEqual(["f_x*v_x likely", "f_y*v_y likely"]);
    expect(written(possible_bonds(connections, proposed))).toEqual([
      "f_y*v_x possible",
      "f_x*v_y possible",
    ]);
  });

  it("say by what the product becomes watts", () => {
    // 1 bar · 1 L/min = 1e5 Pa · 1e-3/60 m³/s = 1.667 W
    const proposed = propose_bonds([
      connect("pump.q", "pipe.q", "L/min"),
      connect("pipe.p", "pump.p", "bar"),
    ]);
    expect(proposed[0]?.factor).toBeCloseTo(1.6666667, 6);
  });

  it("leave units that nobody told to the user", () => {
    const connections = [connect("a.v", "b.v", "?"), connect("b.f", "a.f", "N")];
    expect(propose_bonds(connections)).toEqual([]);
    expect(written(possible_bonds(connections, []))).toEqual(["v*f possible"]);
  });
});

describe("likeness of names", () => {
  it("is the longer of common beginning and common end", () => {
    expect(likeness("force_x", "velocity_x")).toBe(2);
    expect(likeness("left_f", "left_v")).toBe(5);
    expect(likeness("f", "v")).toBe(0);
  });
});
