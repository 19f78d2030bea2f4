// One figure of a comparison: residual against H for one test input, a line per search.
import { useMemo, useState } from "preact/hooks";
import type { Curve, Point } from "../api/types";
import { FigureData, use_width } from "../figures/figure_parts";
import type { SeriesSet } from "../figures/series";
import { Axes, Lines } from "../searches/curves/plot_drawing";
import {
  build_plot,
  type Cursor,
  frame_of,
  type Hit,
  hit_at,
  moved_hit,
  nearest,
  type Plot,
  type Quantity,
} from "../searches/curves/plot_model";
import { digits_in_data, joules, macro_step_text, ratio, scientific } from "../text/format";
import { status_words, word } from "../text/names";

interface Props {
  title: string;
  number: number;
  curves: Map<Curve, string>; // to the id of their search
  set: SeriesSet;
  x_domain: [number, number];
  quantity: Quantity;
  highlight: string | null;
  on_hover: (id: string | null) => void;
  data_open: boolean;
  on_data: (open: boolean) => void;
}

export function ComparePlot(props: Props) {
  const { title, curves, set, x_domain, quantity } = props;
  const [box, width] = use_width();
  const [cursor, set_cursor] = useState<Cursor | null>(null);
  const plot = useMemo(
    () =>
      width > 0
        ? build_plot(
            [...curves.keys()],
            set,
            (curve) => curves.get(curve) ?? "",
            x_domain,
            quantity,
            frame_of(width),
          )
        : null,
    [curves, set, x_domain, quantity, width],
  );
  const hit = hit_at(plot, cursor);

  function point_at(found: Hit | null) {
    set_cursor(
      found && { key: found.line.series.key, macro_step_s: found.point.point.macro_step_s },
    );
    props.on_hover(found ? found.line.series.key : null);
  }

  function on_key(event: KeyboardEvent) {
    if (!plot) return;
    if (event.key === "Escape") point_at(null);
    else {
      const next = moved_hit(plot, hit, event.key);
      if (!next) return;
      point_at(next);
    }
    event.preventDefault();
  }

  const name = quantity === "residual_J" ? "Residual energy" : "Relative residual";
  return (
    <figure class="plot" aria-labelledby={`compared-${props.number}`}>
      <figcaption id={`compared-${props.number}`}>
        <h3>{title}</h3>
      </figcaption>
      <div
        ref={box}
        class="plot-area"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor along the curves
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${name} against macro-step H, ${title}, ${curves.size} searches. Arrow keys move along and between curves.`}
        onPointerMove={(event) => {
          if (!plot || !box.current) return;
          const area = box.current.getBoundingClientRect();
          point_at(nearest(plot, event.clientX - area.left, event.clientY - area.top));
        }}
        onPointerLeave={() => point_at(null)}
        onKeyDown={on_key}
        onBlur={() => point_at(null)}
      >
        {plot && (
          <svg width={plot.frame.width} height={plot.frame.height} aria-hidden="true">
            <Axes plot={plot} quantity={quantity} />
            <Lines plot={plot} set={set} highlight={props.highlight} />
            <Letters plot={plot} set={set} />
            {hit && <circle class="cursor" cx={hit.point.x} cy={hit.point.y} r={6} />}
          </svg>
        )}
      </div>
      <p class="readout short" aria-live="polite">
        {hit ? <HitText hit={hit} /> : missing_text(curves, set)}
      </p>
      <FigureData title={`Comparison, ${title}`} open={props.data_open} on_toggle={props.on_data}>
        {() => <Data {...props} />}
      </FigureData>
    </figure>
  );
}

/** Which of the searches have no line here. */
function missing_text(curves: Map<Curve, string>, set: SeriesSet): string {
  const shown = new Set(curves.values());
  const missing = set.series.filter((one) => !shown.has(one.key)).map((one) => one.extrapolation);
  return missing.length === 0 ? "" : `Without a curve here: ${missing.join(", ")}.`;
}

function HitText({ hit }: { hit: Hit }) {
  const { point } = hit.point;
  return (
    <>
      <b>{hit.line.series.label}</b> at H = {macro_step_text(point.macro_step_s, digits_in_data)}:{" "}
      {point.status === "complete"
        ? `E = ${joules(point.residual_J)}, relative ${ratio(point.relative_residual)}.`
        : `${status_words[point.status] ?? word(point.status)}.`}
    </>
  );
}

function Letters({ plot, set }: { plot: Plot; set: SeriesSet }) {
  return (
    <g>
      {plot.end_labels.map(({ extrapolation: letter, x, y }) => {
        const series = set.series.find((one) => one.extrapolation === letter);
        return (
          <text
            key={letter}
            class={`end-label ${series?.colour ?? ""}`}
            x={x + 7}
            y={y}
            dy="0.32em"
          >
            {letter}
          </text>
        );
      })}
    </g>
  );
}

function Data({ title, curves, set, quantity }: Props) {
  const columns = [...curves].map(([curve, id]) => ({
    letter: set.by_key.get(id)?.extrapolation ?? "",
    points: new Map(curve.points.map((point) => [point.macro_step_s, point])),
  }));
  const steps = [...new Set(columns.flatMap((one) => [...one.points.keys()]))].sort(
    (a, b) => a - b,
  );
  const text = (point: Point | undefined) => {
    if (!point) return "";
    const value = point[quantity];
    if (point.status !== "complete") return status_words[point.status] ?? word(point.status);
    return value === null ? "–" : scientific(value, 3);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="scroll tall" tabIndex={0} role="region" aria-label={`Points, ${title}`}>
      <table>
        <caption>
          {quantity === "residual_J" ? "Residual energy in J" : "Relative residual"}, {title}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              H
            </th>
            {columns.map((one) => (
              <th key={one.letter} scope="col" class="number">
                {one.letter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step}>
              <th scope="row" class="number">
                {macro_step_text(step, digits_in_data)}
              </th>
              {columns.map((one) => (
                <td key={one.letter} class="number">
                  {text(one.points.get(step))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
