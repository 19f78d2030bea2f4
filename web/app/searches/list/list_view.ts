// What the list of searches shows, as its address says it, and as the API is asked for it.
import { rows_of_page } from "../../api/api";
import type { Status } from "../../api/types";
import { listed } from "../../parts/route";

export interface ListView {
  status: string; // one or several, with commas between; "" is any
  problem: string;
  tag: string; // several with commas between: all of them
  name: string; // a part of it
  since: string; // days of UTC, so that a link shows the same everywhere; both included
  until: string;
  sort: string;
  after: string | null;
  selected: string[]; // for a comparison
  open: string | null; // the row whose details are shown
}

export const most_compared = 20; // what the API compares at once
export const newest_first = "-created_at";

const day_ms = 86_400_000;
const filters = ["status", "problem", "tag", "name", "since", "until"] as const;

export const sorts: [string, string][] = [
  [newest_first, "Newest first"],
  ["created_at", "Oldest first"],
  ["-finished_at", "Last to end first"],
  ["finished_at", "First to end first"],
  ["name", "Name, A to Z"],
  ["-name", "Name, Z to A"],
];

export const states: [string, string][] = [
  ["", "Any"],
  ["queued,running", "Queued or running"],
  ["succeeded", "Succeeded"],
  ["failed,cancelled,interrupted", "Ended without success"],
  ["queued", "Queued"],
  ["running", "Running"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"],
  ["interrupted", "Interrupted"],
];

export function list_view(route: URLSearchParams): ListView {
  const text = (name: string) => route.get(name) ?? "";
  return {
    status: text("status"),
    problem: text("problem"),
    tag: text("tag"),
    name: text("name"),
    since: text("since"),
    until: text("until"),
    sort: text("sort") || newest_first,
    after: route.get("after"),
    selected: listed(route, "select"),
    open: route.get("open"),
  };
}

export function is_filtered(view: ListView): boolean {
  return filters.some((name) => view[name] !== "");
}

/** The start of a day of UTC, moved by some ms; what is no day goes as it is, to be refused. */
function moment(day: string, shift_ms: number): string {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? day : new Date(start + shift_ms).toISOString();
}

/** The query of GET /searches. */
export function api_query(view: ListView): string {
  const query = new URLSearchParams({ limit: String(rows_of_page) });
  const add = (name: string, value: string) => value !== "" && query.set(name, value);
  add("status", view.status);
  add("problem", view.problem);
  add("tag", tags_in(view.tag).join(","));
  add("name", view.name);
  if (view.since !== "") add("created_after", moment(view.since, -1));
  if (view.until !== "") add("created_before", moment(view.until, day_ms));
  if (view.sort !== newest_first) add("sort", view.sort);
  add("after", view.after ?? "");
  return query.toString();
}

/** Parameters of an address with other ones; a page further on belongs to its filters and order. */
export function address_of(view: ListView, changes: Partial<ListView>): Record<string, string> {
  const next = { ...view, ...changes };
  const all = {
    status: next.status,
    problem: next.problem,
    tag: next.tag,
    name: next.name,
    since: next.since,
    until: next.until,
    sort: next.sort === newest_first ? "" : next.sort,
    after: next.after ?? "",
    select: next.selected.join(","),
    open: next.open ?? "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** "crane,  thesis," → ["crane", "thesis"] */
export function tags_in(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** Time between start and end, or until now; null before the start. */
export function seconds_taken(
  search: { started_at: string | null; finished_at: string | null; status: Status },
  now: number,
): number | null {
  if (search.started_at === null) return null;
  const is_running = search.status === "running";
  if (!is_running && search.finished_at === null) return null;
  const end = is_running ? now : Date.parse(search.finished_at ?? "");
  const seconds = (end - Date.parse(search.started_at)) / 1e3;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
