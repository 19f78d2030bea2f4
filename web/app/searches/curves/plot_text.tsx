// What stands above and below a figure: the largest H of its test, the point or curve under the cursor.

import type { Curve, TableRow } from "../../api/types";
import type { SeriesSet } from "../../figures/series";
import {
  as_sentence,
  digits_in_data,
  joules,
  macro_step_text,
  ratio,
  significant,
} from "../../text/format";
import {
  configuration_key,
  configuration_short,
  counts,
  flag_texts,
  is_remark,
  status_words,
  word,
} from "../../text/names";
import type { Hit, PlotSeries } from "./plot_model";

/** The largest H of this test as measured, which need not be the recommended one, and a way to see its curve. */
export function BestHere(props: {
  row: TableRow;
  set: SeriesSet;
  highlight: string | null;
  on_pick: (key: string) => void;
}) {
  const { row, set, highlight } = props;
  const shown = row.configurations.find((one) => configuration_key(one) === highlight);
  const one = shown ?? row.configurations[0]!;
  const key = configuration_key(one);
  const others = row.configurations.length - 1;
  const colour = set.by_key.get(key)?.colour ?? "";
  return (
    <p class="best-here">
      <svg class={`dot ${colour}`} width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4.4" />
      </svg>{" "}
      largest H:{" "}
      <button
        type="button"
        class="text"
        aria-pressed={shown !== undefined}
        onClick={() => props.on_pick(key)}
      >
        {configuration_short(one)}
      </button>
      {others > 0 && <span class="muted"> and {others} equal</span>}
      {counts(row) ? (
        <>, {macro_step_text(row.macro_step_s)}</>
      ) : (
        <span class="muted"> (not counted)</span>
      )}
    </p>
  );
}

export function HitText({ hit, others }: { hit: Hit; others: number }) {
  const { point } = hit.point;
  return (
    <>
      <Swatch colour={hit.line.series.colour} /> <b>{hit.line.series.label}</b> at H ={" "}
      {macro_step_text(point.macro_step_s, digits_in_data)}:{" "}
      {point.status === "complete"
        ? `E = ${joules(point.residual_J)}, relative ${ratio(point.relative_residual)}`
        : (status_words[point.status] ?? word(point.status))}
      .
      {others > 0 && (
        <span class="muted">
          {" "}
          {others === 1 ? "Another curve runs" : `${others} other curves run`} through this point: ↑
          ↓.
        </span>
      )}
    </>
  );
}

/** The ends of a curve, "bend 1.8 ms, no cliff in the scan". */
export function ends_text(curve: Curve): string {
  const parts = [
    curve.bend_s === null ? "no bend" : `bend ${macro_step_text(curve.bend_s)}`,
    curve.cliff_s === null ? "no cliff in the scan" : `cliff ${macro_step_text(curve.cliff_s)}`,
  ];
  if (curve.stability_limit_s != null) {
    parts.push(`exact limit of stability ${macro_step_text(curve.stability_limit_s)}`);
  }
  if (curve.rejected_from_s != null) {
    parts.push(`rejected by checks from ${macro_step_text(curve.rejected_from_s)}`);
  }
  if (curve.slope !== null) parts.push(`slope ${significant(curve.slope, 3)}`);
  return parts.join(", ");
}

export function ShownText(props: { shown: PlotSeries; meanings: Record<string, string> }) {
  const { shown, meanings } = props;
  const { curve } = shown;
  const doubts = curve.flags.filter((flag) => !is_remark(flag));
  return (
    <>
      <Swatch colour={shown.series.colour} /> <b>{shown.series.label}</b>: {ends_text(curve)}.{" "}
      {curve.reason !== "" && <span class="muted">{as_sentence(curve.reason)} </span>}
      <span class="flag">{flag_texts(doubts, meanings).join(" ")}</span>
    </>
  );
}

function Swatch({ colour }: { colour: string }) {
  return (
    <svg class={`swatch ${colour}`} width="14" height="8" aria-hidden="true">
      <path d="M0 4H14" />
    </svg>
  );
}
