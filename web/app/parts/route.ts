// The address holds all view state: /, /?new=PROBLEM, /?search=ID&pick=…&without=…, /?search=ID&trial=N&t=…
import { useEffect, useState } from "preact/hooks";

const change = "macrostep:route";

export function address(parameters: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "/" : `/?${text}`;
}

/** The address of the trial at a point of a curve. */
export function trial_address(search: string, point: { trial_id: number }): string {
  return address({ search, trial: String(point.trial_id) });
}

/** What a parameter names, with commas between, each once. */
export function listed(route: URLSearchParams, name: string): string[] {
  const parts = (route.get(name) ?? "").split(",");
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** With the value where it was missing, without it where it was there. */
export function toggled<T>(list: T[], value: T): T[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}

/** Toggles a value of a list in the address; `now`: the values that it has. */
export function toggle_view<T extends string | number>(name: string, now: T[], value: T): void {
  const next = toggled(now, value);
  update_view({ [name]: next.length === 0 ? null : next.join(",") });
}

/** `replace`: the address that led here is none to go back to. */
export function navigate(to: string, how: "push" | "replace" = "push"): void {
  if (how === "replace") history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  window.dispatchEvent(new Event(change));
  window.scrollTo(0, 0);
}

/** Changes part of the view state in place; null removes a parameter. */
export function update_view(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(null, "", text === "" ? "/" : `/?${text}`);
  window.dispatchEvent(new Event(change));
}

export function use_route(): URLSearchParams {
  const [text, set_text] = useState(location.search);
  useEffect(() => {
    const listen = () => set_text(location.search);
    window.addEventListener("popstate", listen);
    window.addEventListener(change, listen);
    return () => {
      window.removeEventListener("popstate", listen);
      window.removeEventListener(change, listen);
    };
  }, []);
  return new URLSearchParams(text);
}

/** Plain left clicks stay on the page; everything else (new tab, download) is the browser's. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
