import { describe, expect, it } from "vitest";
import type { Notice } from "../../../app/api/types";
import { worst_first } from "../../../app/searches/answer/notices";

function notice(severity: Notice["severity"], code: string): Notice {
  return { code, severity, subject: "", numbers: {}, sentence: "" };
}

describe("notices", () => {
  it("are shown with the worst first, else in their order", () => {
    const shown = worst_first([
      notice("info", "first"),
      notice("warning", "second"),
      notice("error", "third"),
      notice("warning", "fourth"),
    ]);
    expect(shown.map(({ code }) => code)).toEqual(["third", "second", "fourth", "first"]);
    expect(worst_first([])).toEqual([]);
  });
});
