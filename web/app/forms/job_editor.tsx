// The job beside the form, as JSON that can be typed: both say the same at any time.

import "../style/job_editor.css";
import { useState } from "preact/hooks";
import type { Job } from "../api/types";
import { CopyAs } from "../parts/copy_as";
import { Link, Message } from "../parts/parts";
import { address } from "../parts/route";
import { as_sentence, count, duration, plural } from "../text/format";
import type { Errors } from "./form_fields";
import type { Checked, CostEstimate, SearchCheck } from "./job_check";
import { job_text, type ReadJob, read_job } from "./job_text";

/** What was typed as JSON last, until the form is changed again. */
interface TypedJob extends ReadJob {
  text: string;
}

/**
 * `built`: the job of the form. What is typed goes before it, to the letter. `start`: a job that
 * the form cannot show, as if it had been typed.
 */
export function use_typed(built: Job, fill: (job: Job) => void, start: Job | null = null) {
  const [typed, set_typed] = useState<TypedJob | null>(
    () => start && { text: job_text(start), job: start, mistake: null },
  );
  return {
    typed,
    job: typed?.job ?? built,
    forget: () => set_typed(null), // the form has been changed
    type: (text: string) => {
      const read = read_job(text);
      set_typed({ ...read, text });
      if (read.job) fill(read.job);
    },
  };
}

/** Instead of the fields of a form of built-in problems. */
export function OwnProblemNote({ is_search = false }: { is_search?: boolean }) {
  return (
    <Message kind="note">
      This job brings its problem along, which this form cannot show.{" "}
      {is_search && (
        <>
          Pasted there, <Link to={address({ own: "" })}>the form of one's own problem</Link> shows
          it.{" "}
        </>
      )}
      It can be changed as JSON and sent as it is; choose a problem above to begin anew.
    </Message>
  );
}

export function JobEditor(props: {
  job: Job;
  typed: TypedJob | null;
  errors: Errors; // those under "" have no field but this one
  on_type: (text: string) => void;
}) {
  const text = props.typed?.text ?? job_text(props.job);
  const mistake = props.typed?.mistake ?? null;
  const others = props.errors.get("") ?? [];
  const wrong = mistake !== null || others.length > 0;
  return (
    <aside class={`card job-editor${wrong ? " wrong" : ""}`} aria-labelledby="job-title">
      <div class="job-head">
        <h2 id="job-title">Job as JSON</h2>
        <CopyAs job={props.job} />
      </div>
      <p class="muted" id="job-hint">
        What you change here changes the form, and the other way round.
      </p>
      <textarea
        id="job"
        spellcheck={false}
        autocomplete="off"
        value={text}
        aria-labelledby="job-title"
        aria-describedby={wrong ? "job-hint error-job" : "job-hint"}
        aria-invalid={wrong}
        onInput={(event) => props.on_type(event.currentTarget.value)}
      />
      <ul class="field-errors" id="error-job" aria-live="polite">
        {mistake !== null && <li>{as_sentence(mistake)}</li>}
        {others.map((error, n) => (
          <li key={n}>
            <code>{error.pointer || "/"}</code> {as_sentence(error.detail)}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** "about 315 trials (at most 4 563), about 0.33 s on 1 thread" */
function cost_text(estimate: CostEstimate): string {
  const { trials_expected, trials_max, seconds_expected, seconds_max } = estimate;
  const parts: string[] = [];
  if (trials_expected !== null && trials_max !== null)
    parts.push(`about ${count(trials_expected)} trials (at most ${count(trials_max)})`);
  else if (trials_max !== null) parts.push(`at most ${count(trials_max)} trials`);
  const threads = `on ${plural(estimate.threads, "thread")}`;
  if (seconds_expected !== null) parts.push(`about ${duration(seconds_expected)} ${threads}`);
  else if (seconds_max !== null) parts.push(`at most ${duration(seconds_max)} ${threads}`);
  return parts.join(", ");
}

/** What the job stands for, as the server counts it; a form's own count until then. */
export function SearchSize(props: {
  job: Job;
  checked: Checked<SearchCheck>;
  counted: { configurations: number; tests: number; curves: number };
  blocked: string | null; // why nothing can be asked
}) {
  const { checked, counted } = props;
  const known = checked.job === props.job;
  const answer = known ? checked.answer : null;
  const configurations = answer?.configurations ?? counted.configurations;
  const curves = answer?.curves ?? counted.curves;
  const tests = answer ? Math.round(curves / Math.max(1, configurations)) : counted.tests;
  const mistakes = known ? checked.errors.length : 0;
  return (
    <p class="muted size" role="status">
      {plural(configurations, "configuration")} × {plural(tests, "test")} ={" "}
      {plural(curves, "curve")}
      {answer
        ? `; ${cost_text(answer.estimate)}`
        : (props.blocked ??
          (known
            ? mistakes > 0
              ? `; ${plural(mistakes, "mistake")} to fix`
              : `; ${checked.message ?? ""}`
            : "; …"))}
    </p>
  );
}
