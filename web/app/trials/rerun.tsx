// Running a trial again, here or by the command line, and whether the result is the stored one.
import { useEffect, useRef, useState } from "preact/hooks";
import { message_of } from "../api/api";
import { rerun_trial } from "../api/trial_api";
import type { Outcome, Rerun, Trial } from "../api/trial_types";
import type { Job, Search } from "../api/types";
import { CopyButtons } from "../parts/copy_as";
import { Message } from "../parts/parts";
import { run_text } from "../text/copy_text";
import { count, duration, joules, ratio } from "../text/format";
import { status_words, word } from "../text/names";

const rows: [string, string, (value: number) => string][] = [
  ["residual_J", "Residual energy E", joules],
  ["startup_residual_J", "of the start-up", joules],
  ["transmitted_J", "Transmitted energy", joules],
  ["relative_residual", "Relative residual", ratio],
  ["macro_steps", "Macro-steps", count],
  ["rhs_evaluations", "Right-hand sides", count],
  ["cost", "Right-hand sides × weight", count],
  ["wall_s", "Time", duration],
  ["event_delay_s", "Event later by", duration],
];

export function RerunSection({ search, trial }: { search: Search; trial: Trial }) {
  const [busy, set_busy] = useState(false);
  const [answer, set_answer] = useState<Rerun | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const wanted = useRef(true);
  useEffect(() => {
    wanted.current = true;
    return () => {
      wanted.current = false; // asks no more whether it is its turn
    };
  }, []);
  async function run() {
    set_busy(true);
    set_error(null);
    try {
      set_answer(await rerun_trial(search.id, trial.id, () => wanted.current));
    } catch (failure) {
      set_error(message_of(failure));
    }
    set_busy(false);
  }
  return (
    <section aria-labelledby="rerun-title">
      <h2 id="rerun-title">Run again</h2>
      <p class="prose">
        Runs this trial once more with the same settings and compares the result with the stored one
        to the last bit. Nothing is stored.
      </p>
      <p>
        <button type="button" onClick={run} disabled={busy}>
          {busy ? "Running …" : "Run this trial again"}
        </button>
      </p>
      {error && <Message kind="error">{error}</Message>}
      {answer && <Result answer={answer} />}
      <Command job={search.job} trial={trial} />
    </section>
  );
}

/** Runs the trial without a server; none where it needs FMUs, which only the server has. */
function Command({ job, trial }: { job: Job; trial: Trial }) {
  const text = run_text(job, trial);
  if (text === null) return null;
  return (
    <details class="card">
      <summary>Command line</summary>
      <div class="job-text">
        <CopyButtons ways={[{ name: "command line", text: () => text }]} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
        <pre tabIndex={0}>{text}</pre>
      </div>
    </details>
  );
}

function Result({ answer }: { answer: Rerun }) {
  return (
    <>
      <Message kind={answer.identical ? "note" : "warning"}>
        {answer.identical
          ? "The result is identical to the stored one."
          : `The result differs from the stored one in ${answer.differing.map(word).join(", ")}.`}{" "}
        {answer.same_build === false && "The search was made by another build of macrostep. "}
        {answer.same_math_class === false &&
          "This machine's arithmetic is not that of the search: last bits may differ."}
      </Message>
      <table class="list outcome">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Stored
            </th>
            <th scope="col" class="number">
              Run again
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">End</th>
            <td class="number" data-label="Stored">
              {end_of(answer.stored)}
            </td>
            <td class="number" data-label="Again">
              {end_of(answer.rerun)}
            </td>
          </tr>
          {rows.map(([name, title, text]) => (
            <tr key={name} class={answer.differing.includes(name) ? "differs" : ""}>
              <th scope="row">{title}</th>
              {[answer.stored, answer.rerun].map((one, n) => (
                <td key={n} class="number" data-label={n === 0 ? "Stored" : "Again"}>
                  {typeof one[name] === "number" ? text(one[name]) : "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function end_of(outcome: Outcome): string {
  const status = String(outcome.status);
  return status_words[status] ?? word(status);
}
