import { describe, expect, it } from "vitest";
import type { Notice } from "../../../app/api/types";
import {
  accuracy,
  configurations_text,
  gain_text,
  largest_text,
  margin,
  more_of,
  real_time_text,
  sentence_parts,
  ties_text,
  verified_text,
} from "../../../app/searches/answer/answer_text";
import { configuration, recommendation } from "../../api/sample";

const plain = (text: string | null) => (text ?? "").replace(/\u202f/g, " ");

describe("the recommendation in words", () => {
  it("is the server's sentence with H and the reason set apart", () => {
    const sentence =
      "Best so far: Use second-order extrapolation with H = 1.8 ms, I1AL for mechanics: the largest macro-step tried that is stable. That does not promise accuracy; at this H the relative residual is 30 %.";
    const parts = sentence_parts(sentence);
    expect(parts).toEqual([
      "Best so far: Use second-order extrapolation with ",
      "H = 1.8 ms",
      ", I1AL for mechanics",
      "the largest macro-step tried that is stable. That does not promise accuracy; at this H the relative residual is 30 %.",
    ]);
    expect(sentence_parts("Use something new.")).toEqual(["Use something new.", "", "", ""]);
    expect(sentence_parts("").join("")).toBe("");
  });

  it("tells whether an H is verified, where the server says so", () => {
    expect(verified_text(recommendation())).toBeNull();
    expect(verified_text(recommendation({ verified: true }))).toBe("Verified.");
    expect(verified_text(recommendation({ verified: false }))).toBe("Not verified.");
    expect(
      plain(verified_text(recommendation({ verified: false, macro_step_verified_s: 0.001 }))),
    ).toBe("Not verified at this H; 1 ms is.");
  });

  it("goes on with what the sentence did not say", () => {
    const reason = (code: Notice["code"], sentence: string): Notice => ({
      ...{ code, severity: "info", subject: "", numbers: {} },
      sentence,
    });
    const largest = reason("largest_linear_step", "it keeps the largest H");
    const limited = reason("limited_by_tests", "limited at 1.8 ms by: step");
    expect(plain(more_of({ reason: "", reasons: [largest, limited] }))).toBe(
      "Limited at 1.8 ms by: step.",
    );
    expect(more_of({ reason: "", reasons: [largest] })).toBe("");
    const of_older_version = "it keeps the largest H; limited at 1.8 ms by: step";
    expect(plain(more_of({ reason: of_older_version }))).toBe("Limited at 1.8 ms by: step.");
  });

  it("tells the distance to bend and cliff", () => {
    expect(plain(margin(recommendation()))).toBe(
      "H is the last step on the line (the bend); the cliff is at 2.4 ms, 1.33 times H.",
    );
    expect(plain(margin(recommendation({ macro_step_s: 0.0009, cliff_s: null })))).toBe(
      "H is 50 % below the bend at 1.8 ms; no instability was met within the scan.",
    );
    expect(plain(margin(recommendation({ bend_s: null, cliff_s: null })))).toBe(
      "The scan ended before a bend was reached; no instability was met within the scan.",
    );
  });

  it("tells how accurate the recommended run is, as far as that is known", () => {
    const energy = "At this H the coupling adds or removes up to 30 % of the energy it transmits.";
    const base = { relative_residual: 0.3 };
    expect(plain(accuracy(recommendation(base)))).toBe(energy);
    const error = { nrmse: 1.35, max: 3, test: "sine_35hz", reference: "CVODE BDF" };
    expect(plain(accuracy(recommendation({ ...base, error })))).toBe(
      `${energy} Against the monolithic solution (CVODE BDF) the outputs are off by 135 % of ` +
        "their standard deviation (NRMSE, largest over all tests, in sine 35 Hz).",
    );
    const none = { nrmse: null, max: null, test: null, reference: "none: a delay" };
    expect(plain(accuracy(recommendation({ ...base, error: none })))).toBe(
      `${energy} The error of the outputs is not known: a delay.`,
    );
    expect(accuracy(recommendation({ relative_residual: null }))).toBeNull();
  });

  it("tells how long macro-steps take where the job asks for real time", () => {
    const real_time = { share: 0.8, limit_s: 1.44e-3, p999_s: 4.56e-5, factor: 31.6 };
    expect(plain(real_time_text(recommendation({ real_time })))).toBe(
      "Real time: 99.9 % of the macro-steps take at most 45.6 µs; the limit, 80 % of H, is 1.44 ms.",
    );
    expect(real_time_text(recommendation())).toBeNull();
  });

  it("lists ties without the recommendation itself", () => {
    expect(ties_text(recommendation({ ties: [configuration("2")] }))).toBeNull();
    const ties = [configuration("2"), configuration("3", "i3al")];
    expect(ties_text(recommendation({ ties }))).toBe(
      "Reaches the same H: m = 3 with I3AL + forward Euler.",
    );
  });

  it("says what is verified of configurations of one row where it differs", () => {
    const configurations = [configuration("1"), configuration("2"), configuration("3")];
    const row = (macro_steps_verified_s: (number | null)[]) =>
      largest_text({ configurations, macro_steps_verified_s }).map(plain);
    expect(row([1e-3, 1e-3, 1e-3])).toEqual(configurations_text(configurations).map(plain));
    expect(row([1e-3, null, 1e-3]).map((text) => text.replace(/ with .*:/, ":"))).toEqual([
      "m = 1: verified 1 ms",
      "m = 3: verified 1 ms",
      "m = 2: not verified",
    ]);
    expect(largest_text({ configurations })).toEqual(configurations_text(configurations));
  });

  it("writes a full product of integrators as one choice", () => {
    const all = (["i1al", "i3al"] as const).flatMap((m) =>
      (["forward_euler", "trapezoidal"] as const).map((h) => configuration("2", m, h)),
    );
    expect(configurations_text([configuration("1"), ...all])).toEqual([
      "m = 1 with I1AL + forward Euler",
      "m = 2 with I1AL or I3AL + forward Euler or trapezoidal rule",
    ]);
    expect(configurations_text(all.slice(0, 3))).toEqual([
      "m = 2 with I1AL + forward Euler, I1AL + trapezoidal rule or I3AL + forward Euler",
    ]);
  });
});

describe("what a correction and linear theory add", () => {
  it("is the exact limit of stability, in times of H", () => {
    const text = plain(margin(recommendation({ stability_limit_s: 0.0027 })));
    expect(text).toContain("the exact limit of stability is 2.7 ms, 1.50 times H.");
    expect(text).not.toContain("instab"); // the cliff, at 2.4 ms, lies below the limit
    const no_cliff = recommendation({ stability_limit_s: 0.0027, cliff_s: null });
    expect(plain(margin(no_cliff))).not.toContain("no instability");
    expect(plain(margin(recommendation()))).not.toContain("limit of stability");
  });

  it("is how fast runs grow, with what is not known of it", () => {
    const growth = { rate_per_s: -0.12345, uncertainty_per_s: 0.0321, verdict_by: "identified" };
    expect(plain(margin(recommendation({ growth })))).toContain(
      "by runs the largest rate of growth is −0.123 ± 0.032 per s",
    );
    const seen = { ...growth, unseen_share: 1e-7 };
    expect(plain(margin(recommendation({ growth: seen })))).toMatch(
      /per s; motions smaller than .* of all that moves were not seen/,
    );
    const around = { ...growth, verdict_by: "operating_points" };
    expect(plain(margin(recommendation({ growth: around })))).toContain(
      "by runs around states that the tests reach the largest rate",
    );
    const session = plain(margin(recommendation({ growth: { ...growth, session_s: 318.53 } })));
    expect(session).toContain("growth is judged over a session of 318.5 s");
    expect(plain(margin(recommendation({ growth })))).not.toContain("session");
    const swing = { rate_per_s: null, uncertainty_per_s: null, verdict_by: "swing" };
    expect(plain(margin(recommendation({ growth: swing })))).not.toContain("rate");
  });

  it("is how much further the correction reaches, and at what cost", () => {
    const correction_gain = {
      without: configuration("1"),
      macro_step_s_without: 0.0006,
      cost_per_macro_step: 30,
      cost_per_macro_step_without: 20,
    };
    const text = plain(gain_text(recommendation({ correction_gain })));
    expect(text).toContain("3 times the H");
    expect(text).toContain("for 1.5 times the cost of a macro-step.");
    expect(gain_text(recommendation())).toBeNull();
    const alone = { ...correction_gain, without: null, macro_step_s_without: null };
    expect(gain_text(recommendation({ correction_gain: alone }))).toContain(
      "nothing can be recommended",
    );
  });
});
