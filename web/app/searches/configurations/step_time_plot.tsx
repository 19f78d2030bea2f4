// The time that one macro-step takes against H, for a rig that must keep up: median, 99.9 % and
// worst, with the limit of real time where the job sets one.
import { scaleLog } from "d3-scale";
import { useMemo, useState } from "preact/hooks";
import type { Job, StepTime } from "../../api/types";
import { FigureData, use_width } from "../../figures/figure_parts";
import { LogAxes, type LogFrame, log_frame } from "../../figures/log_figure";
import { log_domain } from "../../figures/scales";
import { macro_step_text, percent, scientific, short_time } from "../../text/format";
import { configuration_key, configuration_short } from "../../text/names";

const quantities = [
  {
    member: "median_s",
    label: "median",
    dash: "",
    colour: "x2",
    marker: "m-2.6,0a2.6,2.6 0 1 0 5.2,0a2.6,2.6 0 1 0 -5.2,0z",
  },
  {
    member: "p999_s",
    label: "99.9 %",
    dash: "7 4",
    colour: "x1",
    marker: "m-2.4,-2.4h4.8v4.8h-4.8z",
  },
  {
    member: "worst_s",
    label: "worst",
    dash: "2 3.5",
    colour: "x4",
    marker: "m0,-3.4l3.2,5.6h-6.4z",
  },
] as const;
type Quantity = (typeof quantities)[number];

/** The limit of a macro-step's time as a share of H; null: none is set. */
export function real_time_share(job: Job): number | null {
  const share = job.search?.real_time?.share;
  return typeof share === "number" ? share : null;
}

/** By its 99.9 % time, as the job means it. */
export function keeps_real_time(row: StepTime, share: number): boolean {
  return row.p999_s !== null && row.p999_s <= share * row.macro_step_s;
}

interface Props {
  rows: StepTime[];
  job: Job;
  recommended: { key: string; macro_step_s: number } | null;
  highlight: string | null;
  data_open: boolean;
  on_data: (open: boolean) => void;
}

/** The figure of one configuration at a time: the highlighted one, else the recommended one. */
export function StepTimePlot(props: Props) {
  const { rows, recommended } = props;
  const [box, width] = use_width();
  const [at, set_at] = useState<number | null>(null);
  const share = real_time_share(props.job);
  const keys = [...new Set(rows.map((row) => configuration_key(row.configuration)))];
  const wanted = [props.highlight, recommended?.key];
  const key = wanted.find((one) => one && keys.includes(one)) ?? keys[0];
  const own = useMemo(() => rows_of(rows, key ?? ""), [rows, key]);
  const plot = useMemo(() => scales_of(rows, share, width), [rows, share, width]);
  const row = at === null ? null : (own[Math.min(at, own.length - 1)] ?? null);

  function on_move(event: PointerEvent) {
    if (!plot || !box.current || own.length === 0) return;
    set_at(nearest(own, plot, event.clientX - box.current.getBoundingClientRect().left));
  }
  function on_key(event: KeyboardEvent) {
    const to = place_by_key(event.key, at, own.length - 1);
    if (to === undefined) return;
    set_at(to);
    event.preventDefault();
  }
  const label = own[0] ? configuration_short(own[0].configuration) : "";
  return (
    <figure class="plot wide" aria-labelledby="caption-step-time">
      <figcaption id="caption-step-time">
        <h3>Time of a macro-step</h3>
        <p class="muted">
          {label}. Measured alone on the machine of the server after the search.
          {share !== null &&
            ` The limit is ${percent(share)} of H; what counts for a rig is the 99.9 % line.`}
        </p>
      </figcaption>
      <Keys limited={share !== null} />
      <div
        ref={box}
        class="plot-area"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`Time of a macro-step against H, ${label}, ${own.length} macro-steps. Arrow keys move along them.`}
        onPointerMove={on_move}
        onPointerLeave={() => set_at(null)}
        onKeyDown={on_key}
      >
        {plot && (
          <Drawing
            plot={plot}
            own={own}
            share={share}
            recommended_s={recommended?.key === key ? (recommended?.macro_step_s ?? null) : null}
            at={row}
          />
        )}
      </div>
      <Readout row={row} share={share} />
      <FigureData
        title={`Time of a macro-step, ${label}`}
        open={props.data_open}
        on_toggle={props.on_data}
      >
        {() => <Table rows={rows} share={share} />}
      </FigureData>
    </figure>
  );
}

/** The rows of one configuration, in ascending H. */
function rows_of(rows: StepTime[], key: string): StepTime[] {
  return rows
    .filter((row) => configuration_key(row.configuration) === key)
    .sort((a, b) => a.macro_step_s - b.macro_step_s);
}

interface Scales {
  frame: LogFrame;
  x: (ms: number) => number;
  y: (us: number) => number;
  x_domain: [number, number]; // in ms
  y_domain: [number, number]; // in µs
}

/** The axes, which all configurations share. Null where there is nothing to draw, or no room. */
function scales_of(rows: StepTime[], share: number | null, width: number): Scales | null {
  const times = rows.flatMap((row) => quantities.map((one) => row[one.member] ?? 0));
  const x_domain = log_domain(rows.map((row) => row.macro_step_s));
  const limits = share === null ? [] : rows.map((row) => share * row.macro_step_s);
  const y_domain = log_domain([...times, ...limits]);
  if (width === 0 || !x_domain || !y_domain) return null;
  const frame = log_frame(width);
  const in_ms = x_domain.map((one) => one * 1e3) as [number, number];
  const in_us = y_domain.map((one) => one * 1e6) as [number, number];
  const x = scaleLog().domain(in_ms).range([frame.left, frame.right]);
  const y = scaleLog().domain(in_us).range([frame.bottom, frame.top]);
  return { frame, x, y, x_domain: in_ms, y_domain: in_us };
}

function nearest(own: StepTime[], plot: Scales, place: number): number {
  const far = (n: number) => Math.abs(plot.x(own[n]!.macro_step_s * 1e3) - place);
  let best = 0;
  for (let n = 1; n < own.length; ++n) if (far(n) < far(best)) best = n;
  return best;
}

/** Where a key moves the cursor; null: out of the figure; undefined: no key of ours. */
function place_by_key(key: string, at: number | null, last: number): number | null | undefined {
  return {
    ArrowLeft: Math.max(0, (at ?? 1) - 1),
    ArrowRight: Math.min(last, (at ?? -1) + 1),
    Home: 0,
    End: last,
    Escape: null,
  }[key];
}

function Keys({ limited }: { limited: boolean }) {
  return (
    <ul class="keys">
      {quantities.map((one) => (
        <li key={one.label}>
          <svg class={`swatch ${one.colour}`} width="30" height="10" aria-hidden="true">
            <path d="M0 5H30" stroke-dasharray={one.dash} />
            <path class="markers" d={`M15,5${one.marker}`} />
          </svg>{" "}
          {one.label}
        </li>
      ))}
      {limited && (
        <li>
          <svg class="swatch" width="30" height="10" aria-hidden="true">
            <path class="cliff-line" d="M0 5H30" />
          </svg>{" "}
          limit of real time
        </li>
      )}
    </ul>
  );
}

function Drawing(props: {
  plot: Scales;
  own: StepTime[];
  share: number | null;
  recommended_s: number | null; // of this configuration
  at: StepTime | null; // under the cursor
}) {
  const { plot, own, share, recommended_s, at } = props;
  const { frame, x, y, x_domain } = plot;
  const limit_at = (ms: number) => `${x(ms)} ${y(share! * ms * 1e3)}`;
  return (
    <svg width={frame.width} height={frame.height} aria-hidden="true">
      <LogAxes
        {...plot}
        x_title="Macro-step H [ms]"
        y_title="Time of a macro-step [µs]"
        x_notation="digits"
        y_notation="digits"
      />
      {share !== null && (
        <path class="cliff-line" d={`M${limit_at(x_domain[0])}L${limit_at(x_domain[1])}`} />
      )}
      {quantities.map((one) => {
        const places = places_of(own, one.member, plot);
        return (
          <g key={one.label} class={`line strong ${one.colour}`}>
            <path class="curve" d={line_through(places)} stroke-dasharray={one.dash} />
            <path class="markers" d={places.map((place) => `M${place}${one.marker}`).join("")} />
          </g>
        );
      })}
      {recommended_s !== null && (
        <RecommendedStep x={x(recommended_s * 1e3)} frame={frame} macro_step_s={recommended_s} />
      )}
      {at && (
        <path class="bend-line" d={`M${x(at.macro_step_s * 1e3)} ${frame.top}V${frame.bottom}`} />
      )}
    </svg>
  );
}

function places_of(own: StepTime[], member: Quantity["member"], { x, y }: Scales): string[] {
  return own
    .filter((one) => one[member] !== null && one[member]! > 0)
    .map((one) => `${x(one.macro_step_s * 1e3).toFixed(1)} ${y(one[member]! * 1e6).toFixed(1)}`);
}

function line_through(places: string[]): string {
  return places.length === 0 ? "" : `M${places.join("L")}`;
}

function Readout({ row, share }: { row: StepTime | null; share: number | null }) {
  return (
    <p class="readout" aria-live="polite">
      {row ? (
        <>
          H = {macro_step_text(row.macro_step_s, 5)}: median {short_time(row.median_s)}, 99.9 %{" "}
          {short_time(row.p999_s)}, worst {short_time(row.worst_s)}
          {share !== null &&
            `; ${keeps_real_time(row, share) ? "within" : "beyond"} the limit of ${short_time(share * row.macro_step_s)}`}
          .
        </>
      ) : (
        "Point into the figure, or use the arrow keys inside it."
      )}
    </p>
  );
}

function RecommendedStep(props: { x: number; frame: LogFrame; macro_step_s: number }) {
  const { x, frame } = props;
  const is_left = x < (frame.left + frame.right) / 2; // the label is on the side with more room
  return (
    <g>
      <path class="bend-line" d={`M${x} ${frame.top}V${frame.bottom}`} />
      <text
        class="mark-label"
        x={is_left ? x + 5 : x - 5}
        y={frame.top + 12}
        text-anchor={is_left ? "start" : "end"}
      >
        recommended H {macro_step_text(props.macro_step_s)}
      </text>
    </g>
  );
}

function Table({ rows, share }: { rows: StepTime[]; share: number | null }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="scroll" tabIndex={0} role="region" aria-label="Time of a macro-step">
      <table>
        <caption>Time of a macro-step in s</caption>
        <thead>
          <tr>
            <th scope="col">Configuration</th>
            <th scope="col">H</th>
            <th scope="col">Macro-steps</th>
            {quantities.map((one) => (
              <th key={one.label} scope="col">
                {one.label}
              </th>
            ))}
            {share !== null && <th scope="col">Limit</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((one, n) => (
            <tr key={n}>
              <th scope="row">{configuration_short(one.configuration)}</th>
              <td class="number">{macro_step_text(one.macro_step_s, 5)}</td>
              <td class="number">{one.macro_steps}</td>
              {quantities.map((quantity) => {
                const value = one[quantity.member];
                return (
                  <td key={quantity.label} class="number">
                    {value === null ? "–" : scientific(value, 3)}
                  </td>
                );
              })}
              {share !== null && <td class="number">{scientific(share * one.macro_step_s, 3)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
