// Small pieces that several pages share.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Progress, Status } from "../api/types";
import { json_text } from "../text/copy_text";
import { age } from "../text/format";
import { CopyAs } from "./copy_as";
import { address, follow } from "./route";

const refetch_ms = 1000; // of analyses and chunks, which send no events

export function Link(props: {
  to: string;
  class?: string;
  title?: string;
  current?: boolean;
  children: ComponentChildren;
}) {
  return (
    <a
      href={props.to}
      class={props.class ?? ""}
      onClick={follow}
      {...(props.title ? { title: props.title } : {})}
      {...(props.current ? { "aria-current": "page" as const } : {})}
    >
      {props.children}
    </a>
  );
}

export function StatusPill({ status }: { status: Status }) {
  return <span class={`pill ${status}`}>{status}</span>;
}

export function Message(props: {
  kind: "error" | "warning" | "note";
  children: ComponentChildren;
}) {
  return (
    <div class={`message ${props.kind}`} role={props.kind === "error" ? "alert" : "status"}>
      {props.children}
    </div>
  );
}

export function ProgressBar({ progress, label }: { progress: Progress; label: string }) {
  const total = Math.max(1, progress.curves_total);
  return <progress max={total} value={Math.min(progress.curves_done, total)} aria-label={label} />;
}

export function Age({ time, now }: { time: string; now: number }) {
  return (
    <time dateTime={time} title={time}>
      {age(time, now)}
    </time>
  );
}

/** The present, renewed every `interval_ms`. */
export function use_now(interval_ms: number): number {
  const [now, set_now] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set_now(Date.now()), interval_ms);
    return () => clearInterval(timer);
  }, [interval_ms]);
  return now;
}

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

export function use_title(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "macrostep" : `${title} · macrostep`;
  }, [title]);
}

export function Tags({ tags }: { tags: string[] }) {
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={address({ tag })}>{tag}</Link>
        </li>
      ))}
    </ul>
  );
}

export function JobText({ job, recommended }: { job: unknown; recommended?: string | null }) {
  return (
    <div class="job-text">
      <CopyAs job={job} recommended={recommended ?? null} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <pre tabIndex={0}>{json_text(job)}</pre>
    </div>
  );
}

/** Ways to the first and the next page of a list; null where there is none. */
export function Pager({ first, next }: { first: string | null; next: string | null }) {
  if (first === null && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first !== null && <Link to={first}>First page</Link>}
      {next !== null && <Link to={next}>Next page</Link>}
    </nav>
  );
}
