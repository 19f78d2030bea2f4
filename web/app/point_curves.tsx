// The figure of one point of a map: spectral radius with the line ρ = 1, or error with slopes.
import { scaleLog } from "d3-scale";
import { useMemo, useState } from "preact/hooks";
import type { MapResult } from "./analysis_api";
import { Figure, use_width } from "./cell_map";
import { milliseconds, significant } from "./format";
import { blank_words, type Cell } from "./map_model";
import { parameter_text, radius_text } from "./map_text";
import {
  anchor_of,
  order_of,
  type PointSeries,
  series_at,
  step_domain,
  value_domain,
} from "./point_model";
import { update_view } from "./route";
import { log_ticks } from "./scales";

const margin = { left: 58, right: 44, top: 22, bottom: 46 };
const height = 340;
const slopes = [1, 2, 3];
const most_lines = 40; // more cannot be told apart

interface Hit {
  series: number;
  step: number;
}

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
  const { box, width } = use_width();
  const [cursor, set_cursor] = useState<Hit | null>(null);
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

  function choose(hit: Hit) {
    const found = series[hit.series];
    if (found) update_view({ conf: String(found.index) });
  }
  function on_move(event: PointerEvent) {
    if (!scales || !box.current) return;
    const area = box.current.getBoundingClientRect();
    set_cursor(nearest(series, scales, event.clientX - area.left, event.clientY - area.top));
  }
  function on_key(event: KeyboardEvent) {
    const next = moved_hit(series, cursor ?? { series: strong, step: -1 }, event.key);
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
          <svg width={width} height={height} aria-hidden="true">
            <Axes scales={scales} symbol={symbol} />
            {!is_stability && <Slopes scales={scales} of={series[strong]!} />}
            <LimitLine scales={scales} result={result} />
            {props.step !== null && (
              <path
                class="chosen-h"
                d={`M${scales.x(result.macro_steps_s[props.step]!)} ${margin.top}V${scales.bottom}`}
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
      <details
        class="data"
        open={props.data_open}
        onToggle={(event) => props.on_data(event.currentTarget.open)}
      >
        <summary>Data of this figure</summary>
        {props.data_open && <Table result={result} series={series} symbol={symbol} />}
      </details>
    </Figure>
  );
}

type Scales = ReturnType<typeof scales_of>;

function scales_of(result: MapResult, series: PointSeries[], width: number) {
  const right = Math.max(margin.left + 60, width - margin.right);
  const bottom = height - margin.bottom;
  const x = scaleLog().domain(step_domain(result)).range([margin.left, right]);
  const y = scaleLog().domain(value_domain(result, series)).range([bottom, margin.top]);
  return { x, y, right, bottom, width };
}

/** Values beyond the axis stand at its edge. */
function y_of(scales: Scales, value: number): number {
  const [low, high] = scales.y.domain() as [number, number];
  return scales.y(Math.min(high, Math.max(low, value)));
}

function Axes({ scales, symbol }: { scales: Scales; symbol: string }) {
  const [low, high] = scales.x.domain() as [number, number];
  const [bottom, top] = scales.y.domain() as [number, number];
  const x_ticks = log_ticks(low * 1e3, high * 1e3, scales.right - margin.left, 26, "digits");
  const y_ticks = log_ticks(bottom, top, scales.bottom - margin.top, 26, "digits");
  return (
    <g class="axes">
      {x_ticks.map((tick) => (
        <g key={tick.value} transform={`translate(${scales.x(tick.value / 1e3)},0)`}>
          {tick.label && <path class="grid" d={`M0 ${margin.top}V${scales.bottom}`} />}
          <path class="tick" d={`M0 ${scales.bottom}v${tick.label ? 6 : 3}`} />
          {tick.label && (
            <text y={scales.bottom + 18} text-anchor="middle">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      {y_ticks.map((tick) => (
        <g key={tick.value} transform={`translate(0,${scales.y(tick.value)})`}>
          {tick.label && <path class="grid" d={`M${margin.left} 0H${scales.right}`} />}
          <path class="tick" d={`M${margin.left} 0h${tick.label ? -6 : -3}`} />
          {tick.label && (
            <text x={margin.left - 9} dy="0.32em" text-anchor="end">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      <path class="frame" d={`M${margin.left} ${margin.top}V${scales.bottom}H${scales.right}`} />
      <text
        class="axis-title"
        x={(margin.left + scales.right) / 2}
        y={height - 6}
        text-anchor="middle"
      >
        Macro-step H [ms]
      </text>
      <text class="axis-title" x={4} y={12}>
        {symbol}
      </text>
    </g>
  );
}

function LimitLine({ scales, result }: { scales: Scales; result: MapResult }) {
  const y = scales.y(result.limit);
  const text = result.quantity === "stability" ? "ρ = 1" : "limit";
  return (
    <g class="limit-line">
      <path d={`M${margin.left} ${y}H${scales.right}`} />
      <text x={scales.right + 5} y={y} dy="0.32em">
        {text}
      </text>
    </g>
  );
}

/** Errors that grow with H, H² and H³ from where the chosen configuration begins. */
function Slopes({ scales, of }: { scales: Scales; of: PointSeries }) {
  const anchor = anchor_of(of);
  if (!anchor) return null;
  const end = scales.x.domain()[1]!;
  const top = scales.y.domain()[1]!;
  return (
    <g class="slopes">
      {slopes.map((slope) => {
        const reach = anchor.macro_step_s * (top / anchor.value) ** (1 / slope);
        const to = Math.min(end, reach);
        const value = anchor.value * (to / anchor.macro_step_s) ** slope;
        const [x, y] = [scales.x(to), y_of(scales, value)];
        return (
          <g key={slope}>
            <path d={`M${scales.x(anchor.macro_step_s)} ${y_of(scales, anchor.value)}L${x} ${y}`} />
            <text x={x - 3} y={y + 12} text-anchor="end">
              {slope === 1 ? "∝ H" : `∝ H${slope === 2 ? "²" : "³"}`}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Line(props: { one: PointSeries; scales: Scales; result: MapResult; strong?: boolean }) {
  const { one, scales, result } = props;
  let pen = "M";
  let path = "";
  let within = "";
  let beyond = "";
  for (const { macro_step_s, value } of one.values) {
    if (value === null) {
      pen = "M";
      continue;
    }
    const x = scales.x(macro_step_s).toFixed(1);
    const y = y_of(scales, value).toFixed(1);
    path += `${pen}${x},${y}`;
    pen = "L";
    if (value <= result.limit)
      within += `M${x},${y}m-2.6,0a2.6,2.6 0 1 0 5.2,0a2.6,2.6 0 1 0 -5.2,0`;
    else beyond += `M${x},${y}m-3,-3l6,6m0,-6l-6,6`;
  }
  return (
    <g class={props.strong ? "point-line strong" : "point-line"}>
      <path class="curve" d={path} />
      <path class="within" d={within} />
      <path class="beyond" d={beyond} />
    </g>
  );
}

function Cursor(props: { series: PointSeries[]; scales: Scales; cursor: Hit }) {
  const found = props.series[props.cursor.series]?.values[props.cursor.step];
  if (!found || found.value === null) return null;
  return (
    <circle
      class="cursor"
      cx={props.scales.x(found.macro_step_s)}
      cy={y_of(props.scales, found.value)}
      r={6}
    />
  );
}

function nearest(series: PointSeries[], scales: Scales, x: number, y: number): Hit | null {
  let best: Hit | null = null;
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

/** Left and right along a configuration, up and down to the next one. */
function moved_hit(series: PointSeries[], from: Hit, key: string): Hit | null {
  const last = (series[from.series]?.values.length ?? 1) - 1;
  const steps: Record<string, number> = {
    ArrowLeft: Math.max(0, from.step - 1),
    ArrowRight: Math.min(last, from.step + 1),
    Home: 0,
    End: last,
  };
  if (key in steps) return { ...from, step: steps[key]! };
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (by === undefined) return null;
  const count = series.length;
  return { series: (from.series + by + count) % count, step: Math.max(0, from.step) };
}

function hit_text(result: MapResult, series: PointSeries[], hit: Hit, symbol: string): string {
  const one = series[hit.series];
  const found = one?.values[hit.step];
  if (!one || !found) return "";
  const where = `${one.label}, H = ${milliseconds(found.macro_step_s)}`;
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
                {milliseconds(step)}
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
