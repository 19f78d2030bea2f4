// Submitting a form's job: what was answered, and what every form has at its end.
import { useMemo, useRef, useState } from "preact/hooks";
import { ApiError, message_of, submit } from "./api";
import { Checks, type Errors } from "./form_fields";
import { count } from "./format";
import type { size_of } from "./job_form";
import { extrapolation_long, extrapolation_note, extrapolation_short } from "./names";
import { address, navigate } from "./route";
import type { FieldError, Job } from "./types";

export const offered_extrapolations = ["0", "1", "2", "3", "4", "i1", "i2"];

export interface Sent {
  message: string | null;
  errors: FieldError[];
}

function new_key(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `in_words`: the server's errors as a reader of the form understands them. */
export function use_submission(job: Job, in_words: (errors: FieldError[]) => FieldError[]) {
  const [sent, set_sent] = useState<Sent>({ message: null, errors: [] });
  const [busy, set_busy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const key = useMemo(new_key, [job]); // a changed job is another submission

  async function on_submit(event: Event) {
    event.preventDefault();
    set_busy(true);
    try {
      const answer = await submit(job, key);
      navigate(address({ search: answer.id }));
    } catch (failure) {
      set_sent({
        message: message_of(failure),
        errors: failure instanceof ApiError ? in_words(failure.errors) : [],
      });
      set_busy(false);
      // Bring the reason into view, whatever part of the form is on the screen.
      requestAnimationFrame(() => summary.current?.focus());
    }
  }
  return { sent, busy, summary, on_submit };
}

export function Extrapolations(props: {
  names: string[];
  chosen: string[];
  errors: Errors;
  on_change: (names: string[]) => void;
}) {
  return (
    <Checks
      id="extrapolation"
      legend="Extrapolation of the inputs"
      errors={props.errors}
      chosen={props.chosen}
      options={props.names.map((name) => ({
        name,
        label: extrapolation_short(name),
        title: extrapolation_long(name),
        note: extrapolation_note(name),
      }))}
      on_change={props.on_change}
    />
  );
}

export function Size({ size, tests }: { size: ReturnType<typeof size_of>; tests: number }) {
  return (
    <p class="muted" role="status">
      {count(size.configurations)} configurations × {count(tests)} tests = {count(size.curves)}{" "}
      curves
      {size.trials !== null && `, at most ${count(size.trials)} trials`}
    </p>
  );
}
