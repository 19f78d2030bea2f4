import { describe, expect, it } from "vitest";
import { parse_event } from "../../../app/api/events";
import type { Curve, Search } from "../../../app/api/types";
import { rank, runners_up } from "../../../app/searches/configurations/usable";
import {
  type Action,
  empty_state,
  is_settled,
  merge_points,
  reduce,
} from "../../../app/searches/page/search_state";
import { curve, point, progress, recommendation, search } from "../../api/sample";

const points = (curve_id: number, ...steps: number[]): Action => ({
  kind: "points",
  search: "a",
  points: steps.map((step) => ({ curve_id, ...point(step, { inside_linear_region: null }) })),
  progress: progress({ curves_done: 1, trials_done: 9 }),
});

const answer_of = (what: Search, curves: Curve[], after_end = false): Action => ({
  kind: "loaded",
  search: what,
  curves,
  after_end,
});

const loaded = reduce(empty_state, answer_of(search(), [curve(0), curve(1)]));

describe("events of a search", () => {
  it("add points in order of H, once each, and carry the progress", () => {
    let state = reduce(loaded, points(0, 0.002, 0.001));
    state = reduce(state, points(0, 0.001));
    expect(state.curves.get(0)?.points.map((one) => one.macro_step_s)).toEqual([0.001, 0.002]);
    expect(state.curves.get(1)?.points).toEqual([]);
    expect(state.search?.progress.trials_done).toBe(9);
    expect(state.version).toBeGreaterThan(loaded.version);
  });

  it("are not taken back by an answer that they overtook", () => {
    const ahead = reduce(loaded, points(0, 0.001));
    const late = reduce(ahead, answer_of(search(), [curve(0), curve(1)]));
    expect(late.search?.progress.trials_done).toBe(9);
    expect(late.curves.get(0)?.points).toHaveLength(1);
    const end = search({ status: "succeeded" });
    const over = reduce(ahead, answer_of(end, [curve(0)]));
    expect(over.search?.progress).toEqual(end.progress);
  });

  it("ask for curves that have not been fetched", () => {
    expect(reduce(loaded, points(7, 0.001)).unknown_curves).toBe(true);
  });

  it("of another search change nothing", () => {
    const other = { ...points(0, 0.001), search: "b" } as Action;
    expect(reduce(loaded, other)).toBe(loaded);
    expect(reduce(loaded, { kind: "status", search: "b", status: "failed" })).toBe(loaded);
  });

  it("cannot take back a final status", () => {
    let state = reduce(loaded, {
      kind: "finished",
      search: "a",
      status: "succeeded",
      recommendation: recommendation(),
      reason: null,
      sentence: "Use it.",
    });
    expect(state.stale).toBe(true);
    expect(state.search?.recommendation?.macro_step_s).toBe(0.0018);
    expect(state.search?.sentence).toBe("Use it.");
    state = reduce(state, { kind: "status", search: "a", status: "running" });
    expect(state.search?.status).toBe("succeeded");
    state = reduce(state, answer_of(search(), [curve(0)]));
    expect(state.search?.status).toBe("succeeded");
    expect(state.stale).toBe(true);
    state = reduce(state, answer_of(search({ status: "queued" }), [curve(0)], true));
    expect(state.search?.status).toBe("queued"); // somebody resumed it
  });

  it("of the end bring the answer before the curves that explain it", () => {
    const answer = recommendation();
    const told = reduce(loaded, {
      kind: "finished",
      search: "a",
      status: "succeeded",
      recommendation: answer,
      reason: null,
      sentence: "Use it.",
    });
    const ranking = (state: typeof told) => rank([...state.curves.values()]);
    expect(runners_up(ranking(told), answer, {}, 3)).toBeNull(); // as of another rule
    expect(is_settled(told)).toBe(false);
    const fetched = reduce(
      told,
      answer_of(search({ status: "succeeded", recommendation: answer }), [
        curve(0, { counts: true, usable_s: answer.macro_step_s }),
      ]),
    );
    expect(is_settled(fetched)).toBe(true);
    expect(runners_up(ranking(fetched), answer, {}, 3)).toEqual([]);
    expect(is_settled(loaded)).toBe(false); // it runs
    expect(is_settled(empty_state)).toBe(false);
  });

  it("survive an answer that was under way when they came", () => {
    const live = reduce(loaded, points(0, 0.003));
    const fetched = curve(0, { points: [point(0.001), point(0.002)] });
    const running = reduce(live, answer_of(search(), [fetched]));
    expect(running.curves.get(0)?.points).toHaveLength(3);
    const done = search({ status: "succeeded" });
    const final = reduce(live, answer_of(done, [fetched]));
    expect(final.curves.get(0)?.points).toHaveLength(2); // the stored result alone counts
  });

  it("of a change rename the search that they name", () => {
    const renamed = reduce(loaded, { kind: "changed", search: "a", name: "new" });
    expect(renamed.search?.name).toBe("new");
    const other = { kind: "changed", search: "other", name: "x" } as const;
    expect(reduce(renamed, other)).toBe(renamed);
  });

  it("before the first answer are ignored", () => {
    expect(reduce(empty_state, points(0, 0.001))).toBe(empty_state);
  });
});

describe("merging points", () => {
  it("keeps what the newer one does not say", () => {
    const old = [point(0.001, { residual_J: 2, inside_linear_region: true })];
    const told = point(0.001, { residual_J: 3, inside_linear_region: null });
    expect(merge_points(old, [told])).toEqual([{ ...told, inside_linear_region: true }]);
  });
});

describe("reading an event", () => {
  it("accepts every kind", () => {
    const text = JSON.stringify({ search: "a", status: "running" });
    expect(parse_event("status", text)).toMatchObject({ kind: "status", search: "a" });
  });
  it("drops what it cannot read", () => {
    expect(parse_event("status", "{")).toBeNull();
    expect(parse_event("status", "null")).toBeNull();
    expect(parse_event("points", '{"search":"a"}')).toBeNull();
    expect(parse_event("status", '{"search":3}')).toBeNull();
  });
});
