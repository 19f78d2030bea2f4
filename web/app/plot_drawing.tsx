// The drawing of one residual plot, in layers: axes, lines, marks of the highlighted curve, labels.
import type { FitLine, Sample } from "./fit_line";
import { scientific, significant } from "./format";
import { extrapolation_short } from "./names";
import { band_height, type Plot, type PlotSeries, type Quantity } from "./plot_model";
import { log_ticks, type Tick } from "./scales";
import { colour_class, type SeriesSet } from "./series";

const mark_label_width = 62; // of “cliff 1.234” or “slope 2.61” in its font
const mark_label_height = 15;
const end_label_width = 40;

export function Axes({ plot, quantity }: { plot: Plot; quantity: Quantity }) {
  const { frame } = plot;
  const in_ms: [number, number] = [plot.x_domain[0] * 1e3, plot.x_domain[1] * 1e3];
  const x_ticks = log_ticks(in_ms[0], in_ms[1], frame.right - frame.left, 24, "digits");
  const y_ticks = log_ticks(
    plot.y_domain[0],
    plot.y_domain[1],
    frame.bottom - frame.top,
    26,
    "powers",
  );
  const tick_class = (tick: Tick) => (tick.major ? "grid major" : "grid");
  return (
    <g class="axes">
      <rect
        class="band"
        x={frame.left}
        y={frame.top - band_height - 4}
        width={frame.right - frame.left}
        height={band_height}
      />
      {x_ticks.map((tick) => (
        <g key={tick.value} transform={`translate(${plot.x(tick.value / 1e3)},0)`}>
          {(tick.major || tick.label) && (
            <path class={tick_class(tick)} d={`M0 ${frame.top}V${frame.bottom}`} />
          )}
          <path class="tick" d={`M0 ${frame.bottom}v${tick.label ? 6 : 3}`} />
          {tick.label && (
            <text y={frame.bottom + 18} text-anchor="middle">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      {y_ticks.map((tick) => (
        <g key={tick.value} transform={`translate(0,${plot.y(tick.value)})`}>
          {(tick.major || tick.label) && (
            <path class={tick_class(tick)} d={`M${frame.left} 0H${frame.right}`} />
          )}
          <path class="tick" d={`M${frame.left} 0h${tick.label ? -6 : -3}`} />
          {tick.label && (
            <text x={frame.left - 9} dy="0.32em" text-anchor="end">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      <path class="frame" d={`M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}`} />
      <text
        class="axis-title"
        x={(frame.left + frame.right) / 2}
        y={frame.height - 6}
        text-anchor="middle"
      >
        Macro-step H [ms]
      </text>
      <text class="axis-title" x={4} y={frame.top - band_height / 2 - 1} text-anchor="start">
        {quantity === "residual_J" ? "E [J]" : "E rel."}
      </text>
    </g>
  );
}

export function Lines({
  plot,
  set,
  highlight,
}: {
  plot: Plot;
  set: SeriesSet;
  highlight: string | null;
}) {
  const order = [...plot.lines].sort(
    (a, b) => Number(a.series.key === highlight) - Number(b.series.key === highlight),
  );
  const strong = plot.lines.some((one) => one.series.key === highlight);
  return (
    <g class={strong ? "lines some-strong" : "lines"}>
      {order.map((one) => (
        <g
          key={one.series.key}
          class={`line ${one.series.colour}${one.series.key === highlight ? " strong" : ""}`}
        >
          <path
            class="curve"
            d={one.path}
            stroke-dasharray={set.styles[one.series.style]?.dash ?? ""}
          />
          <path class="markers" d={one.markers} />
          <path class="failures" d={failure_path(one)} />
          {one.bend && (
            <circle
              class={one.best ? "bend best" : "bend"}
              cx={one.bend.x}
              cy={one.bend.y}
              r={one.best ? 4.4 : 3.6}
            />
          )}
        </g>
      ))}
    </g>
  );
}

export function EndLabels({ plot }: { plot: Plot }) {
  return (
    <g>
      {plot.end_labels.map((label) => (
        <text
          key={label.extrapolation}
          class={`end-label ${colour_class(label.extrapolation)}`}
          x={label.x + 7}
          y={label.y}
          dy="0.32em"
        >
          {extrapolation_short(label.extrapolation).replace(/\s/g, "")}
        </text>
      ))}
    </g>
  );
}

/** × diverged, ▽ failed otherwise, △ complete but above the axis; thinned where they would touch. */
function failure_path(one: PlotSeries): string {
  const shapes = {
    diverged: "m-3.5,-3.5l7,7m0,-7l-7,7",
    failed: "m-4,-3h8l-4,7z",
    above: "m-4,3h8l-4,-7z",
  };
  const parts: string[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const point of one.points) {
    if (point.place === "inside" || point.x < free) continue;
    parts.push(`M${point.x.toFixed(1)},${point.y.toFixed(1)}${shapes[point.place]}`);
    free = point.x + 9;
  }
  return parts.join("");
}

/** Linear region, bend, cliff and fitted line of the highlighted curve. */
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

export function RecommendedStep({ plot, macro_step_s }: { plot: Plot; macro_step_s: number }) {
  const x = plot.x(macro_step_s);
  if (x < plot.frame.left || x > plot.frame.right) return null;
  return (
    <g class="recommended">
      <path d={`M${x} ${plot.frame.bottom}l-5 8h10z`} />
      <title>{`Recommended H = ${scientific(macro_step_s * 1e3, 4)} ms`}</title>
    </g>
  );
}
