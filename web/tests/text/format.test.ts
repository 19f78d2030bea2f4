import { describe, expect, it } from "vitest";
import * as format from "../../app/text/format";

const plain = (text: string) => text.replace(/\u202f/g, " ");

describe("numbers", () => {
  it("show H in ms without rounding noise", () => {
    expect(plain(format.macro_step_text(0.0018))).toBe("1.8 ms");
    expect(plain(format.macro_step_text(0.00030000000000000003))).toBe("0.3 ms");
    expect(plain(format.macro_step_text(1.25e-5))).toBe("0.0125 ms");
    expect(format.macro_step_text(null)).toBe("–");
  });

  it("round H down to three digits", () => {
    expect(plain(format.macro_step_text(0.0211899))).toBe("21.1 ms");
    expect(plain(format.macro_step_text(0.0017999999999999997))).toBe("1.8 ms");
    expect(plain(format.macro_step_text(1.2345))).toBe("1230 ms");
    expect(plain(format.macro_step_text(9.999))).toBe("9990 ms");
    expect(plain(format.macro_step_text(388.2))).toBe("388 s");
    expect(plain(format.macro_step_text(2.739e-8))).toBe("0.0273 µs");
    expect(format.macro_step_column([2e-8, 3e-7]).map(plain)).toEqual(["0.02 µs", "0.30 µs"]);
    expect(format.macro_step_column([2, 12]).map(plain)).toEqual(["2 s", "12 s"]);
    expect(plain(format.macro_step_text(0))).toBe("0 ms");
    expect(format.macro_step_column([0.0211899, 0.002]).map(plain)).toEqual(["21.1 ms", "2.0 ms"]);
  });

  it("align the decimals of a column of H", () => {
    const column = format.macro_step_column([0.0018, 0.002, null, 0.014]);
    expect(column.map(plain)).toEqual(["1.8 ms", "2.0 ms", "–", "14.0 ms"]);
  });

  it("give energies an SI prefix", () => {
    expect(plain(format.joules(0.00321))).toBe("3.21 mJ");
    expect(plain(format.joules(12345))).toBe("12.3 kJ");
    expect(plain(format.joules(9.9999e-4))).toBe("1 mJ");
    expect(plain(format.joules(0))).toBe("0 J");
    expect(plain(format.joules(3e-14))).toBe("3·10⁻¹⁴ J");
    expect(format.joules(null)).toBe("–");
  });

  it("write ratios in powers of ten outside the readable range", () => {
    expect(format.ratio(1.43e-5)).toBe("1.4·10⁻⁵");
    expect(format.ratio(1e-7)).toBe("10⁻⁷");
    expect(format.ratio(0.25)).toBe("0.25");
    expect(format.ratio(9.99e-6)).toBe("10⁻⁵");
    expect(format.ratio(0)).toBe("0");
  });

  it("says how long a search still takes without more digits than it knows", () => {
    const left = (seconds: number | null | undefined) => plain(format.time_left(seconds));
    expect(left(null)).toBe("");
    expect(left(undefined)).toBe("");
    expect(left(0.2)).toBe(", nearly done");
    expect(left(12.7)).toBe(", about 13 s left");
    expect(left(57)).toBe(", about 1 min left");
    expect(left(200)).toBe(", about 3 min left");
    expect(left(7300)).toBe(", about 2 h left");
    expect(left(10 * 86_400)).toBe(", about 10 days left");
  });

  it("separate thousands", () => {
    expect(plain(format.count(61234567))).toBe("61 234 567");
    expect(plain(format.plural(1, "curve"))).toBe("1 curve");
    expect(plain(format.plural(2, "curve"))).toBe("2 curves");
  });
});

describe("reasons", () => {
  it("become sentences once", () => {
    expect(format.as_sentence("no curve was finished")).toBe("No curve was finished.");
    expect(format.as_sentence("trailer.w has no source")).toBe("trailer.w has no source.");
    expect(format.duration(3.6936e7)).toBe("428\u202fdays");
    expect(format.plural(2, "search")).toBe("2 searches");
    expect(format.as_sentence("Cancelled.")).toBe("Cancelled.");
    expect(format.as_sentence(" ")).toBe("");
    expect(format.as_sentence("73 % at 1.8 ms")).toBe("73\u202f% at 1.8\u202fms.");
    expect(format.as_sentence("residual of 3.79e+05 J")).toBe("Residual of 3.79·10⁵ J.");
  });

  it("leaves names alone where it makes numbers readable", () => {
    expect(format.readable_numbers("-5 Pa is outside 0 … 1e+09")).toBe("-5 Pa is outside 0 … 10⁹");
    expect(format.readable_numbers("2.26e+03 J at 1e-05 s")).toBe("2260 J at 10⁻⁵ s");
    expect(format.readable_numbers("curve a1e+3, 12e4, 1e+3x")).toBe("curve a1e+3, 12e4, 1e+3x");
  });

  it("shortens what nobody types in full", () => {
    expect(format.typed(0.5235987755982988)).toBe("0.523599");
    expect(format.typed(1.069e-8)).toBe("1.069e-8");
    expect(format.typed(100000)).toBe("100000");
    expect(format.unit_text("m^3/(s V Pa^0.5)")).toBe("m³/(s V Pa^0.5)");
    expect(format.unit_text("m/s2")).toBe("m/s²"); // as FMUs write it
    expect(format.unit_text("kg m^-3")).toBe("kg m⁻³");
    expect(format.unit_text("1")).toBe("");
  });
});

describe("size of a file", () => {
  it("has three digits and the prefix that fits", () => {
    expect(plain(format.bytes(17))).toBe("17 bytes");
    expect(plain(format.bytes(16137))).toBe("16.1 kB");
    expect(plain(format.bytes(999_800))).toBe("1 MB");
    expect(plain(format.bytes(1 << 30))).toBe("1.07 GB");
  });
});

describe("age", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  it("is coarse, and a date after a week", () => {
    expect(plain(format.age("2026-01-02T11:59:30Z", now))).toBe("30 s ago");
    expect(plain(format.age("2026-01-02T11:57:00Z", now))).toBe("3 min ago");
    expect(plain(format.age("2026-01-01T12:00:00Z", now))).toBe("1 d ago");
    expect(format.age("2025-11-30T12:00:00Z", now)).toBe("2025-11-30");
  });
  it("survives a clock that is ahead and a broken time", () => {
    expect(format.age("2026-01-02T12:05:00Z", now)).toBe("just now");
    expect(format.age("yesterday", now)).toBe("–");
  });
});
