import { describe, expect, it } from "vitest";
import type { Configuration } from "../../app/api/types";
import { command_text, curl_text, json_text, run_text } from "../../app/text/copy_text";

describe("a job that is copied", () => {
  const job = { problem: "double_actuator_crane", name: "it's $HOME `date`\nJOB" };

  it("stands in a here-document as it is, and ends where it should", () => {
    const text = command_text(job) ?? "";
    expect(text.startsWith("macrostep search - <<'JOB'\n")).toBe(true);
    expect(text.endsWith("\nJOB\n")).toBe(true);
    expect(text.split("\n").filter((line) => line === "JOB")).toHaveLength(1);
    expect(text).toContain(json_text(job));
  });

  it("goes to the server of the page, with a token where it has one", () => {
    const open = curl_text(job, "http://127.0.0.1:8080", false);
    expect(open).toContain("-X POST 'http://127.0.0.1:8080/api/v1/searches'");
    expect(open).not.toContain("Authorization");
    expect(curl_text(job, "http://a", true)).toContain("Bearer $MACROSTEP_TOKEN");
  });

  it("goes where jobs of its kind go", () => {
    const map = { kind: "map", problem: "linear_oscillator" };
    expect(curl_text(map, "http://a", false)).toContain("/api/v1/analyses'");
    expect(command_text(map)).toContain("macrostep map - ");
  });

  it("has no command line where it needs FMUs that only the server has", () => {
    const subsystems = [{ name: "a", fmu: "0".repeat(64) }];
    expect(command_text({ problem: { subsystems } })).toBeNull();
    expect(command_text({ problem: { subsystems: [{ name: "a" }] } })).not.toBeNull();
  });
});

describe("a trial on the command line", () => {
  const configuration: Configuration = {
    coupling: "force_displacement",
    scheme: "gauss_seidel",
    order: ["b", "a"],
    extrapolation: "2",
    integrators: { mechanics: "i1al", hydraulics: "forward_euler" },
    substeps: {},
    correction: "none",
  };
  const trial = {
    configuration,
    test: "it's $HOME",
    macro_step_s: 0.0006000000000000001,
    event_delay_s: null,
  };

  it("names all that the configuration is, H to the last digit", () => {
    const job = { problem: "double_actuator_crane" };
    const text = run_text(job, trial) ?? "";
    const [options, rest] = text.split(" <<'JOB'\n");
    expect(options?.split(" \\\n  ")).toEqual([
      "macrostep run - --macro-step 0.0006000000000000001",
      "--extrapolation 2",
      "--test 'it'\\''s $HOME'",
      "--coupling force_displacement",
      "--scheme gauss_seidel",
      "--order b,a",
      "--correction none",
      "--integrator mechanics=i1al",
      "--integrator hydraulics=forward_euler",
    ]);
    expect(rest).toBe(`${json_text(job)}\nJOB\n`);
  });

  it("says how late the event was that made the worst of its runs", () => {
    const late = { ...trial, event_delay_s: 0.000075 };
    expect(run_text({ problem: "double_actuator_crane" }, late)).toContain(
      "--event-delay 0.000075 \\\n",
    );
  });

  it("is none where it needs FMUs that only the server has", () => {
    const subsystems = [{ name: "a", fmu: "0".repeat(64) }];
    expect(run_text({ problem: { subsystems } }, trial)).toBeNull();
  });
});
