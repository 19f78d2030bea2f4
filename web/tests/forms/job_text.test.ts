import { describe, expect, it } from "vitest";
import { completed, has_null, job_again, job_text, read_job } from "../../app/forms/job_text";

describe("job as text", () => {
  it("keeps lists of numbers in a line, and says the same as JSON does", () => {
    const job = {
      problem: {
        A: [
          [0, 1],
          [-4, 0],
        ],
        empty: {},
        none: [],
      },
      name: 'a "b"',
      left_out: undefined,
      tests: [{ time_s: [0, 1e-7] }],
    } as never;
    const text = job_text(job);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(job)));
    expect(text).toContain("      [-4, 0]\n");
  });

  it("is read back, or says where it is no JSON", () => {
    expect(read_job('{"problem": "x"}')).toEqual({ job: { problem: "x" }, mistake: null });
    expect(read_job('{\n  "a": 1,\n  b\n}').job).toBeNull();
    expect(read_job('{\n  "a": 1,\n  b\n}').mistake).toMatch(/line 3/);
    expect(read_job('{"a": ').mistake).toMatch(/too early/);
    expect(read_job("[1]").mistake).toMatch(/object/);
    expect(read_job("null").job).toBeNull();
  });
});

describe("job of a search that is run again", () => {
  it("has the name, note, tags and priority that the search has by now", () => {
    const search = { job: { name: "old", problem: "x" }, name: "new", note: "n", tags: ["t"] };
    expect(job_again({ ...search, priority: -2, status: "failed" })).toEqual({
      name: "new",
      problem: "x",
      note: "n",
      tags: ["t"],
      priority: -2,
    });
    expect(
      job_again({ job: { name: "old" }, name: "old", note: "", tags: [], priority: 0 }),
    ).toEqual({
      name: "old",
    });
  });
});

describe("job completed from defaults", () => {
  it("takes what is left out, member by member, and no part of a list", () => {
    const defaults = { a: { b: 1, c: [1, 2] }, d: 4, e: { f: 1 } };
    const job = { a: { b: 2, c: [3] }, d: null } as never;
    expect(completed(job, defaults)).toEqual({ a: { b: 2, c: [3] }, d: null, e: { f: 1 } });
  });

  it("finds a null at any depth", () => {
    expect(has_null({ a: [[1, { b: null }]] })).toBe(true);
    expect(has_null({ a: [[1, { b: "null" }]] })).toBe(false);
  });
});
