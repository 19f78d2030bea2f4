// What is drawn upon the curves of a figure: region, bend, cliff, limit of stability and fit of the
// highlighted one, the recommended H, the limit of the job.

import { rounded_down, scientific, significant } from "../../text/format";
import type { FitLine, Sample } from "./fit_line";
import { band_height, type Plot, type PlotSeries } from "./plot_model";

const mark_label_width = 62; // of “cliff 1.234” or “slope 2.61” in its font
const mark_label_height = 15;
const end_label_width = 40;

/** Linear region, bend, cliff, limit of stability and fitted line of the highlighted curve. */
export function Marks({
  plot,
  shown,
  line,
}: {
  plot: Plot;
  shown: PlotSeries;
  line: FitLine | null;
}) {
  const { frame } = plot;
  const { curve } = shown;
  const bend = curve.bend_s === null ? null : plot.x(curve.bend_s);
  const cliff = curve.cliff_s === null ? null : plot.x(curve.cliff_s);
  const stable = curve.stability_limit_s == null ? null : plot.x(curve.stability_limit_s);
  const base = frame.bottom - 7;
  // Near the right edge the cliff's label has room only on the other side, above the bend's.
  const cliff_is_last = cliff !== null && cliff + mark_label_width > frame.width;
  return (
    <g class={`marks ${shown.series.colour}`}>
      {bend !== null && (
        <>
          <rect
            class="region"
            x={frame.left}
            y={frame.top}
            width={Math.max(0, bend - frame.left)}
            height={frame.bottom - frame.top}
          />
          <path class="bend-line" d={`M${bend} ${frame.top}V${frame.bottom}`} />
          <MarkLabel
            x={bend - 5}
            y={base}
            anchor="end"
            text={`bend ${significant(curve.bend_s! * 1e3, 4)}`}
          />
        </>
      )}
      {cliff !== null && (
        <>
          <path class="cliff-line" d={`M${cliff} ${frame.top - band_height - 4}V${frame.bottom}`} />
          <MarkLabel
            x={cliff_is_last ? cliff - 5 : cliff + 5}
            y={cliff_is_last ? base - mark_label_height : base}
            anchor={cliff_is_last ? "end" : "start"}
            text={`cliff ${significant(curve.cliff_s! * 1e3, 4)}`}
          />
        </>
      )}
      {stable !== null && stable >= frame.left && stable <= frame.width && (
        <>
          <path class="stable-line" d={`M${stable} ${frame.top}V${frame.bottom}`} />
          <MarkLabel
            x={stable - 5}
            y={base - 2 * mark_label_height}
            anchor="end"
            text={`stable to ${significant(curve.stability_limit_s! * 1e3, 4)}`}
          />
        </>
      )}
      {line && line.fitted.length > 1 && <FittedLine plot={plot} line={line} />}
    </g>
  );
}

function MarkLabel(props: { x: number; y: number; anchor: "start" | "end"; text: string }) {
  return (
    <text class="mark-label" x={props.x} y={props.y} text-anchor={props.anchor}>
      {props.text}
    </text>
  );
}

/** A drawing of its own, which cuts off what leaves the area. */
function FittedLine({ plot, line }: { plot: Plot; line: FitLine }) {
  const { frame } = plot;
  const path = (samples: Sample[]) =>
    samples
      .map(
        ([h, energy], n) =>
          `${n === 0 ? "M" : "L"}${plot.x(h).toFixed(1)} ${plot.y(energy).toFixed(1)}`,
      )
      .join("");
  const [width, height] = [frame.right - frame.left, frame.bottom - frame.top];
  const [h = 0, energy = 1] = line.fitted[0] ?? [];
  const lowest_label = frame.bottom - 7 - 2 * mark_label_height; // above those of bend and cliff
  const label_x = Math.min(plot.x(h) + 10, frame.right - mark_label_width);
  const label_y = Math.max(
    frame.top + mark_label_height,
    Math.min(plot.y(energy) + 16, lowest_label),
  );
  // Where names of curves stand already, the text below the figure has to do.
  const is_free = plot.end_labels.every(
    (label) =>
      Math.abs(label.y - label_y) > mark_label_height ||
      label.x > label_x + mark_label_width ||
      label.x + end_label_width < label_x,
  );
  return (
    <>
      <svg
        x={frame.left}
        y={frame.top}
        width={width}
        height={height}
        viewBox={`${frame.left} ${frame.top} ${width} ${height}`}
        aria-hidden="true"
      >
        <path class="fit" d={path(line.fitted)} />
        <path class="fit continued" d={path(line.continued)} />
      </svg>
      {is_free && (
        <MarkLabel
          x={label_x}
          y={label_y}
          anchor="start"
          text={`slope ${significant(line.slope, 3)}`}
        />
      )}
    </>
  );
}

/** Across the figure of relative residuals: the limit that the job sets. */
export function Limit({ plot, value }: { plot: Plot; value: number }) {
  const { frame } = plot;
  const y = plot.y(value);
  if (y < frame.top || y > frame.bottom) return null;
  return (
    <g class="limit">
      <path class="cliff-line" d={`M${frame.left} ${y}H${frame.right}`} />
      <MarkLabel x={frame.left + 5} y={y - 5} anchor="start" text={`limit ${scientific(value)}`} />
    </g>
  );
}

export function RecommendedStep({ plot, macro_step_s }: { plot: Plot; macro_step_s: number }) {
  const x = plot.x(macro_step_s);
  if (x < plot.frame.left || x > plot.frame.right) return null;
  return (
    <g class="recommended">
      <path d={`M${x} ${plot.frame.bottom}l-5 8h10z`} />
      <title>{`Recommended H = ${rounded_down(macro_step_s * 1e3, 3)} ms`}</title>
    </g>
  );
}
