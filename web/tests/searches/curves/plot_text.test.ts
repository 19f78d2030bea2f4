import { describe, expect, it } from "vitest";
import { ends_text } from "../../../app/searches/curves/plot_text";
import { curve } from "../../api/sample";

describe("the text of a curve", () => {
  it("names its ends, and what is not known of them", () => {
    expect(ends_text(curve(1))).toBe("no bend, no cliff in the scan");
    const all = curve(1, { bend_s: 0.0018, cliff_s: 0.0024, stability_limit_s: 0.0023, slope: 2 });
    expect(ends_text({ ...all, rejected_from_s: 0.002 })).toMatch(
      /^bend 1\.8\sms, cliff 2\.4\sms, exact limit of stability 2\.3\sms, rejected by checks from 2\sms, slope 2$/,
    );
    expect(ends_text(all)).not.toContain("rejected");
    expect(ends_text({ ...all, rejected_from_s: null })).not.toContain("rejected");
  });
});
