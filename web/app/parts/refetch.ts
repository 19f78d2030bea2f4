// Asking the server again for what it sends no events about: analyses, and chunks of a search.
import { useEffect, useRef } from "preact/hooks";

const refetch_ms = 1000;

/** Asks again and again while `busy`, a while after each answer. */
export function use_refetch(load: () => Promise<void>, busy: boolean): void {
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!busy) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let ended = false;
    const next = () => {
      timer = setTimeout(async () => {
        if (!document.hidden) await latest.current();
        if (!ended) next();
      }, refetch_ms);
    };
    next();
    return () => {
      ended = true;
      if (timer !== null) clearTimeout(timer);
    };
  }, [busy]);
}
