import { describe, expect, it } from "vitest";
import type { Job, OwnSubsystem, Test } from "../../app/api/types";
import { errors_by_field, worded_by } from "../../app/forms/job_form";
import { fits_form, from_job } from "../../app/own/own_from_job";
import {
  build_own_job,
  field_id,
  field_of_own,
  fields_of_own,
  typed_at_own,
} from "../../app/own/own_job";
import {
  empty_own,
  executor_of,
  from_fragment,
  to_fragment,
  with_executor,
  with_source,
  with_usual,
} from "../../app/own/own_state";
import { coupled, fmus } from "./own_sample";

function with_parameters(parameters: Record<string, string>, micro_step_ms = "0,1") {
  const state = coupled();
  const [first, ...others] = state.subsystems;
  return { ...state, subsystems: [{ ...first!, parameters, micro_step_ms }, ...others] };
}

describe("where one's own problem is searched", () => {
  const long = { name: "slurm", template: "long" };

  it("is in the job as it was chosen, and not at all where the server decides", () => {
    const state = coupled();
    expect(executor_of(state.rest)).toBeUndefined();
    expect(build_own_job(state, fmus)).not.toHaveProperty("executor");
    const chosen = { ...state, rest: with_executor(state.rest, long) };
    expect(build_own_job(chosen, fmus).executor).toEqual(long);
    const back = { ...chosen, rest: with_executor(chosen.rest, undefined) };
    expect(build_own_job(back, fmus)).toEqual(build_own_job(state, fmus));
  });

  it("is taken over from a job and from the address", () => {
    const job = { ...build_own_job(coupled(), fmus), executor: long };
    expect(executor_of(from_job(job).rest)).toEqual(long);
    const state = { ...coupled(), rest: with_executor({}, long) };
    expect(executor_of(from_fragment(to_fragment(state)).rest)).toEqual(long);
    expect(executor_of(from_job({ ...job, executor: null }).rest)).toBeUndefined();
  });
});

describe("job of one's own problem", () => {
  it("names ports by the subsystems' names, and holds what was chosen", () => {
    const job = build_own_job(coupled(), fmus);
    expect(job.problem).toEqual({
      subsystems: [
        { name: "mass", fmu: "aa", parameters: {} },
        { name: "spring_mass", fmu: "bb", parameters: {} },
      ],
      connections: [
        { from: "spring_mass.f", to: "mass.f" },
        { from: "mass.x", to: "spring_mass.x_in" },
        { from: "mass.v", to: "spring_mass.v_in" },
      ],
      power_bonds: [{ effort: "spring_mass.f", flow: "mass.v" }],
      external_inputs: [
        { to: "mass.w", initial: 2, minimum: -10, maximum: 10, sampling: "continuous" },
      ],
    });
    expect(job.search?.integrators).toEqual({
      mass: ["fmu", "trapezoidal"],
      spring_mass: ["fmu", "trapezoidal"],
    });
    expect(job.search?.macro_step).toBeUndefined(); // left to the server, as are durations
    const typed = build_own_job({ ...coupled(), maximum_ms: "20" }, fmus);
    expect(typed.search?.macro_step).toEqual({ maximum_s: 0.02 });
    expect(job.tests?.[0]).toEqual({ name: "step", kind: "step" });
    expect(job.micro_steps).toEqual({});
    expect(job.tests?.map((test) => test.name)).toEqual(["step", "ramp", "impulse"]);
    expect("name" in job).toBe(false);
  });

  it("gives parameters the type of the FMU's, micro-steps in seconds", () => {
    const state = with_parameters({ m: "4e2", solid: "false", label: "8", x: " " });
    const job = build_own_job(state, fmus);
    expect(job.problem).toMatchObject({
      subsystems: [{ parameters: { m: 400, solid: false, label: "8" } }, {}],
    });
    expect(job.micro_steps).toEqual({ mass: 1e-4 });
  });

  it("runs from the start values where nothing is driven by the tests", () => {
    const job = build_own_job(with_source(coupled(), "s1.w", "", 0), fmus);
    expect(job.problem).toMatchObject({ external_inputs: [] });
    expect(job.tests).toEqual([{ name: "none", kind: "none" }]);
  });

  it("makes a sine of every frequency", () => {
    const state = coupled();
    const sine = { on: "yes" as const, frequencies_hz: "17,5; 40 80", periods: "3" };
    const job = build_own_job({ ...state, tests: { ...state.tests, sine } }, fmus);
    expect(job.tests?.slice(3)).toEqual([
      { name: "sine_17.5hz", kind: "sine", frequency_hz: 17.5, periods: 3 },
      { name: "sine_40hz", kind: "sine", frequency_hz: 40, periods: 3 },
      { name: "sine_80hz", kind: "sine", frequency_hz: 80, periods: 3 },
    ]);
  });

  it("sends what cannot be read as null, so that the server names the field", () => {
    const state = { ...with_parameters({ m: "heavy" }, "1 us"), bonds: { "s1.v*s2.f": "minus" } };
    const job = build_own_job(state, fmus);
    expect(job.problem).toMatchObject({
      subsystems: [{ parameters: { m: null } }, {}],
      power_bonds: [{ factor: null }],
    });
    expect(job.micro_steps).toEqual({ mass: null });
  });
});

describe("pointer to field of one's own problem", () => {
  const state = coupled();
  const field = (pointer: string) => field_of_own(pointer, state, fmus);

  it("finds the field of every member that the form sends", () => {
    expect(field("/problem/subsystems")).toBe("subsystems");
    expect(field("/problem/subsystems/1/name")).toBe("subsystem:s2:name");
    expect(field("/problem/subsystems/1/fmu")).toBe("subsystem:s2:name");
    expect(field("/problem/subsystems/0/parameters/m")).toBe("subsystem:s1:parameter:m");
    expect(field("/problem/connections/1/to")).toBe("source:s2.x_in");
    expect(field("/problem/connections")).toBe("connections");
    expect(field("/problem/power_bonds")).toBe("bonds");
    expect(field("/problem/power_bonds/0/factor")).toBe(field_id("bond", "s1.v*s2.f"));
    expect(field("/problem/external_inputs/0/minimum")).toBe("external:s1.w:minimum");
    expect(field("/problem/external_inputs/0")).toBe("external:s1.w:initial");
    expect(field("/micro_steps/spring_mass")).toBe("subsystem:s2:micro_step");
    expect(field("/search/integrators/mass/0")).toBe("subsystem:s1:integrators");
    expect(field("/search/macro_step/increment_s")).toBe("increment");
    expect(field("/search/extrapolation/2")).toBe("extrapolation");
    expect(field("/tests/2/width_s")).toBe("test:impulse:width_s");
    expect(field("/tests")).toBe("tests");
    expect(field("/name")).toBe("name");
  });

  it("leaves no field out of those that the form shows, and loses no error", () => {
    const pointers = [
      "/problem/subsystems/0/parameters/m",
      "/problem/connections/0",
      "/problem/power_bonds/0",
      "/problem/external_inputs/0/maximum",
      "/micro_steps/mass",
      "/search/integrators/mass",
      "/search/macro_step/initial_s",
      "/tests/0/duration_s",
      "/problem/subsystems/7/name",
    ];
    const errors = pointers.map((pointer) => ({ pointer, detail: "wrong" }));
    const found = errors_by_field(errors, fields_of_own(state, fmus), field);
    expect(found.get("")).toBeUndefined();
    expect([...found.values()].flat()).toHaveLength(pointers.length);
    const unknown = [{ pointer: "/search/indicator", detail: "wrong" }];
    expect(errors_by_field(unknown, fields_of_own(state, fmus), field).get("")).toHaveLength(1);
  });

  it("speaks of what was typed, where it is no number", () => {
    const typed = {
      ...with_parameters({ m: "heavy", label: "text" }, "1 us"),
      externals: { "s1.w": { initial: "", minimum: "-x", maximum: "1", sampling: "held" } },
      tests: { ...state.tests, sine: { on: "yes" as const, frequencies_hz: "5 fast" } },
    };
    const words = (pointer: string) =>
      worded_by([{ pointer, detail: "said by the server" }], (one) =>
        typed_at_own(one, typed, fmus),
      )[0]?.detail;
    expect(words("/problem/subsystems/0/parameters/m")).toBe("“heavy” is not a number");
    expect(words("/problem/subsystems/0/parameters/label")).toBe("said by the server");
    expect(words("/micro_steps/mass")).toBe("“1 us” is not a number");
    expect(words("/problem/external_inputs/0/initial")).toBe("a number is needed");
    expect(words("/problem/external_inputs/0/minimum")).toBe("“-x” is not a number");
    expect(words("/tests/4/frequency_hz")).toBe("“fast” is not a number");
    expect(words("/problem/power_bonds/0")).toBe("said by the server");
    expect(words("/search/macro_step/initial_s")).toBe("said by the server");
  });
});

describe("form filled from a job", () => {
  const sent = build_own_job(with_parameters({ m: "400", solid: "true" }), fmus);

  it("sends the same job again", () => {
    expect(fits_form(sent)).toBe(true);
    expect(build_own_job(from_job(sent), fmus)).toEqual(sent);
  });

  it("asks for the paper's own answer, and takes that back with all it keeps", () => {
    const job = build_own_job({ ...coupled(), paper: true }, fmus);
    expect(job.search?.preset).toBe("rahikainen2019");
    expect(job.search).not.toHaveProperty("accuracy");
    const stored = { ...job, search: { ...job.search, stability_check: "none" } };
    const state = from_job(stored);
    expect(state.paper).toBe(true);
    expect(from_fragment(to_fragment(state))?.paper).toBe(true);
    const other = build_own_job({ ...state, paper: false }, fmus).search;
    expect(other).not.toHaveProperty("preset");
    expect(other).not.toHaveProperty("stability_check");
  });

  it("keeps what it has no field for", () => {
    const stored = {
      ...sent,
      substeps: { mass: 2 },
      search: { ...sent.search, schemes: ["gauss_seidel"], minimum_macro_steps: 50 },
    };
    expect(build_own_job(from_job(stored), fmus)).toEqual(stored);
  });

  it("keeps connections, bonds and tests that it cannot show", () => {
    const problem = sent.problem as Exclude<typeof sent.problem, string | undefined>;
    const round = (job: typeof sent) => build_own_job(from_job(job), fmus);
    const connections = (problem.connections as { from: string; to: string }[]).map((one) =>
      one.to === "mass.f" ? { ...one, extrapolate: false, delay_macro_steps: 2 } : one,
    );
    const held = { ...sent, problem: { ...problem, connections } };
    expect(round(held)).toEqual(held);
    const vector = { effort: ["spring_mass.f"], flow: ["mass.v"], factor: -1 };
    const bonded = { ...sent, problem: { ...problem, power_bonds: [vector] } };
    expect(round(bonded)).toEqual(bonded);
    const record = { name: "rig", kind: "recorded", time_s: [0, 1], value: [0, 1] };
    const mine = { name: "mine", kind: "step", duration_s: 1 };
    const tested = { ...sent, tests: [...(sent.tests ?? []), record, mine], note: "as measured" };
    expect(round(tested)).toEqual(tested);
  });

  it("is about problems made of FMUs and matrices", () => {
    const problem = sent.problem as Exclude<typeof sent.problem, string | undefined>;
    const nothing = [{ name: "a" }];
    expect(fits_form({ ...sent, problem: { ...problem, subsystems: nothing } })).toBe(false);
    expect(fits_form({ problem: "double_actuator_crane" })).toBe(false);
  });
});

describe("what the search of a job has found", () => {
  it("is not taken for that of a changed problem, but what the job tells itself is", () => {
    const state = coupled();
    const job = build_own_job(state, fmus);
    const times = { fastest_s: 0.001, slowest_s: 1 };
    expect(
      from_job({ ...job, scales: { ...times, found_by: "runs" } }).rest.scales,
    ).toBeUndefined();
    expect(from_job({ ...job, scales: times }).rest.scales).toEqual(times);
  });
  it("keeps nominal values of FMUs, and takes an open duration for none", () => {
    const job = build_own_job(coupled(), fmus) as Job & {
      problem: { subsystems: OwnSubsystem[] };
    };
    job.problem.subsystems[0]!.nominal = { v: 2 };
    const open = (job.tests ?? []).map((test) => ({ ...test, duration_s: "auto" }));
    const again = build_own_job(from_job({ ...job, tests: open as unknown as Test[] }), fmus);
    expect((again.problem as { subsystems: OwnSubsystem[] }).subsystems[0]!.nominal).toEqual({
      v: 2,
    });
    expect(again.tests?.some((test) => "duration_s" in test)).toBe(false);
  });
});

describe("a job that leaves members to the server", () => {
  const { search, tests, ...job } = build_own_job(coupled(), fmus);
  const state = from_job(job);

  it("is shown with what the server takes for them", () => {
    const { extrapolation, initial_ms, increment_ms, maximum_ms } = empty_own;
    expect(state).toMatchObject({ extrapolation, initial_ms, increment_ms, maximum_ms });
    const filled = with_usual(state, fmus);
    expect(build_own_job(filled, fmus).search?.integrators).toEqual(search?.integrators);
    expect(build_own_job(filled, fmus).tests).toEqual(tests);
    expect(with_usual(filled, fmus)).toBe(filled);
  });

  it("keeps what it says, also that there is nothing", () => {
    const said = { extrapolation: ["2"], integrators: { mass: [] } };
    const filled = with_usual(from_job({ ...job, search: said, tests: [] }), fmus);
    expect(filled.extrapolation).toEqual(["2"]);
    expect(filled.subsystems[0]!.integrators).toEqual([]);
    expect(build_own_job(filled, fmus).tests).toEqual([]);
  });
});
