// Submitting a form's job: what was answered, and what every form has at its end.
import { useMemo, useRef, useState } from "preact/hooks";
import { ApiError, message_of, submit } from "../api/api";
import type { FieldError, Job } from "../api/types";
import { address, navigate } from "../parts/route";
import { extrapolation_long, extrapolation_note, extrapolation_short, word } from "../text/names";
import { Checks, type Errors } from "./form_fields";

/** As the server has them, in the order of `extrapolation_rank`. */
export const offered_extrapolations = [
  ...["0", "1", "2", "3", "4", "i1", "i2"],
  ...["least_squares", "smooth_c0", "smooth", "hermite", "adaptive"],
];
export const offered_schemes = ["jacobi", "gauss_seidel", "iterative"];
const offered_corrections = ["none", "energy", "nepce", "model_based", "linearly_implicit"];

interface Sent {
  message: string | null;
  errors: FieldError[];
  job: Job | null; // that they are about
}

function new_key(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const send_search = async (job: Job, key: string) =>
  address({ search: (await submit(job, key)).id });

/**
 * `in_words`: the server's errors as a reader of the form understands them; `send` submits and
 * tells where to go then.
 */
export function use_submission(
  job: Job,
  in_words: (errors: FieldError[]) => FieldError[],
  send: (job: Job, key: string) => Promise<string> = send_search,
) {
  const [sent, set_sent] = useState<Sent>({ message: null, errors: [], job: null });
  const [busy, set_busy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const key = useMemo(new_key, [job]); // a changed job is another submission

  async function on_submit(event: Event) {
    event.preventDefault();
    set_busy(true);
    try {
      navigate(await send(job, key));
    } catch (failure) {
      set_sent({
        message: message_of(failure),
        errors: failure instanceof ApiError ? in_words(failure.errors) : [],
        job,
      });
      set_busy(false);
      // Bring the reason into view, whatever part of the form is on the screen.
      requestAnimationFrame(() => summary.current?.focus());
    }
  }
  return { sent, busy, summary, on_submit };
}

/**
 * The mistakes of `job`: of its submission, or what a dry run says since. A submission's message
 * stays only as long as its job.
 */
export function shown_errors(
  sent: Sent,
  checked: { job: Job | null; errors: FieldError[] },
  job: Job,
): { message: string | null; errors: FieldError[] } {
  if (sent.job === job) return { message: sent.message, errors: sent.errors };
  return { message: null, errors: checked.job === null ? [] : checked.errors };
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

/** Couplings, schemes and corrections: the axes of a search that every problem has. */
export function Axes(props: {
  couplings: string[];
  chosen: { couplings: string[]; schemes: string[]; corrections: string[] };
  errors: Errors;
  change: (part: { couplings?: string[]; schemes?: string[]; corrections?: string[] }) => void;
}) {
  const { chosen, errors, change } = props;
  const options = (offered: string[], others: string[]) =>
    [...new Set([...offered, ...others])].map((name) => ({ name, label: word(name) }));
  return (
    <>
      {props.couplings.length > 1 && (
        <Checks
          id="couplings"
          legend="Coupling variables"
          errors={errors}
          chosen={chosen.couplings}
          options={options(props.couplings, chosen.couplings)}
          on_change={(couplings) => change({ couplings })}
        />
      )}
      <Checks
        id="schemes"
        legend="Schemes"
        errors={errors}
        chosen={chosen.schemes}
        options={options(offered_schemes, chosen.schemes)}
        on_change={(schemes) => change({ schemes })}
      />
      <Checks
        id="corrections"
        legend="Corrections"
        errors={errors}
        chosen={chosen.corrections}
        options={options(offered_corrections, chosen.corrections)}
        on_change={(corrections) => change({ corrections })}
      />
    </>
  );
}
