import { describe, expect, it } from "vitest";
import * as form from "../../app/forms/job_form";
import { problem } from "../api/sample";

describe("pointer to field", () => {
  it("finds the field of every member that the form edits", () => {
    expect(form.field_of_pointer("/name")).toBe("name");
    expect(form.field_of_pointer("/search/macro_step/initial_s")).toBe("initial");
    expect(form.field_of_pointer("/search/macro_step/increment_s")).toBe("increment");
    expect(form.field_of_pointer("/search/macro_step/maximum_s")).toBe("maximum");
    expect(form.field_of_pointer("/search/macro_step")).toBe("initial");
    expect(form.field_of_pointer("/search/relative_residual_max")).toBe("relative_residual_max");
    expect(form.field_of_pointer("/search/extrapolation/3")).toBe("extrapolation");
    expect(form.field_of_pointer("/search/integrators/hydraulics/0")).toBe(
      "integrators:hydraulics",
    );
    expect(form.field_of_pointer("/tests/2/duration_s")).toBe("tests");
    expect(form.field_of_pointer("/parameters/hydraulics.c")).toBe("parameter:hydraulics.c");
  });

  it("decodes ~1 and ~0 in the right order", () => {
    expect(form.pointer_parts("/a~1b/~01")).toEqual(["a/b", "~1"]);
    expect(form.field_of_pointer("/parameters/a~1b")).toBe("parameter:a/b");
  });

  it("loses no error: those without a field are kept for the summary", () => {
    const errors = [
      { pointer: "/search/macro_step/initial_s", detail: "too small" },
      { pointer: "/power_bonds", detail: "missing" },
      { pointer: "", detail: "not an object" },
      { pointer: "/parameters/unknown.x", detail: "unknown" },
    ];
    const found = form.errors_by_field(errors, form.fields_of(problem));
    expect(found.get("initial")).toHaveLength(1);
    expect(found.get("")?.map((error) => error.detail)).toEqual([
      "missing",
      "not an object",
      "unknown",
    ]);
    expect([...found.values()].flat()).toHaveLength(errors.length);
  });
});

describe("words about a mistake", () => {
  const at = (pointer: string) => [{ pointer, detail: "must be a number, not null" }];

  it("speak of what was typed, where it is no number", () => {
    const state = {
      ...form.initial_form(problem),
      initial_ms: "soon",
      maximum_ms: " ",
      relative_residual_max: "1 %",
      parameters: { "hydraulics.c": "1e" },
    };
    const words = (pointer: string) => form.worded(at(pointer), state)[0]?.detail;
    expect(words("/search/macro_step/initial_s")).toBe("“soon” is not a number");
    expect(words("/search/macro_step/maximum_s")).toBe("a number is needed");
    expect(words("/parameters/hydraulics.c")).toBe("“1e” is not a number");
    expect(words("/search/relative_residual_max")).toBe("“1 %” is not a number");
    expect(words("/search/macro_step/increment_s")).toBe("must be a number, not null");
    expect(words("/name")).toBe("must be a number, not null");
  });
});

describe("the paper's own answer", () => {
  const of_paper = form.build_job(problem, { ...form.initial_form(problem), paper: true });

  it("is a preset, without what that keeps", () => {
    expect(of_paper.search?.preset).toBe("rahikainen2019");
    for (const member of ["accuracy", "relative_residual_max", "real_time", "stability_check"])
      expect(of_paper.search).not.toHaveProperty(member);
    expect(form.initial_form(problem, of_paper).paper).toBe(true);
    expect(form.field_of_pointer("/search/preset")).toBe("preset");
  });

  it("leaves the scan to the paper, unless one was typed", () => {
    expect(of_paper.search).not.toHaveProperty("macro_step");
    const typed = { ...form.initial_form(problem), paper: true, initial_ms: "0.5" };
    expect(form.build_job(problem, typed).search?.macro_step?.initial_s).toBe(5e-4);
  });

  it("is taken back with all that it kept", () => {
    const stored = {
      ...problem.job,
      search: {
        ...problem.job.search,
        preset: "rahikainen2019",
        stability_check: "none",
        minimum_macro_steps: 1,
        linear_region: { rule: "local_power_law", points: 5, scan: "arithmetic", tolerance: 0.3 },
      },
    };
    const state = { ...form.initial_form(problem, stored), paper: false };
    const job = form.build_job(problem, state, stored);
    for (const member of ["preset", "stability_check", "minimum_macro_steps"])
      expect(job.search).not.toHaveProperty(member);
    expect(job.search?.linear_region).toEqual({ tolerance: 0.3 });
  });
});

describe("job of the form", () => {
  it("is the problem's own job when nothing was changed", () => {
    const job = form.build_job(problem, form.initial_form(problem));
    expect(job).toEqual({ ...problem.job, parameters: {} });
  });

  it("turns ms into exact seconds and keeps only changed parameters", () => {
    const state = form.initial_form(problem);
    const job = form.build_job(problem, {
      ...state,
      initial_ms: "0,3",
      maximum_ms: "7.1",
      name: " rig ",
      parameters: { "hydraulics.c": "100000" },
      tests: ["ramp"],
    });
    expect(job.name).toBe("rig");
    expect(job.search?.macro_step).toEqual({
      initial_s: 0.0003,
      increment_s: 0.0002,
      maximum_s: 0.0071,
    });
    expect(job.parameters).toEqual({});
    expect(job.tests?.map((test) => test.name)).toEqual(["ramp"]);
  });

  it("sends what cannot be read as null, so that the server names the field", () => {
    const state = form.initial_form(problem);
    const job = form.build_job(problem, {
      ...state,
      initial_ms: "abc",
      parameters: { "hydraulics.c": "1e" },
    });
    expect(job.search?.macro_step?.initial_s).toBeNull();
    expect(job.parameters?.["hydraulics.c"]).toBeNull();
  });

  it("limits the relative residual, or does not; never by mistake", () => {
    const state = form.initial_form(problem);
    const sent = (text: string) =>
      form.build_job(problem, { ...state, relative_residual_max: text }).search
        ?.relative_residual_max;
    expect(sent(" 0,05 ")).toBe(0.05);
    expect(sent(" ")).toBeNull();
    expect(sent("1 %")).toBe("1 %"); // the server refuses it, null would be no limit
    const limited = {
      ...problem,
      job: { ...problem.job, search: { ...problem.job.search, relative_residual_max: 0.01 } },
    };
    expect(form.initial_form(limited).relative_residual_max).toBe("0.01");
  });

  it("limits the time of a macro-step by a share of H, or does not", () => {
    const state = form.initial_form(problem);
    const sent = (text: string) =>
      form.build_job(problem, { ...state, real_time_percent: text }).search?.real_time;
    expect(sent("80")).toEqual({ share: 0.8 });
    expect(sent("")).toBeNull();
    expect(sent("most")).toEqual({ share: "most" }); // the server refuses it
    expect(form.field_of_pointer("/search/real_time/share")).toBe("real_time");
    const timed = { ...problem.job, search: { ...problem.job.search, real_time: { share: 0.8 } } };
    expect(form.initial_form(problem, timed).real_time_percent).toBe("80");
  });

  it("counts configurations, curves and the most trials", () => {
    const state = form.initial_form(problem);
    expect(form.size_of(state)).toEqual({ configurations: 4, curves: 8, trials: 800 });
    expect(form.size_of({ ...state, increment_ms: "" }).trials).toBeNull();
  });

  it("filled from a job sends the same job again, with what the form cannot show", () => {
    const record = { name: "rig", kind: "recorded", time_s: [0, 1], value: [0, 1] };
    const stored = {
      ...problem.job,
      name: "rig",
      note: "as measured",
      parameters: { "hydraulics.c": 5e4 },
      micro_steps: { hydraulics: 5e-5 },
      search: { ...problem.job.search, schemes: ["gauss_seidel"], minimum_macro_steps: 7 },
      tests: [...(problem.job.tests ?? []), record],
    };
    const state = form.initial_form(problem, stored);
    expect(state.tests).toContain("rig");
    expect(form.build_job(problem, state, stored)).toEqual(stored);
  });

  it("shows the problem's own where a job says nothing, or nonsense", () => {
    const usual = form.initial_form(problem);
    expect(form.initial_form(problem, { problem: problem.name })).toEqual(usual);
    const nonsense = { search: { extrapolation: "0", integrators: 3, macro_step: [] }, tests: 5 };
    expect(form.initial_form(problem, nonsense as never)).toEqual(usual);
    const part = { search: { macro_step: { maximum_s: 0.5 } } };
    expect(form.initial_form(problem, part)).toEqual({ ...usual, maximum_ms: "500" });
  });

  it("asks nothing while a number cannot be read", () => {
    const state = form.initial_form(problem);
    expect(form.has_unreadable(state)).toBe(false);
    expect(form.has_unreadable({ ...state, maximum_ms: "" })).toBe(true);
    expect(form.has_unreadable({ ...state, parameters: { "hydraulics.c": "x" } })).toBe(true);
    expect(form.has_unreadable({ ...state, parameters: { "hydraulics.c": " " } })).toBe(false);
  });
});
