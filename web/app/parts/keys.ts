// The page's keys: who has which now, and one listener for all. A key is one character, or two after
// one another ("g s"). They can be switched off: speech input types characters too.
import { useEffect, useRef } from "preact/hooks";

export interface Key {
  keys: string;
  text: string; // what it does, for the sheet
  run: () => void;
}

interface Section {
  title: string;
  keys: Key[];
}

const second_key_ms = 1_500;
const mark = "macrostep.keys"; // in the browser's storage: "off"
const sections = new Set<{ current: Section }>();
let begun: { key: string; at: number } | null = null;

export function all_keys(): Section[] {
  return [...sections].map((one) => one.current);
}

export function are_keys_on(): boolean {
  try {
    return localStorage.getItem(mark) !== "off";
  } catch {
    return true; // no storage: they cannot be switched off for long
  }
}

export function switch_keys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(mark);
    else localStorage.setItem(mark, "off");
  } catch {
    // as above
  }
}

/** What is to be done after a key; `known` in the order of their sections. */
export function find_key(known: Key[], first: string | null, key: string): Key | "wait" | null {
  const typed = first === null ? key : `${first} ${key}`;
  const found = known.find((one) => one.keys === typed);
  if (found) return found;
  return first === null && known.some((one) => one.keys.startsWith(`${key} `)) ? "wait" : null;
}

function is_typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type);
}

function on_key(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length !== 1 || is_typing(event.target)) return;
  if (!are_keys_on() || document.querySelector("dialog[open]")) return;
  const first = begun && event.timeStamp - begun.at < second_key_ms ? begun.key : null;
  begun = null;
  const known = all_keys().flatMap((one) => one.keys);
  const found = find_key(known, first, event.key) ?? find_key(known, null, event.key);
  if (found === null) return;
  event.preventDefault();
  if (found === "wait") begun = { key: event.key, at: event.timeStamp };
  else found.run();
}

/** The keys of a part of the page while it is shown. */
export function use_keys(title: string, keys: Key[]): void {
  const section = useRef<Section>({ title, keys });
  section.current = { title, keys };
  useEffect(() => {
    if (sections.size === 0) window.addEventListener("keydown", on_key);
    sections.add(section);
    return () => {
      sections.delete(section);
      if (sections.size === 0) window.removeEventListener("keydown", on_key);
    };
  }, []);
}
