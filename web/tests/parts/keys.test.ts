import { describe, expect, it } from "vitest";
import { find_key, type Key } from "../../app/parts/keys";

describe("keys", () => {
  const key = (keys: string): Key => ({ keys, text: "", run: () => {} });
  const known = [key("?"), key("g s"), key("s")];

  it("are one character, or two after one another", () => {
    expect(find_key(known, null, "?")).toBe(known[0]);
    expect(find_key(known, null, "g")).toBe("wait");
    expect(find_key(known, "g", "s")).toBe(known[1]);
    expect(find_key(known, null, "s")).toBe(known[2]);
    expect(find_key(known, "g", "x")).toBeNull();
    expect(find_key(known, null, "x")).toBeNull();
  });
});
