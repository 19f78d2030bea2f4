// What the checks of a recommended run said, and how often such a recommendation was right.

import type { Check, Recommendation } from "../../api/types";
import { as_sentence, percent, significant } from "../../text/format";
import { verdict_words } from "../../text/names";

const questions: Record<string, string> = {
  growth: "Does anything grow after a jump, with 1.1 H?",
  change: "Does it change with a quarter of H?",
  swing: "Does it swing farther than with a quarter of H?",
  unseen: "Does it hold under unseen inputs?",
};

/** "factor 1.01, at most 2"; of a rate "−0.2 per s, at most 0"; of an NRMSE "12 %, at most 50 %". */
export function measured(check: Check): string {
  if (check.value === null || check.limit === null) return "";
  const number = (value: number) => significant(value, 3);
  // What is known of a rate may reach above the limit and still be too little to count.
  if (check.check === "growth" && check.verdict === "agrees" && check.value > check.limit)
    return `${number(check.value)} per s, too slow to count as growth`;
  if (check.check === "growth")
    return `${number(check.value)} per s, at most ${number(check.limit)}`;
  if (check.check === "swing")
    return `factor ${number(check.value)}, at most ${number(check.limit)}`;
  return `${percent(check.value)}, at most ${percent(check.limit)}`;
}

export function Checks({ answer }: { answer: Recommendation }) {
  const { checks = [], confidence } = answer;
  if (checks.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll checks" tabIndex={0} role="region" aria-label="Checks of this run">
        <table>
          <caption>Checks of this run</caption>
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col">Verdict</th>
              <th scope="col">Measured</th>
              <th scope="col">Where</th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <tr key={check.check}>
                <th scope="row">{questions[check.check] ?? check.check}</th>
                <td>{verdict_words[check.verdict] ?? check.verdict}</td>
                <td>{measured(check)}</td>
                <td>{check.detail && as_sentence(check.detail)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {confidence !== null && (
        <p>
          Confidence that it is stable: {percent(confidence)}, the lower end of the 95 % interval of
          those that were, of the study’s recommendations that passed the same check of stability.
        </p>
      )}
    </>
  );
}
