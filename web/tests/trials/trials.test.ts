import { describe, expect, it } from "vitest";
import { ApiError } from "../../app/api/api";
import { csv_rows, trial_rows } from "../../app/api/csv";
import { patient } from "../../app/api/trial_api";
import type { Point } from "../../app/api/types";
import { trial_address } from "../../app/parts/route";
import { port_units } from "../../app/trials/port_units";
import {
  curve_of,
  drawn_inputs,
  duration_of,
  reference_of,
  trial_at,
} from "../../app/trials/trial_model";
import { curve, point } from "../api/sample";

describe("an export as CSV", () => {
  it("may have commas, quotes and line ends in its cells", () => {
    expect(csv_rows('a,b\r\n"x,""y""",2\r\n"two\r\nlines",\r\n')).toEqual([
      ["a", "b"],
      ['x,"y"', "2"],
      ["two\r\nlines", ""],
    ]);
    expect(csv_rows('1,"never ends')).toEqual([["1", "never ends"]]);
    expect(csv_rows("")).toEqual([]);
  });

  it("is read by the names of its columns; an empty cell is no zero", () => {
    const text =
      "search_id,trial_id,curve_id,test,integrators,macro_step_s,status,relative_residual,nrmse,rhs_evaluations\r\n" +
      'ab,7,2,"=a, b","{""m"":""x""}",2e-04,diverged,,0.5,120\r\n';
    expect(trial_rows(text)).toEqual([
      {
        id: 7,
        curve_id: 2,
        macro_step_s: 2e-4,
        status: "diverged",
        relative_residual: null,
        nrmse: 0.5,
        rhs_evaluations: 120,
      },
    ]);
  });
});

function run(trial_id: number, macro_step_s: number, status: Point["status"] = "complete"): Point {
  return point(macro_step_s, { trial_id, status });
}

describe("the trials of a curve", () => {
  const curves = [
    curve(0, { points: [run(2, 2e-4)] }),
    curve(1, { points: [run(9, 4e-4), run(1, 2e-4), run(3, 6e-4)] }),
  ];

  it("are its stored points in the order of H", () => {
    expect(curve_of(curves, 1).map((one) => one.trial_id)).toEqual([1, 9, 3]);
    expect(curve_of(curves, 7)).toEqual([]);
    expect(trial_at(curves, 1, 4e-4)?.trial_id).toBe(9);
    expect(trial_at(curves, 1, 5e-4)).toBeNull();
    expect(trial_at(curves, 1, 8e-4)).toBeNull();
  });

  it("are compared with the smallest H that is complete, never with themselves", () => {
    expect(reference_of(curve_of(curves, 1), 6e-4)?.trial_id).toBe(1);
    expect(reference_of(curve_of(curves, 1), 2e-4)).toBeNull();
    const of = (...points: Point[]) => curve_of([curve(0, { points })], 0);
    const broken = of(run(1, 2e-4, "diverged"), run(2, 4e-4));
    expect(reference_of(broken, 6e-4)?.trial_id).toBe(2);
    expect(reference_of(of(run(1, 2e-4, "diverged")), 6e-4)).toBeNull();
  });

  it("have an address by their number", () => {
    expect(trial_address("a", run(9, 4e-4))).toBe("/?search=a&trial=9");
  });
});

describe("the inputs that can be drawn", () => {
  const connections = [
    { from: "a.v", to: "b.v", extrapolate: true, order: 2, delay_macro_steps: 0 },
    { from: "b.f", to: "a.f", extrapolate: false, order: 0, delay_macro_steps: 2 },
    { from: "c.x", to: "a.x", extrapolate: true, order: 2, delay_macro_steps: 0 },
    { from: "a.v", to: "c.v", extrapolate: true, order: null, delay_macro_steps: 0 },
  ];

  it("follow the connections that the trace names, held ones too", () => {
    expect(drawn_inputs(connections, ["a.v", "b.f"])).toEqual([
      { to: "b.v", from: "a.v", order: 2, delay: 0, held: false },
      { to: "a.f", from: "b.f", order: 0, delay: 2, held: true },
    ]);
  });

  it("are none where the connections are not known", () => {
    expect(drawn_inputs(null, ["a.v"])).toEqual([]);
  });

  it("have the units of the catalogue or of the job", () => {
    const entry = {
      ports_by_coupling: { c: [{ name: "m", outputs: [{ name: "a", unit: "m/s^2" }] }] },
      external_inputs: [{ to: "h.u", unit: "V" }],
    };
    expect([...port_units({ problem: "x" }, entry, "c")]).toEqual([
      ["m.a", "m/s²"],
      ["h.u", "V"],
    ]);
    const job = {
      problem: {
        subsystems: [{ name: "s", state_space: { outputs: [{ name: "f", unit: "N" }] } }],
      },
    };
    expect(port_units(job as never, null, "default").get("s.f")).toBe("N");
  });
});

describe("the length of a test", () => {
  it("is its duration or its periods, else not known", () => {
    expect(duration_of({ name: "s", kind: "step", duration_s: 2 })).toBe(2);
    expect(duration_of({ name: "s", kind: "sine", periods: 2, frequency_hz: 4 })).toBe(0.5);
    expect(duration_of({ name: "r", kind: "recorded" })).toBeNull();
    expect(duration_of(undefined)).toBeNull();
  });
});

describe("a server that runs one trial at a time", () => {
  function busy(times: number, status = 503) {
    let asked = 0;
    return () => {
      if (++asked > times) return Promise.resolve(asked);
      return Promise.reject(new ApiError("busy", status));
    };
  }

  it("is asked again until it is the turn of this one", async () => {
    expect(await patient(busy(3), () => true, 0)).toBe(4);
  });

  it("is not asked again by a page that was left, nor after another error", async () => {
    await expect(patient(busy(3), () => false, 0)).rejects.toThrow("busy");
    await expect(patient(busy(3, 409), () => true, 0)).rejects.toThrow("busy");
  });
});
