// Why this configuration and not another: the next best ones with what limits them.

import type { Recommendation } from "../../api/types";
import { macro_step_text, percent, plural } from "../../text/format";
import { test_title } from "../../text/names";
import { configurations_text } from "../answer/answer_text";
import { type Ranking, runners_up, unusable_causes } from "./usable";

const most_rows = 4;

interface Props {
  ranking: Ranking;
  answer: Recommendation;
  meanings: Record<string, string>;
  real_time: boolean; // the job limits the time of a macro-step
}

export function RunnersUp({ ranking, answer, meanings, real_time }: Props) {
  const rows = runners_up(ranking, answer, meanings, most_rows);
  if (!rows) return <NoRanking real_time={real_time} by_paper={answer.rule === "paper"} />;
  if (rows.length === 0 && ranking.unusable.length === 0) return null;
  const none = unusable_causes(ranking, meanings).slice(0, most_rows);
  return (
    <section aria-labelledby="runners-title">
      <h2 id="runners-title">Why not another</h2>
      {rows.length > 0 && (
        <table class="list runners">
          <thead>
            <tr>
              <th scope="col" class="number">
                H at the most
              </th>
              <th scope="col">Configuration</th>
              <th scope="col">Limited by</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.macro_step_s} ${row.cause}`}>
                <th scope="row" class="number" data-label="H">
                  <span>
                    {macro_step_text(row.macro_step_s)}
                    <span class="muted block">
                      {percent(1 - row.macro_step_s / answer.macro_step_s)} less
                    </span>
                  </span>
                </th>
                <td data-label="Which">
                  {configurations_text(row.configurations).map((text) => (
                    <span key={text} class="block">
                      {text}
                    </span>
                  ))}
                </td>
                <td data-label="Limit">
                  <span>
                    {row.tests.map(test_title).join(", ")}
                    <span class="muted block">{row.cause}</span>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {none.map((group) => (
        <p key={group.cause} class="muted">
          {plural(group.count, "configuration")} without any H left, as{" "}
          {configurations_text([group.configuration]).join()} in {test_title(group.test)}.{" "}
          {group.cause}
        </p>
      ))}
    </section>
  );
}

/** Why others cannot be listed by their H: it was not the largest H that decided. */
function NoRanking({ real_time, by_paper }: { real_time: boolean; by_paper: boolean }) {
  return (
    <section aria-labelledby="runners-title">
      <h2 id="runners-title">Why not another</h2>
      <p class="muted">
        {by_paper
          ? "The paper’s rule takes the smallest row of the table; it does not compare configurations " +
            "over all tests."
          : real_time
            ? "The largest H did not decide: the job limits the time of a macro-step, and this H keeps " +
              "the limit as measured. “Time of a macro-step” below shows what the others took."
            : "By the rules of today these curves would lead to another answer than the one that was " +
              "stored. Run the search again to see what comes after it."}
      </p>
    </section>
  );
}
