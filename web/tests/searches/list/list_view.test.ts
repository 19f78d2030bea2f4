import { describe, expect, it } from "vitest";
import type { Point, Summary } from "../../../app/api/types";
import { toggled } from "../../../app/parts/route";
import {
  address_of,
  api_query,
  is_filtered,
  list_view,
  seconds_taken,
  tags_in,
} from "../../../app/searches/list/list_view";
import { change_of, errors_on, is_same, written_on } from "../../../app/searches/list/search_edit";
import { ends_of } from "../../../app/searches/list/trial_ends";
import { curve, point, search } from "../../api/sample";

const view = (text: string) => list_view(new URLSearchParams(text));

describe("the address of the list", () => {
  it("is empty for the newest of all searches", () => {
    expect(address_of(view(""), {})).toEqual({});
    expect(api_query(view(""))).toBe("limit=50");
    expect(is_filtered(view("select=a&open=b&sort=name"))).toBe(false);
  });

  it("asks the API for what it says", () => {
    const query = new URLSearchParams(
      api_query(view("status=failed,cancelled&tag=crane,%20x&name=a%26b&sort=name&after=k")),
    );
    expect(Object.fromEntries(query)).toEqual({
      limit: "50",
      status: "failed,cancelled",
      tag: "crane,x",
      name: "a&b",
      sort: "name",
      after: "k",
    });
  });

  it("includes both of its days", () => {
    const query = new URLSearchParams(api_query(view("since=2026-02-28&until=2026-02-28")));
    expect(query.get("created_after")).toBe("2026-02-27T23:59:59.999Z");
    expect(query.get("created_before")).toBe("2026-03-01T00:00:00.000Z");
  });

  it("leaves a day that is none to the server to refuse", () => {
    const query = new URLSearchParams(api_query(view("since=soon")));
    expect(query.get("created_after")).toBe("soon");
  });

  it("keeps what is selected on the next page", () => {
    const next = address_of(view("tag=crane&select=a,b&open=a"), { after: "k", open: null });
    expect(next).toEqual({ tag: "crane", select: "a,b", after: "k" });
  });

  it("selects and leaves out again", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    expect(view("select=a,,a,b").selected).toEqual(["a", "b"]);
  });
});

describe("the time a search took", () => {
  const at = (started_at: string | null, finished_at: string | null, status: Summary["status"]) =>
    seconds_taken({ started_at, finished_at, status }, Date.parse("2026-01-01T00:01:00Z"));

  it("grows while it runs, and is not known before", () => {
    expect(at(null, null, "queued")).toBeNull();
    expect(at("2026-01-01T00:00:00Z", null, "running")).toBe(60);
    expect(at("2026-01-01T00:00:00Z", "2026-01-01T00:00:02.5Z", "succeeded")).toBe(2.5);
    expect(at("2026-01-01T00:00:00Z", null, "interrupted")).toBeNull();
    expect(at("2026-01-01T00:02:00Z", null, "running")).toBe(0); // another clock
  });
});

describe("what a user writes on a search", () => {
  const one = { ...search(), name: "crane", note: "n", tags: ["a", "b"], priority: 3 };

  it("is the same where every field is", () => {
    expect(is_same(written_on(one), written_on({ ...one }))).toBe(true);
    for (const field of ["name", "note", "tags", "priority"] as const) {
      expect(is_same(written_on(one), { ...written_on(one), [field]: "7" })).toBe(false);
    }
  });

  it("is sent only where it differs", () => {
    expect(change_of(one, written_on(one))).toBeNull();
    expect(change_of(one, { ...written_on(one), tags: " a , b,, " })).toBeNull();
    expect(change_of(one, { ...written_on(one), tags: "a,c", priority: "-5" })).toEqual({
      tags: ["a", "c"],
      priority: -5,
    });
    expect(change_of(one, { ...written_on(one), note: "", name: " crane 2 " })).toEqual({
      note: "",
      name: "crane 2",
    });
  });

  it("leaves a priority that is no number to the server to refuse", () => {
    expect(change_of(one, { ...written_on(one), priority: "high" })).toEqual({ priority: "high" });
  });

  it("has its errors at its fields", () => {
    const errors = errors_on([
      { pointer: "/tags/2", detail: "too long" },
      { pointer: "/tags/3", detail: "empty" },
      { pointer: "", detail: "not an object" },
    ]);
    expect(errors).toEqual({ tags: ["too long", "empty"], "": ["not an object"] });
  });

  it("has tags with commas between", () => {
    expect(tags_in(" crane, thesis ,crane,")).toEqual(["crane", "thesis"]);
  });
});

describe("how the trials of a search ended", () => {
  it("is counted over all its curves, most frequent first", () => {
    const ended = (status: Point["status"]) => point(1, { residual_J: null, status });
    const curves = [
      curve(0, { points: [ended("complete"), ended("complete"), ended("diverged")] }),
      curve(1, { points: [ended("complete"), ended("crashed"), ended("diverged")] }),
    ];
    expect(ends_of(curves)).toEqual([
      ["complete", 3],
      ["diverged", 2],
      ["crashed", 1],
    ]);
  });
});
