// The test inputs of a problem of one's own: which, and with what numbers.

import type { Test } from "../api/types";
import { number_or_null } from "../forms/job_form";

export type TestKind = "step" | "ramp" | "impulse" | "sine" | "none";

export type TestsState = Record<TestKind, Record<string, string> & { on: "yes" | "" }>;

interface TestField {
  name: string; // of the job's member; "frequencies_hz" makes a test of each
  label: string;
  unit: string;
  placeholder?: string;
}

const duration: TestField = {
  name: "duration_s",
  label: "Duration",
  unit: "s",
  placeholder: "from the problem",
};

export const test_fields: Record<TestKind, TestField[]> = {
  step: [duration],
  ramp: [duration],
  impulse: [
    { name: "width_s", label: "Width", unit: "s", placeholder: "0.4 of the duration" },
    duration,
  ],
  sine: [
    { name: "frequencies_hz", label: "Frequencies", unit: "Hz", placeholder: "as 5 20 80" },
    { name: "periods", label: "Periods", unit: "", placeholder: "as many as needed" },
  ],
  none: [duration],
};

export const default_tests: TestsState = {
  step: { on: "yes", duration_s: "" },
  ramp: { on: "yes", duration_s: "" },
  impulse: { on: "yes", width_s: "", duration_s: "" },
  sine: { on: "", frequencies_hz: "", periods: "" },
  none: { on: "", duration_s: "" },
};

const kinds = Object.keys(default_tests) as TestKind[];

/** Tests drive external inputs; without any there is nothing but the run itself. */
export function offered_tests(has_externals: boolean): TestKind[] {
  return has_externals ? kinds.filter((kind) => kind !== "none") : ["none"];
}

/** The kinds that take part. */
function chosen_tests(state: TestsState, has_externals: boolean): TestKind[] {
  if (!has_externals) return ["none"];
  return offered_tests(true).filter((kind) => state[kind].on !== "");
}

interface JobTest {
  kind: TestKind; // the row of the form that it comes from
  test: Test;
}

/** "5 20; 80" → ["5", "20", "80"]; nothing: one text, so that the server asks for it. */
export function frequencies(text: string): string[] {
  const found = text.split(/[\s;]+|,(?=\s|$)/).filter((one) => one !== "");
  return found.length === 0 ? [""] : found;
}

function number_of(text: string): number {
  return number_or_null(text) as number; // null is refused by the server, at its field
}

export function job_tests(state: TestsState, has_externals: boolean): JobTest[] {
  return chosen_tests(state, has_externals).flatMap((kind) => {
    if (kind === "sine") return sines(state.sine);
    const test: Test = { name: kind, kind };
    for (const field of test_fields[kind]) {
      const text = state[kind][field.name] ?? "";
      if (text.trim() !== "") test[field.name] = number_of(text); // else the server finds it
    }
    return [{ kind, test }];
  });
}

function sines(row: TestsState["sine"]): JobTest[] {
  const periods = (row.periods ?? "").trim();
  return frequencies(row.frequencies_hz ?? "").map((text) => ({
    kind: "sine",
    test: {
      name: text === "" ? "sine" : `sine_${text.replace(",", ".")}hz`,
      kind: "sine",
      frequency_hz: number_of(text),
      ...(periods === "" ? {} : { periods: number_of(periods) }),
    },
  }));
}

/** The field of a test's member. */
export function field_of_test(kind: TestKind, member: string | undefined): string {
  const name = member === "frequency_hz" || member === "name" ? "frequencies_hz" : member;
  const known = test_fields[kind].find((one) => one.name === name) ?? test_fields[kind][0];
  return `test:${kind}:${known?.name ?? ""}`;
}

export function restored_tests(fields: Record<string, unknown>): TestsState {
  const restored = { ...default_tests };
  for (const kind of kinds) {
    const row = fields[kind];
    if (typeof row !== "object" || row === null) continue;
    const texts = Object.entries(row).filter(([, text]) => typeof text === "string");
    restored[kind] = { ...default_tests[kind], ...Object.fromEntries(texts) };
  }
  return restored;
}
