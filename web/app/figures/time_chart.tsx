// Lines over time on a canvas (uPlot), thinned to what the pixels can show. All charts of a trial
// share their stretch of time: dragging, the wheel with Ctrl, and keys change it for all.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axis_texts } from "./axis_text";
import { decimate, type IndexedSeries, merged } from "./decimate";
import { key_range, pan, type TimeRange, zoom, zoom_factor } from "./time_range";

export interface Line {
  label: string;
  series: IndexedSeries;
  colour: string; // a variable of base.css
  dash?: number[];
  width?: number; // of a line below others, that it be seen where they run together
  points?: boolean; // only where there is room for each
}

/** Lines that have their times in common. */
export interface Track {
  t: Float64Array;
  lines: Line[];
}

export interface View {
  range: TimeRange;
  full: TimeRange;
  set_range: (range: TimeRange) => void;
  cursor: number | null; // a time
  set_cursor: (time: number | null) => void;
}

interface Props {
  tracks: Track[]; // one or two
  view: View;
  unit: string;
  label: string; // for who cannot see it
  height?: number;
}

const gutter = 72; // of every chart, so that their axes stand below each other
const gutter_right = 24; // half of the last label
const room_for_points = 7; // pixels
const sight_margin = "100px";
const unseen_delay_ms = 150; // without a change, until charts out of sight are drawn again
const usual_width = 1.6;
const dashes_up_to = 3; // points per column of pixels

/** Asking for a style in every frame takes longer than drawing. */
const known_colours = new Map<string, string>();

function variable(name: string): string {
  let colour = known_colours.get(name);
  if (colour === undefined) {
    colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    known_colours.set(name, colour);
  }
  return colour;
}

/** The lines of one track or two, thinned to the columns of pixels. */
function thinned(tracks: Track[], range: TimeRange, columns: number): uPlot.AlignedData {
  const [first, second] = tracks.map(({ t, lines }) =>
    decimate(
      t,
      lines.map((line) => line.series),
      range[0],
      range[1],
      columns,
    ),
  );
  const { t, values } = second ? merged(first!, second) : first!;
  return [t, ...values] as uPlot.AlignedData;
}

/** What stays at zero stands in the middle, not below a hundred. */
function value_range(low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null || (low === 0 && high === 0)) return [-1, 1];
  return uPlot.rangeNum(low, high, 0.1, true);
}

function options(props: Props, width: number, unit: { power: string }): uPlot.Options {
  const family = getComputedStyle(document.body).fontFamily;
  const font = `12px ${family}`;
  const axis = { stroke: () => variable("--muted"), font, ticks: { stroke: grid, size: 4 } };
  function grid() {
    return variable("--rule");
  }
  const lines = props.tracks.flatMap((track) => track.lines);
  return {
    width,
    height: props.height ?? 240,
    legend: { show: false },
    scales: {
      x: { time: false, auto: false, min: props.view.range[0], max: props.view.range[1] },
      y: { range: (_, low, high) => value_range(low, high) },
    },
    padding: [22, gutter_right, 0, 0],
    cursor: {
      drag: { x: false, y: false, setScale: false },
      points: { size: 7 },
    },
    axes: [
      {
        ...axis,
        size: 44,
        grid: { stroke: () => variable("--faint"), width: 1 },
        values: (_, splits) => axis_texts(splits, splits[1]! - splits[0]!).labels,
      },
      {
        ...axis,
        size: gutter,
        grid: { stroke: () => variable("--faint"), width: 1 },
        values: (_, splits) => {
          const texts = axis_texts(splits, splits[1]! - splits[0]!);
          unit.power = texts.power;
          return texts.labels;
        },
      },
    ],
    series: [
      {},
      ...lines.map((line): uPlot.Series => {
        const stroke = () => variable(line.colour);
        if (!line.points)
          return {
            stroke,
            width: line.width ?? usual_width,
            dash: line.dash ?? [],
            points: { show: false },
          };
        return {
          stroke,
          paths: () => null,
          points: {
            size: 6,
            fill: () => variable("--card"),
            show: (u, n, first, last) => {
              const shown = (u.data[n] as (number | null | undefined)[])
                .slice(first, last + 1)
                .filter((value) => value != null).length;
              return shown * room_for_points < u.over.clientWidth;
            },
          },
        };
      }),
    ],
    hooks: {
      // What the vertical axis measures stands above it; the power belongs to its labels.
      draw: [
        (u) => {
          const { ctx } = u;
          const scale = devicePixelRatio;
          const times = unit.power === "" ? "" : `${unit.power} `;
          ctx.save();
          ctx.font = `${12 * scale}px ${family}`;
          ctx.fillStyle = variable("--ink");
          ctx.textAlign = "left";
          ctx.textBaseline = "top";
          ctx.fillText(`${times}${props.unit}`, 4 * scale, 2 * scale);
          ctx.textAlign = "right";
          ctx.textBaseline = "bottom";
          ctx.fillText("t [s]", ctx.canvas.width - gutter_right * scale, ctx.canvas.height);
          ctx.restore();
        },
      ],
    },
  };
}

export function TimeChart(props: Props) {
  const { tracks, view } = props;
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(view);
  latest.current = view;
  const [width, set_width] = useState(0);
  const [in_sight, set_in_sight] = useState(true); // what is not in sight need not follow every frame

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => set_width(Math.floor(element.clientWidth)));
    observer.observe(element);
    const watch = new IntersectionObserver(
      (entries) => set_in_sight(entries[entries.length - 1]!.isIntersecting),
      { rootMargin: sight_margin },
    );
    watch.observe(element);
    return () => {
      observer.disconnect();
      watch.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!box.current || width === 0) return;
    const empty = [[], ...tracks.flatMap((track) => track.lines.map(() => []))];
    const made = new uPlot(
      options(props, width, { power: "" }),
      empty as unknown as uPlot.AlignedData,
      box.current,
    );
    chart.current = made;
    const stop = [take_pointer(made, latest), redraw_on(made)];
    return () => {
      for (const one of stop) one();
      made.destroy();
      chart.current = null;
    };
  }, [tracks, width, props.unit, props.height]);

  const [from, to] = view.range;
  useEffect(() => {
    const draw = () => {
      if (chart.current) show(chart.current, tracks, latest.current.range, width);
    };
    if (in_sight) return draw();
    const timer = setTimeout(draw, unseen_delay_ms);
    return () => clearTimeout(timer);
  }, [from, to, in_sight, tracks, width, props.unit, props.height]);

  useEffect(() => {
    const on_paper = () => {
      if (chart.current) show(chart.current, tracks, latest.current.range, width);
    };
    window.addEventListener("beforeprint", on_paper);
    return () => window.removeEventListener("beforeprint", on_paper);
  }, [tracks, width]);

  useEffect(() => {
    const u = chart.current;
    if (!u || u.over.matches(":hover")) return; // the pointer has it
    const left = view.cursor === null ? -10 : u.valToPos(view.cursor, "x");
    u.setCursor({ left, top: left < 0 ? -10 : 1 }, false);
  }, [view.cursor, from, to]);

  function on_key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const range = key_range(view.range, event.key, view.full);
    const moved = range === null ? next_point(tracks[0]!.t, view, event.key) : null;
    if (range !== null) view.set_range(range);
    else if (moved !== null) view.set_cursor(moved);
    else if (event.key === "Escape") view.set_cursor(null);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={box}
      class="time-chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom, pan and move a cursor
      tabIndex={0}
      role="group"
      aria-roledescription="chart"
      aria-label={`${props.label}. Arrow keys left and right pan, plus and minus zoom, 0 shows all, comma and full stop move along the points.`}
      onKeyDown={on_key}
    />
  );
}

function show(u: uPlot, tracks: Track[], range: TimeRange, columns: number): void {
  const data = thinned(tracks, range, columns);
  const lines = tracks.flatMap((track) => track.lines);
  // Where lines fill whole columns, dashes and widths cannot be seen and take most of the time.
  const dense = data[0].length > dashes_up_to * columns;
  lines.forEach((line, n) => {
    const series = u.series[n + 1]!;
    series.dash = dense ? [] : (line.dash ?? []);
    series.width = dense ? 1 : (line.width ?? usual_width);
  });
  u.batch(() => {
    u.setData(data, false);
    u.setScale("x", { min: range[0], max: range[1] });
  });
}

/** The communication point before or after the cursor, within what is shown. */
function next_point(t: Float64Array, view: View, key: string): number | null {
  if (key !== "," && key !== ".") return null;
  const [from, to] = view.range;
  const at = view.cursor ?? (from + to) / 2;
  let best: number | null = null;
  for (const time of t) {
    if (time < from || time > to) continue;
    if (key === "," && time < at) best = time;
    if (key === "." && time > at) return time;
  }
  return best;
}

/** Dragging pans, the wheel with Ctrl or Shift zooms, a double click shows all. */
function take_pointer(u: uPlot, latest: { current: View }): () => void {
  const { over } = u;
  let start: { x: number; range: TimeRange } | null = null;
  let pending = 0;
  let wanted: TimeRange | null = null;
  function soon(range: TimeRange) {
    wanted = range;
    if (pending !== 0) return;
    pending = requestAnimationFrame(() => {
      pending = 0;
      if (wanted) latest.current.set_range(wanted);
    });
  }
  function down(event: PointerEvent) {
    if (event.button !== 0) return;
    start = { x: event.clientX, range: latest.current.range };
    over.setPointerCapture(event.pointerId);
  }
  function move(event: PointerEvent) {
    const { range, full } = latest.current;
    if (start) {
      const per_pixel = (start.range[1] - start.range[0]) / over.clientWidth;
      soon(pan(start.range, (start.x - event.clientX) * per_pixel, full));
      return;
    }
    const share = (event.clientX - over.getBoundingClientRect().left) / over.clientWidth;
    latest.current.set_cursor(range[0] + share * (range[1] - range[0]));
  }
  function up() {
    start = null;
  }
  function leave() {
    if (!start) latest.current.set_cursor(null);
  }
  function wheel(event: WheelEvent) {
    if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
    event.preventDefault();
    const { range, full } = latest.current;
    const share = (event.clientX - over.getBoundingClientRect().left) / over.clientWidth;
    const turned = event.deltaY !== 0 ? event.deltaY : event.deltaX;
    const factor = zoom_factor ** (-Math.sign(turned) / 2);
    soon(
      zoom(
        wanted && pending !== 0 ? wanted : range,
        factor,
        range[0] + share * (range[1] - range[0]),
        full,
      ),
    );
  }
  function all() {
    latest.current.set_range(latest.current.full);
  }
  over.addEventListener("pointerdown", down);
  over.addEventListener("pointermove", move);
  over.addEventListener("pointerup", up);
  over.addEventListener("pointercancel", up);
  over.addEventListener("pointerleave", leave);
  over.addEventListener("wheel", wheel, { passive: false });
  over.addEventListener("dblclick", all);
  return () => cancelAnimationFrame(pending);
}

/** Colours are read when it is drawn: anew for another scheme, and for paper. */
function redraw_on(u: uPlot): () => void {
  const redraw = () => {
    known_colours.clear();
    u.redraw(false, true);
  };
  window.addEventListener("beforeprint", redraw);
  const media = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"].map((one) =>
    matchMedia(one),
  );
  for (const one of media) one.addEventListener("change", redraw);
  return () => {
    window.removeEventListener("beforeprint", redraw);
    for (const one of media) one.removeEventListener("change", redraw);
  };
}
