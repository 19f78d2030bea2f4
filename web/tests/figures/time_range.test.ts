import { describe, expect, it } from "vitest";
import type { TimeRange } from "../../app/figures/time_range";
import {
  key_range,
  pan,
  parse_range,
  range_text,
  whole,
  within,
  zoom,
} from "../../app/figures/time_range";

const full: TimeRange = [0, 10];

describe("the shown stretch of time", () => {
  it("is panned up to the ends without a change of its length", () => {
    expect(pan([2, 4], 1, full)).toEqual([3, 5]);
    expect(pan([2, 4], -100, full)).toEqual([0, 2]);
    expect(pan([2, 4], 100, full)).toEqual([8, 10]);
  });

  it("keeps its centre when it is zoomed, and is never longer than the trial", () => {
    expect(zoom([2, 6], 0.5, 4, full)).toEqual([3, 5]);
    expect(zoom([2, 6], 100, 4, full)).toEqual(full);
  });

  it("never becomes so short that times are equal", () => {
    let range = full;
    for (let n = 0; n < 100; ++n) range = zoom(range, 0.5, 5, full);
    expect(range[1]).toBeGreaterThan(range[0]);
  });

  it("follows keys and leaves others alone", () => {
    expect(key_range([2, 4], "ArrowRight", full)).toEqual([2.2, 4.2]);
    expect(key_range([2, 4], "0", full)).toEqual(full);
    expect(key_range([2, 4], "End", full)).toEqual([8, 10]);
    expect(key_range([2, 4], "-", full)).toEqual([1, 5]);
    for (const other of ["x", "ArrowDown", "PageDown"]) {
      expect(key_range([2, 4], other, full)).toBeNull();
    }
  });

  it("comes back from the address, but for nonsense", () => {
    expect(range_text(full, full)).toBeNull();
    const text = range_text([1.25, 3.5], full);
    expect(parse_range(text, full)).toEqual([1.25, 3.5]);
    expect(range_text([0.24000000004, 0.44000000004], full)).toBe("0.24,0.44");
    expect(range_text([5.00000012, 5.00000013], full)).toBe("5.00000012,5.00000013");
    for (const wrong of [null, "", "1", "a,b", "3,1", "1,2,3"]) {
      expect(parse_range(wrong, full)).toBeNull();
    }
    expect(parse_range("-5,3", full)).toEqual([0, 8]);
  });

  it("has a length even for a trial of one point", () => {
    expect(whole(Float64Array.of(3))).toEqual([3, 4]);
    expect(within([5, 5], full)[1]).toBeGreaterThan(5);
  });
});
