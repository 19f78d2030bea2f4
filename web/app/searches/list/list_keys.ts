// The keys of the list of searches: they act on the row that has the focus.

import { type Key, use_keys } from "../../parts/keys";
import { address, navigate } from "../../parts/route";
import { most_compared } from "./list_view";

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("table.searches tr[data-id]")];
}

function current(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("tr[data-id]") ?? null;
}

function move(by: 1 | -1): void {
  const all = rows();
  const here = current();
  const at = here ? all.indexOf(here) + by : by > 0 ? 0 : all.length - 1;
  all[at]?.querySelector<HTMLElement>("th a")?.focus();
}

function press(what: string): void {
  current()?.querySelector<HTMLElement>(what)?.click();
}

export function use_list_keys(selected: string[]): void {
  const keys: Key[] = [
    { keys: "j", text: "To the next search", run: () => move(1) },
    { keys: "k", text: "To the previous search", run: () => move(-1) },
    { keys: "x", text: "Select it, or not", run: () => press("input[type=checkbox]") },
    { keys: "o", text: "Open or close its details", run: () => press("button[aria-expanded]") },
    {
      keys: "c",
      text: "Compare the selected searches",
      run: () => {
        if (selected.length < 2 || selected.length > most_compared) return;
        navigate(address({ compare: selected.join(",") }));
      },
    },
    {
      keys: "/",
      text: "To the filter by name",
      run: () => document.getElementById("filter-name")?.focus(),
    },
  ];
  use_keys("Searches", keys);
}
