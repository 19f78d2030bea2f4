// The recommendation in words, with a ruler that shows where H lies between safe and unstable.
import { scaleLog } from "d3-scale";
import type { Recommendation } from "../../api/types";
import { as_sentence, macro_step_text, percent, rounded_down } from "../../text/format";
import { configuration_key, configuration_short } from "../../text/names";
import {
  accuracy,
  gain_text,
  margin,
  more_of,
  real_time_text,
  sentence_parts,
  ties_text,
  verified_text,
} from "./answer_text";
import { Checks } from "./checks";
import { Notices } from "./notices";

export function Answer(props: { answer: Recommendation; sentence: string; whose: string }) {
  const { answer } = props;
  const [before, macro_step, after, why] = sentence_parts(props.sentence);
  const ties = ties_text(answer, props.whose);
  return (
    <section class="card answer" aria-labelledby="answer-title">
      <h2 id="answer-title" class="eyebrow">
        {answer.rule === "paper" ? "By the paper’s rule" : "Recommendation"}
      </h2>
      <p class="headline">
        {before}
        <strong>{macro_step}</strong>
        {after}
        {why !== "" && "."}
      </p>
      {why !== "" && <p>{as_sentence(why)}</p>}
      <Ruler answer={answer} />
      <p>
        {margin(answer)} {more_of(answer)}
      </p>
      {accuracy(answer) && <p>{accuracy(answer)}</p>}
      <Checks answer={answer} />
      {real_time_text(answer) && <p>{real_time_text(answer)}</p>}
      {gain_text(answer) && <p>{gain_text(answer)}</p>}
      {ties && <p class="muted">{ties}</p>}
      <Notices notices={answer.notices} />
    </section>
  );
}

export function PaperRule({ answer, main }: { answer: Recommendation; main: Recommendation }) {
  const same =
    configuration_key(answer) === configuration_key(main) &&
    answer.macro_step_s === main.macro_step_s;
  return (
    <section class="card aside" aria-labelledby="paper-title">
      <h2 id="paper-title" class="eyebrow">
        By the paper’s rule
      </h2>
      <p class="figure">{macro_step_text(answer.macro_step_s)}</p>
      <p>{configuration_short(answer)}</p>
      {verified_text(answer) && <p>{verified_text(answer)}</p>}
      <p class="muted">
        {as_sentence(answer.reason)}{" "}
        {same
          ? "The same answer."
          : "The recommendation compares each configuration over all tests instead."}
      </p>
      <dl>
        <div>
          <dt>Cliff</dt>
          <dd>{macro_step_text(answer.cliff_s)}</dd>
        </div>
        <div>
          <dt>Relative residual</dt>
          <dd>{answer.relative_residual === null ? "–" : percent(answer.relative_residual)}</dd>
        </div>
      </dl>
    </section>
  );
}

const ruler_width = 600; // of the view box; the drawing scales with the card

/** H, bend and cliff on one logarithmic line: linear, bent, beyond the cliff. */
function Ruler({ answer }: { answer: Recommendation }) {
  const h = answer.macro_step_s;
  const bend = answer.bend_s ?? h;
  const limit = answer.stability_limit_s ?? null;
  const end = Math.max(answer.cliff_s ?? bend, limit ?? bend, bend, h) * 1.9;
  const x = scaleLog()
    .domain([h / 5, end])
    .range([0, ruler_width]);
  const cliff = answer.cliff_s;
  const last = cliff ?? limit;
  const text = (seconds: number) => String(rounded_down(seconds * 1e3, 3));
  const share = (value: number) => `${((x(value) / ruler_width) * 100).toFixed(2)}%`;
  return (
    <div class="ruler" aria-hidden="true">
      <svg viewBox={`0 0 ${ruler_width} 14`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="linear" x="0" y="0" width={x(bend)} height="14" />
        <rect
          class={answer.bend_s === null ? "untried" : "bent"}
          x={x(bend)}
          y="0"
          width={(cliff ? x(cliff) : ruler_width) - x(bend)}
          height="14"
        />
        {cliff !== null && (
          <rect class="unstable" x={x(cliff)} y="0" width={ruler_width - x(cliff)} height="14" />
        )}
        {limit !== null && <path class="limit" d={`M${x(limit)} 0V14`} />}
      </svg>
      <div class="ruler-labels">
        <i style={{ left: share(h) }} />
        <span class="at-h" style={{ left: share(h) }}>
          H {text(h)}
        </span>
        {last !== null && (
          <>
            <i style={{ left: share(last) }} />
            <span class="at-cliff" style={{ "--at": share(last) }}>
              {[
                ...(cliff !== null ? [`cliff ${text(cliff)}`] : []),
                ...(limit !== null ? [`limit\u00a0${text(limit)}`] : []),
              ].join(", ")}
            </span>
          </>
        )}
      </div>
      <div class="ruler-zones">
        <span>linear</span>
        <span>
          {cliff !== null
            ? "beyond the cliff"
            : answer.bend_s === null
              ? "not tried"
              : "beyond the bend"}
        </span>
      </div>
    </div>
  );
}
