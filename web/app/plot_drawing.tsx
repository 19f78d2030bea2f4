// The drawing of one residual plot, in layers: axes, lines, marks of the highlighted curve, labels.
import { extrapolation_short } from "./names";
import { band_height, type Plot, type PlotSeries, type Quantity } from "./plot_model";
import { log_ticks, type Tick } from "./scales";
import { colour_class, type SeriesSet } from "./series";

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
          {one.bend && <circle class="bend" cx={one.bend.x} cy={one.bend.y} r={3.6} />}
          {one.best && <circle class="best" cx={one.best.x} cy={one.best.y} r={4.4} />}
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
