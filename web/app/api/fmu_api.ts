// Requests about FMUs and the shapes of their answers.
import { note_status } from "./access";
import { ApiError, problem_error, request, rows_of_page } from "./api";

export interface FmuRow {
  sha256: string;
  file_name: string;
  model_name: string;
  fmi_version: string;
  interfaces: string[];
  size_bytes: number;
  uploaded_at: string;
}

export interface Variable {
  name: string;
  description: string | null;
  type: string;
  array: boolean;
  unit: string; // "?": nobody told, fits every other
  declared_unit: string | null;
  start: number | string | boolean | null;
  nominal: number | null;
  minimum: number | null;
  maximum: number | null;
}

export interface Port extends Variable {
  continuous: boolean;
  connectable: boolean;
  derivative_of?: string | null;
  direct_inputs?: string[] | null;
}

export type Flags = Record<string, string | number | boolean | null>;

export interface Fmu extends Omit<FmuRow, "interfaces"> {
  description: string | null;
  generation_tool: string | null;
  interfaces: { co_simulation: Flags | null; model_exchange: Flags | null };
  integrators: string[];
  inputs: Port[];
  outputs: Port[];
  parameters: Variable[];
  continuous_states: number;
  event_indicators: number;
  default_experiment: {
    start_s: number | null;
    stop_s: number | null;
    tolerance: number | null;
    step_size_s: number | null;
  };
  notes: string[];
}

export function fetch_fmus(
  after: string | null,
  limit = rows_of_page,
): Promise<{ fmus: FmuRow[]; next: string | null }> {
  const query = after === null ? "" : `&after=${encodeURIComponent(after)}`;
  return request(`/fmus?limit=${limit}${query}`);
}

export function fetch_fmu(sha256: string): Promise<Fmu> {
  return request(`/fmus/${encodeURIComponent(sha256)}`);
}

export function delete_fmu(sha256: string): Promise<null> {
  return request(`/fmus/${encodeURIComponent(sha256)}`, { method: "DELETE" });
}

export interface Upload {
  done: Promise<Fmu>;
  abort: () => void;
}

/**
 * The file's bytes as the body. XMLHttpRequest, as fetch tells no progress of what is sent; no time
 * limit, as a gigabyte may take its time: whoever waits can abort.
 */
export function upload_fmu(file: File, progress: (share: number) => void): Upload {
  const http = new XMLHttpRequest();
  const done = new Promise<Fmu>((resolve, reject) => {
    http.open("POST", `/api/v1/fmus?name=${encodeURIComponent(file.name)}`);
    http.setRequestHeader("Content-Type", "application/octet-stream");
    http.upload.onprogress = (event) => progress(event.total > 0 ? event.loaded / event.total : 0);
    http.onload = () => {
      note_status(http.status);
      let body: unknown = null;
      try {
        body = JSON.parse(http.responseText);
      } catch {
        // said below
      }
      if (http.status >= 200 && http.status < 300 && body !== null) resolve(body as Fmu);
      else reject(problem_error(http.status, body));
    };
    http.onerror = () =>
      reject(new ApiError("The server ended the connection, or cannot be reached.", 0));
    http.onabort = () => reject(new ApiError("Cancelled.", 0));
    http.send(file);
  });
  return { done, abort: () => http.abort() };
}
