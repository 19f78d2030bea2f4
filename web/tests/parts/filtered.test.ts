import { describe, expect, it } from "vitest";
import { matching } from "../../app/parts/filtered";

describe("filter of a long list", () => {
  const names = ["Axle.force", "axle.speed", "cab.force"];
  it("finds names that contain the text, whatever its case", () => {
    expect(matching(names, (one) => one, " AXLE ")).toEqual(["Axle.force", "axle.speed"]);
    expect(matching(names, (one) => one, "")).toEqual(names);
  });
  it("never hides what is to be kept", () => {
    const kept = (one: string) => one === "cab.force";
    expect(matching(names, (one) => one, "speed", kept)).toEqual(["axle.speed", "cab.force"]);
  });
});
