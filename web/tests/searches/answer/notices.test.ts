import { describe, expect, it } from "vitest";
import type { Notice } from "../../../app/api/types";
import { worst_severity } from "../../../app/searches/answer/notices";

function notice(severity: Notice["severity"]): Notice {
  return { code: "little_margin", severity, subject: "", numbers: {}, sentence: "" };
}

describe("notices", () => {
  it("are as bad as the worst of them", () => {
    expect(worst_severity([notice("info"), notice("warning")])).toBe("warning");
    expect(worst_severity([notice("info"), notice("error"), notice("warning")])).toBe("error");
    expect(worst_severity([notice("info")])).toBe("info");
  });
});
