// One figure of a comparison: residual against H for one test input, a line per search.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SaveFigure } from "./figure_export";
import { digits_in_data, joules, milliseconds, ratio, scientific } from "./format";
import { status_words, word } from "./names";
import { Axes, Lines } from "./plot_drawing";
import { build_plot, frame_of, type Hit, nearest, type Plot, type Quantity } from "./plot_model";
import type { SeriesSet } from "./series";
import type { Curve, Point } from "./types";

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
  const box = useRef<HTMLDivElement>(null);
  const [width, set_width] = useState(0);
  const [cursor, set_cursor] = useState<{ id: string; macro_step_s: number } | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => set_width(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
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
  const hit = find_hit(plot, cursor);

  function point_at(found: Hit | null) {
    set_cursor(
      found && { id: found.line.series.key, macro_step_s: found.point.point.macro_step_s },
    );
    props.on_hover(found ? found.line.series.key : null);
  }

  function on_key(event: KeyboardEvent) {
    if (!plot) return;
    if (event.key === "Escape") point_at(null);
    else {
      const next = moved(plot, hit, event.key);
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
      <SaveFigure title={`Comparison, ${title}`} />
      <details
        class="data"
        open={props.data_open}
        onToggle={(event) => props.on_data(event.currentTarget.open)}
      >
        <summary>Data of this figure</summary>
        {props.data_open && <Data {...props} />}
      </details>
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
      <b>{hit.line.series.label}</b> at H = {milliseconds(point.macro_step_s, digits_in_data)}:{" "}
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

function find_hit(
  plot: Plot | null,
  cursor: { id: string; macro_step_s: number } | null,
): Hit | null {
  const line = cursor && plot?.lines.find((one) => one.series.key === cursor.id);
  const point = line?.points.find((one) => one.point.macro_step_s === cursor?.macro_step_s);
  return line && point ? { line, point } : null;
}

/** Left and right along a curve; up and down to the next one, at the H closest to this. */
function moved(plot: Plot, hit: Hit | null, key: string): Hit | null {
  const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
  const lines = plot.lines.filter((one) => one.points.length > 0);
  if (!arrows.includes(key) || lines.length === 0) return null;
  if (!hit) return { line: lines[0]!, point: lines[0]!.points[0]! };
  const { line, point } = hit;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const place = lines.indexOf(line) + (key === "ArrowUp" ? -1 : 1) + lines.length;
    const other = lines[place % lines.length]!;
    const distance = (x: number) => Math.abs(x - point.x);
    const closest = other.points.reduce((a, b) => (distance(b.x) < distance(a.x) ? b : a));
    return { line: other, point: closest };
  }
  const last = line.points.length - 1;
  const at = line.points.indexOf(point);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key] ?? at;
  return { line, point: line.points[Math.min(last, Math.max(0, to))]! };
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
                {milliseconds(step, digits_in_data)}
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
