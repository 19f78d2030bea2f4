// The figure of one point of a map: spectral radius with the line ρ = 1, or error with slopes.
import { useMemo, useState } from "preact/hooks";
import type { MapResult } from "../api/analysis_api";
import { Figure, FigureData, use_width } from "../figures/figure_parts";
import { update_view } from "../parts/route";
import { macro_step_text, significant } from "../text/format";
import { blank_words, type Cell } from "./map_model";
import { parameter_text, radius_text } from "./map_text";
import {
  Axes,
  Cursor,
  LimitLine,
  Line,
  type Scales,
  Slopes,
  scales_of,
  y_of,
} from "./point_drawing";
import { moved_point, order_of, type PointHit, type PointSeries, series_at } from "./point_model";

const most_lines = 40; // more cannot be told apart

interface Props {
  result: MapResult;
  cell: Cell;
  chosen: number;
  symbol: string;
  step: number | null;
  data_open: boolean;
  on_data: (open: boolean) => void;
}

export function PointCurves(props: Props) {
  const { result, cell, chosen, symbol } = props;
  const [box, width] = use_width();
  const [cursor, set_cursor] = useState<PointHit | null>(null);
  const series = useMemo(
    () => series_at(result, cell).filter(({ index }) => index === chosen || index < most_lines),
    [result, cell.column, cell.row, chosen],
  );
  const strong = series.findIndex((one) => one.index === chosen);
  const all = series.length === result.configurations.length;
  const scales = useMemo(
    () => (width > 0 ? scales_of(result, series, width) : null),
    [result, series, width],
  );
  const is_stability = result.quantity === "stability";
  const title = is_stability ? "Spectral radius against H" : "Convergence: error against H";
  const order = is_stability ? null : order_of(series[strong]!);

  function choose(hit: PointHit) {
    const found = series[hit.series];
    if (found) update_view({ conf: String(found.index) });
  }
  function on_move(event: PointerEvent) {
    if (!scales || !box.current) return;
    const area = box.current.getBoundingClientRect();
    set_cursor(nearest(series, scales, event.clientX - area.left, event.clientY - area.top));
  }
  function on_key(event: KeyboardEvent) {
    const next = moved_point(series, cursor ?? { series: strong, step: -1 }, event.key);
    if (next) set_cursor(next);
    else if (event.key === "Enter" && cursor) choose(cursor);
    else if (event.key === "Escape") set_cursor(null);
    else return;
    event.preventDefault();
  }

  return (
    <Figure
      id="point"
      title={title}
      detail={`at ${parameter_text(result.x, cell.column)}, ${parameter_text(result.y, cell.row)}; the chosen configuration in colour, × beyond the limit${is_stability ? "" : ` ${significant(result.limit, 3)}`}`}
    >
      <div
        ref={box}
        class="plot-area"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor along the curves
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${title}, ${series.length} configurations. Arrow keys move along and between them, Enter chooses one.`}
        onPointerMove={on_move}
        onPointerLeave={() => set_cursor(null)}
        onClick={() => cursor && choose(cursor)}
        onKeyDown={on_key}
        onBlur={() => set_cursor(null)}
      >
        {scales && (
          <svg width={scales.frame.width} height={scales.frame.height} aria-hidden="true">
            <Axes scales={scales} symbol={symbol} />
            {!is_stability && <Slopes scales={scales} of={series[strong]!} />}
            <LimitLine scales={scales} result={result} />
            {props.step !== null && (
              <path
                class="chosen-h"
                d={`M${scales.x(result.macro_steps_s[props.step]!)} ${scales.frame.top}V${scales.frame.bottom}`}
              />
            )}
            {series.map(
              (one) =>
                one.index !== chosen && <Line key={one.index} {...{ one, scales, result }} />,
            )}
            <Line one={series[strong]!} scales={scales} result={result} strong />
            {cursor && <Cursor {...{ series, scales, cursor }} />}
          </svg>
        )}
      </div>
      <p class="readout" aria-live="polite">
        {cursor ? (
          hit_text(result, series, cursor, symbol)
        ) : (
          <>
            {series[strong]!.label}
            {order !== null &&
              `: the error grows with H to the power ${significant(order, 2)} between the two smallest H`}
            .
          </>
        )}
      </p>
      {!all && (
        <p class="small-print muted">
          Only the first {most_lines} configurations and the chosen one are drawn; all of them are
          in the CSV file.
        </p>
      )}
      <FigureData
        title={`${title}, ${series[strong]!.label}`}
        open={props.data_open}
        on_toggle={props.on_data}
      >
        {() => <Table result={result} series={series} symbol={symbol} />}
      </FigureData>
    </Figure>
  );
}

function nearest(series: PointSeries[], scales: Scales, x: number, y: number): PointHit | null {
  let best: PointHit | null = null;
  let distance = 40 ** 2; // pixels: farther away is nothing meant
  series.forEach((one, at) => {
    one.values.forEach(({ macro_step_s, value }, step) => {
      if (value === null) return;
      const far = (scales.x(macro_step_s) - x) ** 2 + (y_of(scales, value) - y) ** 2;
      if (far < distance) [best, distance] = [{ series: at, step }, far];
    });
  });
  return best;
}

function hit_text(result: MapResult, series: PointSeries[], hit: PointHit, symbol: string): string {
  const one = series[hit.series];
  const found = one?.values[hit.step];
  if (!one || !found) return "";
  const where = `${one.label}, H = ${macro_step_text(found.macro_step_s)}`;
  if (found.value === null) return `${where}: ${blank_words(result)}.`;
  const [good, bad] =
    result.quantity === "stability" ? ["stable", "unstable"] : ["accurate", "not accurate"];
  return `${where}: ${symbol} = ${radius_text(found.value)}, ${found.value <= result.limit ? good : bad}.`;
}

function Table(props: { result: MapResult; series: PointSeries[]; symbol: string }) {
  const { result, series } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Data of the point">
      <table>
        <caption>{props.symbol} by H; × is beyond the limit</caption>
        <thead>
          <tr>
            <th scope="col">Configuration</th>
            {result.macro_steps_s.map((step) => (
              <th key={step} scope="col" class="number">
                {macro_step_text(step)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <tr key={one.index}>
              <th scope="row">{one.label}</th>
              {one.values.map(({ macro_step_s, value }) => (
                <td key={macro_step_s} class="number">
                  {value === null
                    ? blank_words(result)
                    : `${radius_text(value)}${value > result.limit ? " ×" : ""}`}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
