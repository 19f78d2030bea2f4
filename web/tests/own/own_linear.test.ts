import { describe, expect, it } from "vitest";
import type { Job } from "../../app/api/types";
import { from_job } from "../../app/own/own_from_job";
import {
  build_own_job,
  field_of_own,
  fields_of_own,
  typed_at_own,
  with_linear_models,
} from "../../app/own/own_job";
import * as linear from "../../app/own/own_linear";
import { bonds_of, fitting_sources } from "../../app/own/own_ports";
import { empty_own, from_fragment, to_fragment, with_linear } from "../../app/own/own_state";

const two = with_linear(with_linear(empty_own));
const models = with_linear_models(two, new Map());
const connected = { ...two, sources: fitting_sources(two, models) };

describe("linear subsystems of the form", () => {
  it("read matrices as they are typed or pasted", () => {
    const wanted = [
      [0, 1],
      [-1010, -1.1],
    ];
    for (const text of ["0 1\n-1010 -1.1", "0, 1; -1010, -1.1", "0\t1\n\n-1010 -1,1"])
      expect(linear.matrix_of(text)).toEqual(wanted);
    expect(linear.matrix_of("1 x")).toEqual([[1, null]]);
    expect(linear.size_text("1 2 3\n4 5 6")).toBe("2 × 3");
    expect(linear.size_text("1 2\n3")).toBe("2 rows of different lengths");
    expect(linear.size_text("")).toBe("0 × 0");
  });

  it("begin as two masses that units connect, with a power bond", () => {
    expect(connected.sources).toEqual({ "s1.x": "s2.x", "s1.v": "s2.v", "s2.f": "s1.f" });
    const bonds = bonds_of(connected, models).filter((one) => one.kind === "proposed");
    expect(bonds.map((one) => [one.effort.port, one.flow.port])).toEqual([["f", "v"]]);
  });

  it("become matrices of the job and are filled from them again", () => {
    const job = build_own_job(connected, models);
    const problem = job.problem as { subsystems: { name: string; state_space: object }[] };
    expect(problem.subsystems[1]).toEqual({
      name: "linear_2",
      state_space: {
        A: [
          [0, 1],
          [-1000, -1],
        ],
        B: [[0], [1]],
        C: [
          [1, 0],
          [0, 1],
        ],
        inputs: [{ name: "f", unit: "N" }],
        outputs: [
          { name: "x", unit: "m", nominal: 0.01 },
          { name: "v", unit: "m/s", nominal: 0.1 },
        ],
      },
    });
    const again = from_job(job);
    expect(build_own_job(again, with_linear_models(again, new Map()))).toEqual(job);
  });

  it("keep initial states and sample times", () => {
    const space = {
      A: [[0.5]],
      B: [[1]],
      C: [[1]],
      D: [[2]],
      x0: [0.25],
      inputs: [{ name: "u" }],
      outputs: [{ name: "y", nominal: 3 }],
      sample_time_s: 0.002,
    };
    expect(linear.linear_json(linear.linear_of(space))).toEqual(space);
    expect(linear.linear_integrators(linear.linear_of(space))).toEqual(["exact"]);
  });

  it("read matrices that a job has as texts, numbers or empty", () => {
    const ports = { inputs: [{ name: "u" }], outputs: [{ name: "y" }] };
    const rows = {
      A: [
        [0, 1],
        [-4, 0],
      ],
      B: [[0], [1]],
      C: [[1, 0]],
      x0: [1, 0],
      ...ports,
    };
    const texts = { A: "[0 1; -4 0]", B: "0\n1", C: "[1, 0]", x0: "[1; 0]", ...ports };
    expect(linear.linear_json(linear.linear_of(texts))).toEqual(rows);
    const numbers = { A: -2, B: 1, C: "3", D: 0, x0: 0.5, ...ports };
    expect(linear.linear_json(linear.linear_of(numbers))).toEqual({
      A: [[-2]],
      B: [[1]],
      C: [[3]],
      D: [[0]],
      x0: [0.5],
      ...ports,
    });
    const empty = { A: [], B: "[]", C: "", D: "[5]", ...ports };
    expect(linear.linear_json(linear.linear_of(empty))).toEqual({ D: [[5]], ...ports });
  });

  it("have no state and nothing to integrate without A, B and C", () => {
    const space = {
      D: [[3, -2]],
      inputs: [{ name: "u" }, { name: "v" }],
      outputs: [{ name: "y" }],
    };
    const gain = linear.linear_of(space);
    expect(linear.linear_integrators(gain)).toEqual(["exact"]);
    expect(linear.linear_json(gain)).toEqual(space);
  });

  it("survive the address", () => {
    expect(from_fragment(to_fragment(connected))).toEqual(connected);
    const broken = JSON.stringify({ subsystems: [{ id: "s1", linear: { A: 5, inputs: "x" } }] });
    const [read] = from_fragment(`#${encodeURIComponent(broken)}`).subsystems;
    expect([read?.linear?.A, read?.linear?.inputs, read?.fmu]).toEqual(["", [], "linear:s1"]);
  });

  it("show mistakes at their matrices, in the words of what was typed", () => {
    const field = (pointer: string) => field_of_own(pointer, two, models);
    const fields = fields_of_own(two, models);
    const cases: [string, string][] = [
      ["/problem/subsystems/0/state_space/A/1", "subsystem:s1:A"],
      ["/problem/subsystems/1/state_space/outputs/0/unit", "subsystem:s2:outputs"],
      ["/problem/subsystems/0/state_space/sample_time_s", "subsystem:s1:sample_time"],
      ["/problem/subsystems/0/state_space", "subsystem:s1:A"],
    ];
    for (const [pointer, id] of cases) {
      expect(field(pointer)).toBe(id);
      expect(fields.has(id), id).toBe(true);
    }
    const [first, ...others] = two.subsystems;
    const typed = {
      ...two,
      subsystems: [{ ...first!, linear: { ...first!.linear!, A: "0 one" } }, ...others],
    };
    expect(typed_at_own("/problem/subsystems/0/state_space/A/0/1", typed, models)).toBe("one");
  });

  it("of a job with members that the form cannot show are kept with them", () => {
    const job: Job = { ...build_own_job(connected, models), note: "seen", priority: 3 };
    const again = from_job(job);
    expect(build_own_job(again, with_linear_models(again, new Map()))).toEqual(job);
  });
});
