// A job as text that people edit: read with the place of a mistake, and members that a form fills in.
import type { Job } from "../api/types";

/** Members and objects in lines of their own, lists of numbers and names in one. */
export function job_text(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null)) {
    const items = value.map((one) => inner + job_text(one, inner));
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  if (Array.isArray(value)) return `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
  if (!is_object(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  if (members.length === 0) return "{}";
  const lines = members.map(
    ([name, one]) => `${inner}${JSON.stringify(name)}: ${job_text(one, inner)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

export interface ReadJob {
  job: Job | null;
  mistake: string | null;
}

/** Where it is no JSON object, why, with the line where the reader tells it. */
export function read_job(text: string): ReadJob {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    return { job: null, mistake: `This is not JSON yet: ${where(text, String(failure))}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { job: null, mistake: "A job is an object: { … }" };
  return { job: value as Job, mistake: null };
}

/** Browsers tell the place in different words; a line is what an editor shows. */
function where(text: string, message: string): string {
  const plain = message.replace(/^SyntaxError:\s*(JSON\.parse:\s*)?/, "");
  const line = /line (\d+)/.exec(plain);
  if (line) return `line ${line[1]}`;
  const at = /position (\d+)/.exec(plain);
  if (at) return `line ${text.slice(0, Number(at[1])).split("\n").length}`;
  return /end of/i.test(plain) ? "it ends too early" : plain;
}

/** The job of a search to be run again, with what the server keeps beside it and may have changed. */
export function job_again(search: { job: Job; [member: string]: unknown }): Job {
  const { name, note, tags, priority } = search;
  return {
    ...search.job,
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(typeof note === "string" && note !== "" ? { note } : {}),
    ...(Array.isArray(tags) && tags.length > 0 ? { tags } : {}),
    ...(typeof priority === "number" && priority !== 0 ? { priority } : {}),
  };
}

type Members = Record<string, unknown>;

export function is_object(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `job` with what it leaves out taken from `defaults`, member by member as the server does. */
export function completed<T extends object>(job: T, defaults: T): T {
  const merged: Members = { ...(defaults as Members) };
  for (const [name, value] of Object.entries(job)) {
    const known = merged[name];
    merged[name] = is_object(value) && is_object(known) ? completed(value, known) : value;
  }
  return merged as T;
}

/** The texts of a list; what is no list of texts counts as `fallback`. */
export function names_or(value: unknown, fallback: string[]): string[] {
  if (!Array.isArray(value)) return fallback;
  return value.filter((one): one is string => typeof one === "string");
}

/** Whether a number somewhere in it could not be read: a form sends null for that. */
export function has_null(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(has_null);
  return is_object(value) && Object.values(value).some(has_null);
}
