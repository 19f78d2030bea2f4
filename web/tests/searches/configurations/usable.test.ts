import { describe, expect, it } from "vitest";
import type { Configuration, Curve } from "../../../app/api/types";
import { build_series } from "../../../app/figures/series";
import { heat_rows } from "../../../app/searches/configurations/heat_map";
import {
  cause_of,
  rank,
  runners_up,
  unusable_causes,
} from "../../../app/searches/configurations/usable";
import { limit_text } from "../../../app/text/names";
import { configuration, curve, recommendation } from "../../api/sample";

function usable(
  id: number,
  test: string,
  extrapolation: Configuration["extrapolation"],
  usable_s: number,
): Curve {
  return curve(id, {
    test,
    configuration: configuration(extrapolation),
    usable_s,
    counts: true,
    reason: `curve ${id} leaves the line`,
  });
}

const curves = [
  usable(0, "step", "1", 4e-4),
  usable(1, "ramp", "1", 8e-4),
  usable(2, "step", "2", 8e-4),
  usable(3, "ramp", "2", 6e-4),
  usable(4, "step", "3", 1e-3),
  curve(5, { test: "ramp", configuration: configuration("3"), counts: false }),
];

/** The server's words, of which it sends those that occur. */
const meanings = {
  unstable: "every H tried is unstable",
  growth_unknown: "whether runs grow is not known",
  largest_tried: "nothing limits it up to the largest H tried",
  stable_within_session: "oscillations grow at every H",
};

/** No energy is exchanged, and yet it counts. */
const old = curve(6, {
  test: "sine",
  configuration: configuration("1"),
  counts: true,
  flags: ["no_energy"],
});

describe("the ranking", () => {
  it("goes by the smallest H over the tests, and leaves out what fails in one", () => {
    const ranking = rank(curves);
    expect(ranking.candidates.map((one) => one.macro_step_s)).toEqual([6e-4, 4e-4]);
    expect(ranking.candidates[0]!.limiting.map((one) => one.test)).toEqual(["ramp"]);
    expect(ranking.unusable.map((one) => one.curve.id)).toEqual([5]);
  });

  it("does not ask tests with too few macro-steps", () => {
    const short = curves.map((one) =>
      one.id === 3 ? { ...one, counts: false, flags: ["too_few_macro_steps"] } : one,
    );
    expect(rank(short).candidates[0]!.macro_step_s).toBe(8e-4);
  });

  it("does not ask a curve that counts in an old search without a usable H", () => {
    const { candidates } = rank([...curves, old]);
    expect(candidates.map((one) => one.macro_step_s)).toEqual([6e-4, 4e-4]);
    expect(candidates[1]!.limiting.map((one) => one.id)).toEqual([0]);
    expect(rank([old]).candidates).toEqual([]);
  });

  it("says what comes after the answer, and why", () => {
    const answer = recommendation({ macro_step_s: 6e-4 });
    expect(runners_up(rank(curves), answer, meanings, 3)).toEqual([
      {
        macro_step_s: 4e-4,
        configurations: [configuration("1")],
        tests: ["step"],
        cause: "Curve 0 leaves the line.",
      },
    ]);
  });

  it("names what limits each row, and what is known of its H", () => {
    const rows = [
      { ...usable(0, "step", "0", 9e-4), flags: ["verified"], limited_by: "bend" },
      {
        ...usable(1, "step", "1", 8e-4),
        flags: ["cut_at_checks", "verified", "failed_growth"],
        limited_by: "cut_at_checks",
        rejected_from_s: 1e-3,
      },
      {
        ...usable(2, "step", "2", 8e-4),
        flags: ["cut_at_checks", "failed_swing"],
        limited_by: "cut_at_checks",
      },
      {
        ...usable(3, "step", "3", 7e-4),
        flags: ["cut_at_stability_limit", "verified"],
        limited_by: "cut_at_stability_limit",
        stability_limit_s: 7.9e-4,
      },
      { ...usable(4, "step", "4", 6e-4), limited_by: "bend" },
    ];
    const answer = recommendation({ ...configuration("0"), macro_step_s: 9e-4, verified: true });
    const told = runners_up(rank(rows), answer, meanings, 9)!.map((row) => [
      row.macro_step_s,
      row.cause,
    ]);
    const spaced = told.map(([h, cause]) => [h, String(cause).replace(/\u202f/g, " ")]);
    expect(spaced).toEqual([
      [8e-4, "From 1 ms on it fails the check of growth: some motion grows. Verified."],
      [
        8e-4,
        "Larger H fail the check of swing: the outputs swing farther than with a quarter of H. Not verified at this H.",
      ],
      [7e-4, "Its exact limit of stability, 0.79 ms, less the margin. Verified."],
      [6e-4, "Its bend: curve 4 leaves the line. Never checked."],
    ]);
  });

  it("counts those without any H by what left them none", () => {
    const none = (
      id: number,
      order: Configuration["extrapolation"],
      limited_by: string,
      flags: string[] = [],
    ) => curve(id, { test: "step", configuration: configuration(order), limited_by, flags });
    const found = unusable_causes(
      rank([
        none(0, "0", "unstable"),
        none(1, "1", "rejected_by_checks", ["failed_change"]),
        none(2, "2", "rejected_by_checks", ["failed_change"]),
      ]),
      meanings,
    );
    expect(found.map(({ count, cause }) => [count, cause])).toEqual([
      [2, "Every H fails the check of change: the outputs change too far with a quarter of H."],
      [1, "Every H tried is unstable."],
    ]);
  });

  it("takes the server's words for a limit that has no number of its own", () => {
    const limited = (by: string) => cause_of(curve(3, { limited_by: by }), meanings);
    expect(limited("growth_unknown")).toBe("Whether runs grow is not known.");
    expect(limited("largest_tried")).toBe("Nothing limits it up to the largest H tried.");
    expect(limited("stable_within_session")).toBe("Oscillations grow at every H.");
    expect(limit_text(curve(3, { limited_by: "unstable" }), meanings)).toBe(
      "Every H tried is unstable.",
    );
    expect(limit_text(curve(3), meanings)).toBe(""); // before its end
  });

  it("says nothing where the server decided by something else", () => {
    expect(
      runners_up(rank(curves), recommendation({ macro_step_s: 2e-4 }), meanings, 3),
    ).toBeNull();
    const other = recommendation({ ...configuration("1"), macro_step_s: 6e-4 });
    expect(runners_up(rank(curves), other, meanings, 3)).toBeNull();
  });
});

describe("the heat map", () => {
  const rows = heat_rows(curves, build_series(curves), ["step", "ramp", "sine"]);

  it("has a row per configuration and a cell per test", () => {
    expect(rows.map((row) => row.cells.map((cell) => cell?.macro_step_s))).toEqual([
      [4e-4, 8e-4, undefined],
      [8e-4, 6e-4, undefined],
      [1e-3, null, undefined],
    ]);
  });

  it("marks what is verified", () => {
    const [first, ...rest] = curves;
    const marked = [{ ...first!, flags: ["verified"] }, ...rest];
    const cells = heat_rows(marked, build_series(marked), ["step", "ramp"])[0]!.cells;
    expect(cells.map((cell) => cell?.verified)).toEqual([true, false]);
  });

  it("marks the largest of each test and shades by H", () => {
    expect(rows.map((row) => row.cells.map((cell) => cell?.best ?? null))).toEqual([
      [false, true, null],
      [false, false, null],
      [true, false, null],
    ]);
    expect(rows[0]!.cells[0]!.shade).toBe(0);
    expect(rows[2]!.cells[0]!.shade).toBe(5);
  });

  it("shades as it does without a curve that counts in an old search without a usable H", () => {
    const all = [...curves, old];
    const shades = heat_rows(all, build_series(all), ["step", "ramp"]).map((row) =>
      row.cells.map((cell) => cell?.shade),
    );
    expect(shades).toEqual(rows.map((row) => row.cells.slice(0, 2).map((cell) => cell?.shade)));
  });
});
