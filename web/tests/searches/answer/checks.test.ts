import { describe, expect, it } from "vitest";
import { measured } from "../../../app/searches/answer/checks";

const growth = {
  check: "growth",
  verdict: "unknown",
  value: null,
  limit: 0,
  detail: "not linear",
};
const change = {
  check: "change",
  verdict: "agrees",
  value: 0.12,
  limit: 0.5,
  detail: "0.42 in step, H = 2 ms compared with 0.5 ms",
};

describe("checks of a recommended run", () => {
  it("say what was measured and what is allowed", () => {
    expect(measured(growth)).toBe("");
    expect(measured(change)).toMatch(/^12\s%, at most 50\s%$/);
    expect(measured({ ...growth, value: -0.123456 })).toBe("−0.123 per s, at most 0");
    expect(measured({ ...growth, verdict: "agrees", value: 4.933e-5 })).toMatch(
      /per s, too slow to count as growth$/,
    );
    expect(measured({ ...change, check: "swing", value: 1.42, limit: 2 })).toBe(
      "factor 1.42, at most 2",
    );
  });
});
