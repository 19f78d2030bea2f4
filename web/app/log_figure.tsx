// What the smaller figures with two logarithmic axes share: frame, axes, a box that knows its width.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { log_ticks } from "./scales";

export interface LogFrame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const narrowest = 200;

export function log_frame(available: number): LogFrame {
  const width = Math.max(available, narrowest);
  const height = Math.round(Math.min(360, Math.max(260, width * 0.5)));
  return { width, height, left: 56, right: width - 16, top: 26, bottom: height - 42 };
}

export function use_width(): [RefObject<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, set_width] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => set_width(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
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
}) {
  const { frame, x, y } = props;
  const { left, right, top, bottom } = frame;
  const [x_low, x_high] = props.x_domain;
  const [y_low, y_high] = props.y_domain;
  return (
    <g class="axes">
      {log_ticks(x_low, x_high, right - left, 34, props.x_notation).map((tick) => (
        <g key={tick.value} transform={`translate(${x(tick.value)},0)`}>
          {(tick.major || tick.label) && (
            <path class={tick.major ? "grid major" : "grid"} d={`M0 ${top}V${bottom}`} />
          )}
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
          {(tick.major || tick.label) && (
            <path class={tick.major ? "grid major" : "grid"} d={`M${left} 0H${right}`} />
          )}
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
      <text class="axis-title" x={4} y={14}>
        {props.y_title}
      </text>
    </g>
  );
}

/** Opens and closes the table of a figure, remembered in the address by the caller. */
export function FigureData(props: {
  open: boolean;
  on_toggle: (open: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <details
      class="data"
      open={props.open}
      onToggle={(event) => props.on_toggle(event.currentTarget.open)}
    >
      <summary>Data of this figure</summary>
      {props.open && props.children}
    </details>
  );
}
