// The figure of accuracy against cost. The trials it needs are fetched when it comes near the view.
import { scaleLog } from "d3-scale";
import { useEffect, useMemo, useState } from "preact/hooks";
import { message_of } from "../../api/api";
import { fetch_trials } from "../../api/trial_api";
import type { TrialRow } from "../../api/trial_types";
import type { Curve } from "../../api/types";
import { FigureData, use_width } from "../../figures/figure_parts";
import { LogAxes, type LogFrame, log_frame } from "../../figures/log_figure";
import { log_domain } from "../../figures/scales";
import type { SeriesSet } from "../../figures/series";
import { Link, Message } from "../../parts/parts";
import { address, update_view } from "../../parts/route";
import { count, macro_step_text, percent, scientific } from "../../text/format";
import { test_title } from "../../text/names";
import { accuracy_of, type ParetoPoint, pareto_points } from "./pareto_model";

const reach = 30; // pixels from the pointer to a point

interface Props {
  search: string;
  ended: string | null;
  curves: Curve[]; // hidden ones left out
  set: SeriesSet;
  tests: string[];
  counting: string[]; // those of them that the recommendation counts
  test: string | null; // null: all that count
  recommended: { key: string; macro_step_s: number } | null;
  highlight: string | null;
  data_open: boolean;
  on_data: (open: boolean) => void;
  on_hover: (key: string | null) => void;
  on_pick: (key: string) => void;
}

export function ParetoPlot(props: Props) {
  const { curves, set, test, counting } = props;
  const [box, width] = use_width();
  const { trials, error } = use_trials(box, props.search, props.ended);
  const [at, set_at] = useState<ParetoPoint | null>(null);
  const accuracy = useMemo(() => accuracy_of(trials ?? []), [trials]);
  const points = useMemo(
    () => pareto_points(trials ?? [], curves, set, test === null ? counting : [test], accuracy),
    [trials, curves, set, test, counting, accuracy],
  );
  const plot = useMemo(() => scales_of(points, width), [points, width]);

  const name = accuracy === "nrmse" ? "Error of the outputs (NRMSE)" : "Relative residual";
  function go_to(point: ParetoPoint | null) {
    set_at(point);
    props.on_hover(point?.key ?? null);
  }
  function on_move(event: PointerEvent) {
    if (!plot || !box.current) return;
    const area = box.current.getBoundingClientRect();
    go_to(nearest(points, plot, event.clientX - area.left, event.clientY - area.top));
  }
  function on_key(event: KeyboardEvent) {
    const next = neighbour(points, at, event.key);
    if (next) go_to(next);
    else if (event.key === "Enter" && at) props.on_pick(at.key);
    else if (event.key === "Escape") go_to(null);
    else return;
    event.preventDefault();
  }

  return (
    <figure class={plot ? "plot wide" : "plot wide unloaded"} aria-labelledby="caption-pareto">
      <Caption test={test} />
      <ChooseTest tests={props.tests} test={test} />
      {error && <Message kind="error">{error}</Message>}
      <div
        ref={box}
        class="plot-area"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${name} against evaluations of right-hand sides, ${points.length} points. Arrow keys left and right move along all points, up and down along the best ones, Enter keeps a configuration highlighted.`}
        onPointerMove={on_move}
        onPointerLeave={() => props.on_hover(null)}
        onClick={() => at && props.on_pick(at.key)}
        onKeyDown={on_key}
        onBlur={() => props.on_hover(null)}
      >
        {plot && (
          <svg width={plot.frame.width} height={plot.frame.height} aria-hidden="true">
            <LogAxes
              {...plot}
              x_title="Evaluations of right-hand sides"
              y_title={name}
              x_notation="powers"
              y_notation="powers"
            />
            <Points {...props} points={points} x={plot.x} y={plot.y} />
            {at && <circle class="cursor" cx={plot.x(at.cost)} cy={plot.y(at.error)} r={6} />}
          </svg>
        )}
      </div>
      <Readout {...props} at={at} loading={trials === null && !error} empty={points.length === 0} />
      <FigureData
        title={`Accuracy against cost${test === null ? "" : `, ${test_title(test)}`}`}
        open={props.data_open}
        on_toggle={props.on_data}
      >
        {() => <Table {...props} points={points} name={name} />}
      </FigureData>
    </figure>
  );
}

const ahead = "600px"; // of the view, where the trials are fetched

/** The trials of a search, once the figure comes near the view. */
function use_trials(box: { current: Element | null }, search: string, ended: string | null) {
  const [trials, set_trials] = useState<TrialRow[] | null>(null);
  const [error, set_error] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((one) => one.isIntersecting)) return;
        watch.disconnect();
        fetch_trials(search, ended).then(
          (rows) => wanted && set_trials(rows),
          (failure) => wanted && set_error(message_of(failure)),
        );
      },
      { rootMargin: ahead },
    );
    if (box.current) watch.observe(box.current);
    return () => {
      wanted = false;
      watch.disconnect();
    };
  }, [search, ended]);
  return { trials, error };
}

interface Scales {
  frame: LogFrame;
  x: (cost: number) => number;
  y: (error: number) => number;
  x_domain: [number, number];
  y_domain: [number, number];
}

/** Null where there is nothing to draw, or no room. */
function scales_of(points: ParetoPoint[], width: number): Scales | null {
  const x_domain = log_domain(points.map((one) => one.cost));
  const y_domain = log_domain(points.map((one) => one.error));
  if (width === 0 || !x_domain || !y_domain) return null;
  const frame = log_frame(width);
  const x = scaleLog().domain(x_domain).range([frame.left, frame.right]);
  const y = scaleLog().domain(y_domain).range([frame.bottom, frame.top]);
  return { frame, x, y, x_domain, y_domain };
}

/** The point nearest to a place in the drawing, within reach of it. */
function nearest(points: ParetoPoint[], plot: Scales, x: number, y: number): ParetoPoint | null {
  let best: ParetoPoint | null = null;
  let distance = reach * reach;
  for (const one of points) {
    const d = (plot.x(one.cost) - x) ** 2 + (plot.y(one.error) - y) ** 2;
    if (d < distance) [best, distance] = [one, d];
  }
  return best;
}

function Caption({ test }: { test: string | null }) {
  return (
    <figcaption id="caption-pareto">
      <h3>Accuracy against cost</h3>
      <p class="muted">
        Every configuration at every H that is complete
        {test === null
          ? " in all tests that count: the largest value over the tests, and the cost of all"
          : ` in ${test_title(test)}`}
        . On the line: no other is both cheaper and better.
      </p>
    </figcaption>
  );
}

function ChooseTest({ tests, test }: { tests: string[]; test: string | null }) {
  return (
    <div class="field inline">
      <label for="pareto-test">Test</label>
      <select
        id="pareto-test"
        value={test ?? ""}
        onChange={(event) => update_view({ cost_of: event.currentTarget.value || null })}
      >
        <option value="">all that count</option>
        {tests.map((one) => (
          <option key={one} value={one}>
            {test_title(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What is under the cursor, or why nothing can be. */
function Readout(props: Props & { at: ParetoPoint | null; loading: boolean; empty: boolean }) {
  const { set, test, search, at } = props;
  return (
    <p class="readout" aria-live="polite">
      {at ? (
        <>
          <b>{set.by_key.get(at.key)?.label}</b> at H = {macro_step_text(at.macro_step_s, 5)}:{" "}
          {count(at.cost)} evaluations, {percent(at.error)}
          {test === null && ` (in ${test_title(at.test)})`}.{" "}
          <Link to={address({ search, trial: String(at.trial_id) })}>Open trial {at.trial_id}</Link>
        </>
      ) : props.loading ? (
        "Loading …"
      ) : props.empty ? (
        "No trial of what is shown is complete."
      ) : (
        "Point at a mark, or use the arrow keys inside the figure."
      )}
    </p>
  );
}

/** Along all points by cost, or along the front. */
function neighbour(points: ParetoPoint[], at: ParetoPoint | null, key: string): ParetoPoint | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
  const step = steps[key];
  if (step === undefined || points.length === 0) return null;
  const front = points.filter((one) => one.on_front);
  if (!at || !points.includes(at)) return front[0] ?? null;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return points[Math.min(points.length - 1, Math.max(0, points.indexOf(at) + step))]!;
  if (step > 0) return front.find((one) => one.cost > at.cost) ?? null;
  return front.filter((one) => one.cost < at.cost).pop() ?? null;
}

function Points(
  props: Props & {
    points: ParetoPoint[];
    x: (value: number) => number;
    y: (value: number) => number;
  },
) {
  const { points, set, x, y, highlight, recommended } = props;
  // One path per configuration: thousands of points are not thousands of elements.
  const paths = new Map<string, string>();
  for (const one of points) {
    const series = set.by_key.get(one.key);
    const marker = set.styles[series?.style ?? 0]?.marker ?? "";
    const path = `M${x(one.cost).toFixed(1)},${y(one.error).toFixed(1)}${marker}`;
    paths.set(one.key, (paths.get(one.key) ?? "") + path);
  }
  const order = [...paths.keys()].sort((a, b) => Number(a === highlight) - Number(b === highlight));
  const front = points.filter((one) => one.on_front);
  const line = front
    .map((one, n) => {
      const [px, py] = [x(one.cost).toFixed(1), y(one.error).toFixed(1)];
      return n === 0 ? `M${px} ${py}` : `H${px}V${py}`;
    })
    .join("");
  const answer = points.find(
    (one) =>
      one.key === recommended?.key &&
      Math.abs(one.macro_step_s / (recommended?.macro_step_s ?? 1) - 1) < 1e-9,
  );
  return (
    <g class={highlight !== null && paths.has(highlight) ? "lines some-strong" : "lines"}>
      <path class="front" d={line} />
      {order.map((key) => (
        <g
          key={key}
          class={`line ${set.by_key.get(key)?.colour}${key === highlight ? " strong" : ""}`}
        >
          <path class="markers" d={paths.get(key)!} />
        </g>
      ))}
      {answer && (
        <g class="recommended" transform={`translate(${x(answer.cost)},${y(answer.error)})`}>
          <circle class="ring" r={8} />
          <text class="mark-label" x={12} y={-6}>
            recommended
          </text>
        </g>
      )}
    </g>
  );
}

function Table({ points, set, search, name }: Props & { points: ParetoPoint[]; name: string }) {
  const front = points.filter((one) => one.on_front);
  return (
    <>
      <p class="muted small-print">The points on the line; the CSV export has every trial.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll" tabIndex={0} role="region" aria-label="Accuracy against cost">
        <table>
          <caption>Best accuracy for each cost</caption>
          <thead>
            <tr>
              <th scope="col">Configuration</th>
              <th scope="col">H</th>
              <th scope="col">Evaluations</th>
              <th scope="col">{name}</th>
              <th scope="col">Test</th>
              <th scope="col">Trial</th>
            </tr>
          </thead>
          <tbody>
            {front.map((one) => (
              <tr key={`${one.key} ${one.macro_step_s}`}>
                <th scope="row">{set.by_key.get(one.key)?.label}</th>
                <td class="number">{macro_step_text(one.macro_step_s, 5)}</td>
                <td class="number">{count(one.cost)}</td>
                <td class="number">{scientific(one.error, 3)}</td>
                <td>{test_title(one.test)}</td>
                <td class="number">
                  <Link to={address({ search, trial: String(one.trial_id) })}>{one.trial_id}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
