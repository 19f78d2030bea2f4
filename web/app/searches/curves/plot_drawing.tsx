// The drawing of one residual plot, in layers: axes, lines, marks of the highlighted curve, labels.
import { LogAxes } from "../../figures/log_figure";
import { colour_class, type SeriesSet } from "../../figures/series";
import { extrapolation_short } from "../../text/names";
import { band_height, type Plot, type PlotSeries, type Quantity } from "./plot_model";

export function Axes({ plot, quantity }: { plot: Plot; quantity: Quantity }) {
  const { frame } = plot;
  return (
    <>
      <rect
        class="band"
        x={frame.left}
        y={frame.top - band_height - 4}
        width={frame.right - frame.left}
        height={band_height}
      />
      <LogAxes
        frame={frame}
        x={(in_ms) => plot.x(in_ms / 1e3)}
        y={plot.y}
        x_domain={[plot.x_domain[0] * 1e3, plot.x_domain[1] * 1e3]}
        y_domain={plot.y_domain}
        x_title="Macro-step H [ms]"
        y_title={quantity === "residual_J" ? "E [J]" : "E rel."}
        x_notation="digits"
        y_notation="powers"
        x_room={24}
        y_title_at={frame.top - band_height / 2 - 1}
      />
    </>
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
