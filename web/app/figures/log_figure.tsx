// What figures with two logarithmic axes share: their frame and their axes.
import { log_ticks, type Tick } from "./scales";

export interface LogFrame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const narrowest = 200;

/** `beside`: room for labels right of the axes. */
export function log_frame(available: number, beside = 16): LogFrame {
  const width = Math.max(available, narrowest);
  const height = Math.round(Math.min(360, Math.max(260, width * 0.5)));
  return { width, height, left: 56, right: width - beside, top: 26, bottom: height - 42 };
}

export function LogAxes(props: {
  frame: LogFrame;
  x: (value: number) => number;
  y: (value: number) => number;
  x_domain: [number, number]; // as the labels have it
  y_domain: [number, number];
  x_title: string;
  y_title: string;
  x_notation: "digits" | "powers";
  y_notation: "digits" | "powers";
  x_room?: number; // pixels between labels of x
  y_title_at?: number;
}) {
  const { frame, x, y } = props;
  const { left, right, top, bottom } = frame;
  const [x_low, x_high] = props.x_domain;
  const [y_low, y_high] = props.y_domain;
  const grid = (tick: Tick, path: string) =>
    (tick.major || tick.label) && <path class={tick.major ? "grid major" : "grid"} d={path} />;
  return (
    <g class="axes">
      {log_ticks(x_low, x_high, right - left, props.x_room ?? 34, props.x_notation).map((tick) => (
        <g key={tick.value} transform={`translate(${x(tick.value)},0)`}>
          {grid(tick, `M0 ${top}V${bottom}`)}
          <path class="tick" d={`M0 ${bottom}v${tick.label ? 6 : 3}`} />
          {tick.label && (
            <text y={bottom + 18} text-anchor="middle">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      {log_ticks(y_low, y_high, bottom - top, 26, props.y_notation).map((tick) => (
        <g key={tick.value} transform={`translate(0,${y(tick.value)})`}>
          {grid(tick, `M${left} 0H${right}`)}
          <path class="tick" d={`M${left} 0h${tick.label ? -6 : -3}`} />
          {tick.label && (
            <text x={left - 9} dy="0.32em" text-anchor="end">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      <path class="frame" d={`M${left} ${top}V${bottom}H${right}`} />
      <text class="axis-title" x={(left + right) / 2} y={frame.height - 6} text-anchor="middle">
        {props.x_title}
      </text>
      <text class="axis-title" x={4} y={props.y_title_at ?? 14}>
        {props.y_title}
      </text>
    </g>
  );
}
