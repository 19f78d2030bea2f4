// What a user writes on a search: as it is typed, and as the API takes it.

import type { FieldError, SearchChange, Summary } from "../../api/types";
import { tags_in } from "./list_view";

export interface Written {
  name: string;
  note: string;
  tags: string;
  priority: string;
}

export function written_on(search: Summary): Written {
  return {
    name: search.name,
    note: search.note,
    tags: search.tags.join(", "),
    priority: String(search.priority),
  };
}

export function is_same(one: Written, other: Written): boolean {
  return (
    one.name === other.name &&
    one.note === other.note &&
    one.tags === other.tags &&
    one.priority === other.priority
  );
}

/** The members that differ; null where nothing does. */
export function change_of(search: Summary, written: Written): SearchChange | null {
  const change: SearchChange = {};
  if (written.name.trim() !== search.name) change.name = written.name.trim();
  if (written.note !== search.note) change.note = written.note;
  const tags = tags_in(written.tags);
  if (tags.join(",") !== search.tags.join(",")) change.tags = tags;
  // What is no number goes as it is typed: the server says what is wrong with it.
  const priority = written.priority.trim();
  if (priority !== String(search.priority)) {
    change.priority = /^[+-]?\d+$/.test(priority) ? Number(priority) : priority;
  }
  return Object.keys(change).length === 0 ? null : change;
}

/** Errors of the server by field: "/tags/2" belongs to tags; what belongs to none is under "". */
export function errors_on(errors: FieldError[]): Record<string, string[]> {
  const by_field: Record<string, string[]> = {};
  for (const { pointer, detail } of errors) {
    const member = pointer.split("/")[1] ?? "";
    const field = ["name", "note", "tags", "priority"].includes(member) ? member : "";
    by_field[field] = [...(by_field[field] ?? []), detail];
  }
  return by_field;
}
