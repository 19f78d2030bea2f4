// The drawing of the figure of one point of a map, in layers.
import { scaleLog } from "d3-scale";
import type { MapResult } from "../api/analysis_api";
import { LogAxes, log_frame } from "../figures/log_figure";
import {
  anchor_of,
  type PointHit,
  type PointSeries,
  step_domain,
  value_domain,
} from "./point_model";

const beside = 44; // for the label of the limit
const slopes = [1, 2, 3];

export type Scales = ReturnType<typeof scales_of>;

export function scales_of(result: MapResult, series: PointSeries[], width: number) {
  const frame = log_frame(width, beside);
  const x = scaleLog().domain(step_domain(result)).range([frame.left, frame.right]);
  const y = scaleLog().domain(value_domain(result, series)).range([frame.bottom, frame.top]);
  return { x, y, frame };
}

/** Values beyond the axis stand at its edge. */
export function y_of(scales: Scales, value: number): number {
  const [low, high] = scales.y.domain() as [number, number];
  return scales.y(Math.min(high, Math.max(low, value)));
}

export function Axes({ scales, symbol }: { scales: Scales; symbol: string }) {
  const [low, high] = scales.x.domain() as [number, number];
  return (
    <LogAxes
      frame={scales.frame}
      x={(in_ms) => scales.x(in_ms / 1e3)}
      y={scales.y}
      x_domain={[low * 1e3, high * 1e3]}
      y_domain={scales.y.domain() as [number, number]}
      x_title="Macro-step H [ms]"
      y_title={symbol}
      x_notation="digits"
      y_notation="digits"
      x_room={26}
    />
  );
}

export function LimitLine({ scales, result }: { scales: Scales; result: MapResult }) {
  const y = scales.y(result.limit);
  const text = result.quantity === "stability" ? "ρ = 1" : "limit";
  return (
    <g class="limit-line">
      <path d={`M${scales.frame.left} ${y}H${scales.frame.right}`} />
      <text x={scales.frame.right + 5} y={y} dy="0.32em">
        {text}
      </text>
    </g>
  );
}

/** Errors that grow with H, H² and H³ from where the chosen configuration begins. */
export function Slopes({ scales, of }: { scales: Scales; of: PointSeries }) {
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

export function Line(props: {
  one: PointSeries;
  scales: Scales;
  result: MapResult;
  strong?: boolean;
}) {
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

export function Cursor(props: { series: PointSeries[]; scales: Scales; cursor: PointHit }) {
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
