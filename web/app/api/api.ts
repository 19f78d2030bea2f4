// Requests to the server. Every failure becomes an ApiError with a sentence that can be shown.
import { note_status } from "./access";
import type {
  Curve,
  Executors,
  FieldError,
  Job,
  Problem,
  Search,
  SearchChange,
  Summary,
} from "./types";

const request_timeout_ms = 30_000;
export const rows_of_page = 50; // of a list, asked for at once

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number, // 0: no answer at all
    readonly errors: FieldError[] = [],
  ) {
    super(message);
  }
}

export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const { text, response } = await answer_of(path, init);
  let body: unknown = null;
  try {
    body = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(
      `The server's answer is not JSON (HTTP ${response.status}).`,
      response.status,
    );
  }
  if (!response.ok) throw problem_error(response.status, body);
  return body as T;
}

/** A file of the API, as it is. */
export async function fetch_text(
  path: string,
  type = "*/*",
  timeout_ms = request_timeout_ms,
): Promise<string> {
  const { text, response } = await answer_of(path, { headers: { Accept: type } }, timeout_ms);
  if (response.ok) return text;
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // The status alone has to do.
  }
  throw problem_error(response.status, body);
}

async function answer_of(
  path: string,
  init: RequestInit,
  timeout_ms = request_timeout_ms,
): Promise<{ text: string; response: Response }> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeout_ms);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api/v1${path}`, { ...init, signal: timer.signal });
    text = await response.text();
  } catch {
    throw new ApiError(
      timer.signal.aborted
        ? `The server did not answer within ${timeout_ms / 1000} s.`
        : "The server cannot be reached. Is macrostep serve still running?",
      0,
    );
  } finally {
    clearTimeout(timeout);
  }
  note_status(response.status);
  return { text, response };
}

/** An RFC 9457 problem, read with suspicion: a proxy may have answered instead. */
export function problem_error(status: number, body: unknown): ApiError {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const texts = [fields.title, fields.detail].filter(
    (part) => typeof part === "string" && part !== "",
  );
  const errors = (Array.isArray(fields.errors) ? fields.errors : [])
    .filter((one) => typeof one === "object" && one !== null)
    .map((one) => ({ pointer: String(one.pointer ?? ""), detail: String(one.detail ?? "") }));
  const message = texts.length > 0 ? texts.join(": ") : `The server answered with HTTP ${status}.`;
  return new ApiError(message, status, errors);
}

export function fetch_problems(): Promise<Problem[]> {
  return request<{ problems: Problem[] }>("/problems").then((answer) => answer.problems);
}

export function fetch_executors(): Promise<Executors> {
  return request("/executors");
}

/** `query`: filters, order and page, as list_view.ts writes them. */
export function fetch_searches(
  query: string,
): Promise<{ searches: Summary[]; next: string | null }> {
  return request(`/searches?${query}`);
}

export function fetch_search(id: string): Promise<Search> {
  return request(`/searches/${encodeURIComponent(id)}`);
}

export function fetch_curves(id: string): Promise<Curve[]> {
  return request<{ curves: Curve[] }>(`/searches/${encodeURIComponent(id)}/curves`).then(
    (answer) => answer.curves,
  );
}

/** The key makes a repeated click or a retry after a lost answer submit once. */
export function submit(job: Job, key: string): Promise<Summary> {
  return request("/searches", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(job),
  });
}

export function cancel(id: string): Promise<Summary> {
  return request(`/searches/${encodeURIComponent(id)}/cancel`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
}

export function resume(id: string): Promise<Summary> {
  return request(`/searches/${encodeURIComponent(id)}/resume`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
}

export function change_search(id: string, change: SearchChange): Promise<Summary> {
  return request(`/searches/${encodeURIComponent(id)}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/merge-patch+json" },
    body: JSON.stringify(change),
  });
}

export function delete_search(id: string): Promise<null> {
  return request(`/searches/${encodeURIComponent(id)}`, { method: "DELETE" });
}

export function message_of(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
