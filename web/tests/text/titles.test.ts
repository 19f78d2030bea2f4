import { describe, expect, it } from "vitest";
import { name_adds, problem_title, search_title, whose_integrators } from "../../app/text/titles";
import { recommendation, search } from "../api/sample";

const job = { problem: { subsystems: [{ name: "m1" }, { name: "m2" }] } };

describe("titles", () => {
  it("are the name somebody gave, with the problem beside it", () => {
    const named = search({ name: "my rig" });
    expect(search_title(named)).toBe("my rig");
    expect(name_adds(named)).toBe(true);
    expect(problem_title(named)).toBe("double-actuator crane");
  });

  it("are the problem's where nobody named the search", () => {
    for (const name of ["", "double_actuator_crane", "Double-actuator crane"]) {
      expect(search_title(search({ name }))).toBe("Double-actuator crane");
      expect(name_adds(search({ name }))).toBe(false);
    }
  });

  it("name the subsystems of a problem of the user's own", () => {
    const own = search({ name: "own problem", problem: "own", job });
    expect(search_title(own)).toBe("Own problem (m1, m2)");
    expect(name_adds(own)).toBe(false);
    expect(search_title({ ...own, name: "two masses" })).toBe("two masses");
    expect(problem_title({ ...own, name: "two masses" })).toBe("own problem (m1, m2)");
  });

  it("say whose integrators are listed where their names do not tell", () => {
    const own = search({ name: "own problem", problem: "own", job });
    expect(whose_integrators(own)).toBe(" of m1 + m2");
    expect(whose_integrators(search({}))).toBe("");
  });

  it("find the subsystems in the recommendation where there is no job", () => {
    const integrators = { m2: "exact", m1: "trapezoidal" } as const;
    const { job: _, ...row } = search({ name: "own problem", problem: "own" });
    expect(search_title({ ...row, recommendation: recommendation({ integrators }) })).toBe(
      "Own problem (m1, m2)",
    );
    expect(search_title(row)).toBe("Own problem");
  });
});
