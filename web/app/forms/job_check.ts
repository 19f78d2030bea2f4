// What a job that is being typed would cost, and its mistakes: a dry run of the server, asked when
// typing pauses. Never more than one request is under way, and only the newest job's answer counts.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, message_of, request } from "../api/api";
import type { FieldError, Job } from "../api/types";

export const check_delay_ms = 350;

/** What a search will cost; `null`: not known. */
export interface CostEstimate {
  trials_max: number | null;
  trials_expected: number | null;
  seconds_expected: number | null;
  seconds_max: number | null;
  threads: number;
}

export interface SearchCheck {
  configurations: number;
  curves: number;
  estimate: CostEstimate;
  job: Job;
}

/** What is known of `job`; `job` null: nothing yet. */
export interface Checked<A> {
  job: Job | null;
  answer: A | null;
  errors: FieldError[];
  message: string | null; // why nothing is known: no answer at all
}

const unchecked = { job: null, answer: null, errors: [], message: null };

export class JobCheck<A> {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #wanted: Job | null = null;
  #asked: Job | null = null;
  #closed = false;

  constructor(
    private readonly ask: (job: Job) => Promise<A>,
    private readonly tell: (checked: Checked<A>) => void,
  ) {}

  /** null: nothing is to be asked, and an answer on its way is dropped. */
  want(job: Job | null): void {
    this.#wanted = job;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = job === null ? null : setTimeout(() => this.#start(), check_delay_ms);
  }

  close(): void {
    this.#closed = true;
    this.want(null);
  }

  async #start(): Promise<void> {
    this.#timer = null;
    const job = this.#wanted;
    if (job === null || this.#asked !== null || this.#closed) return; // asked again at its end
    this.#asked = job;
    const checked = await this.ask(job).then(
      (answer): Checked<A> => ({ job, answer, errors: [], message: null }),
      (failure): Checked<A> => failed(job, failure),
    );
    this.#asked = null;
    if (this.#closed) return;
    if (this.#wanted === job) this.tell(checked);
    else if (this.#timer === null) this.#start();
  }
}

function failed(job: Job, failure: unknown): Checked<never> {
  const errors = failure instanceof ApiError ? failure.errors : [];
  const message = errors.length > 0 ? null : message_of(failure);
  return { job, answer: null, errors, message };
}

/** `job` null: it cannot be sent as it is. */
export function use_check<A>(job: Job | null, path: "/searches" | "/analyses"): Checked<A> {
  const [checked, set_checked] = useState<Checked<A>>(unchecked);
  const check = useRef<JobCheck<A> | null>(null);
  useEffect(() => {
    const ask = (one: Job) =>
      request<A>(`${path}?dry_run=true`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(one),
      });
    const started = new JobCheck<A>(ask, set_checked);
    check.current = started;
    return () => started.close();
  }, [path]);
  useEffect(() => check.current?.want(job), [job, path]);
  return checked;
}
