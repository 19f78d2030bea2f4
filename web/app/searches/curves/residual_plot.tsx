// One figure: residual energy against H for one test input, every configuration.
import { useMemo, useState } from "preact/hooks";
import type { Curve, TableRow } from "../../api/types";
import { FigureData, use_width } from "../../figures/figure_parts";
import type { SeriesSet } from "../../figures/series";
import { Link } from "../../parts/parts";
import { navigate, trial_address } from "../../parts/route";
import { configuration_key } from "../../text/names";
import { DataTables } from "./data_tables";
import { type FitRule, fit_line } from "./fit_line";
import { Axes, EndLabels, Lines } from "./plot_drawing";
import { Limit, Marks, RecommendedStep } from "./plot_marks";
import {
  build_plot,
  type Cursor,
  frame_of,
  type Hit,
  hit_at,
  moved_hit,
  nearest,
  others_at,
  type Quantity,
} from "./plot_model";
import { BestHere, HitText, ShownText } from "./plot_text";

interface PlotProps {
  search: string;
  test: string;
  title: string;
  detail: string;
  curves: Curve[]; // of this test, hidden ones already left out
  set: SeriesSet;
  x_domain: [number, number];
  quantity: Quantity;
  row: TableRow | null; // the best of this test
  recommended_s: number | null;
  limit: number | null; // on the relative residual
  rule: FitRule;
  meanings: Record<string, string>; // of flags
  highlight: string | null; // key of the configuration shown strongly
  data_open: boolean;
  on_data: (open: boolean) => void;
  on_hover: (key: string | null) => void;
  on_pick: (key: string) => void;
}

export function ResidualPlot(props: PlotProps) {
  const { curves, set, x_domain, quantity, highlight, row } = props;
  const [box, width] = use_width();
  const [cursor, set_cursor] = useState<Cursor | null>(null);
  const [pinned, set_pinned] = useState<Cursor | null>(null); // stays, so that its link can be reached

  const plot = useMemo(
    () =>
      width > 0
        ? build_plot(
            curves,
            set,
            (c) => configuration_key(c.configuration),
            x_domain,
            quantity,
            frame_of(width),
            row,
          )
        : null,
    [curves, set, x_domain[0], x_domain[1], quantity, width, row],
  );
  const shown = plot?.lines.find((one) => one.series.key === highlight) ?? null;
  // The fit is one of energies: the relative residual has no line.
  const line = shown && quantity === "residual_J" ? fit_line(shown.curve, props.rule) : null;
  const hit = hit_at(plot, cursor ?? pinned);

  function point_at(found: Hit | null) {
    set_cursor(
      found && { key: found.line.series.key, macro_step_s: found.point.point.macro_step_s },
    );
    props.on_hover(found ? found.line.series.key : null);
  }

  function on_move(event: PointerEvent) {
    if (!plot || !box.current) return;
    const area = box.current.getBoundingClientRect();
    point_at(nearest(plot, event.clientX - area.left, event.clientY - area.top));
  }

  function on_key(event: KeyboardEvent) {
    if (!plot) return;
    const next = moved_hit(plot, hit, event.key, shown);
    if (next) point_at(next);
    else if (event.key === "Enter" && event.shiftKey && hit) open_trial(hit);
    else if (event.key === "Enter" && hit) keep(hit);
    else if (event.key === "Escape") {
      point_at(null);
      set_pinned(null);
    } else return;
    event.preventDefault();
  }

  function keep(found: Hit) {
    set_pinned({ key: found.line.series.key, macro_step_s: found.point.point.macro_step_s });
    props.on_pick(found.line.series.key);
  }

  function open_trial(found: Hit) {
    navigate(trial_address(props.search, found.point.point));
  }

  const unit = quantity === "residual_J" ? "Residual energy E" : "Relative residual";
  return (
    <figure class="plot residual" aria-labelledby={`caption-${props.test}`}>
      <figcaption id={`caption-${props.test}`}>
        <h3>{props.title}</h3>
        <p class="muted">{props.detail}</p>
        {row && row.configurations.length > 0 && (
          <BestHere row={row} set={set} highlight={highlight} on_pick={props.on_pick} />
        )}
      </figcaption>
      <div
        ref={box}
        class="plot-area"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor along the curves
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${unit} against macro-step H, ${props.title}, ${curves.length} curves. Arrow keys move along and between curves, Enter keeps one highlighted.`}
        onPointerMove={on_move}
        onPointerLeave={() => point_at(null)}
        onClick={() => hit && keep(hit)}
        onDblClick={() => hit && open_trial(hit)}
        onKeyDown={on_key}
        onBlur={(event) => {
          const to = event.relatedTarget as Node | null;
          if (!to || !box.current?.parentElement?.contains(to)) point_at(null);
        }}
      >
        {plot && (
          <svg width={plot.frame.width} height={plot.frame.height} aria-hidden="true">
            <Axes plot={plot} quantity={quantity} />
            <Lines plot={plot} set={set} highlight={highlight} />
            {shown && <Marks plot={plot} shown={shown} line={line} />}
            <EndLabels plot={plot} />
            {quantity === "relative_residual" && props.limit !== null && (
              <Limit plot={plot} value={props.limit} />
            )}
            {props.recommended_s !== null && (
              <RecommendedStep plot={plot} macro_step_s={props.recommended_s} />
            )}
            {hit && <circle class="cursor" cx={hit.point.x} cy={hit.point.y} r={6} />}
          </svg>
        )}
      </div>
      <p class="readout" aria-live="polite">
        {hit ? (
          <>
            <HitText hit={hit} others={plot ? others_at(plot, hit) : 0} />{" "}
            <Link to={trial_address(props.search, hit.point.point)}>Open its trial</Link>
          </>
        ) : shown ? (
          <ShownText shown={shown} meanings={props.meanings} />
        ) : curves.some((curve) => curve.points.length > 0) ? (
          "No curve is highlighted."
        ) : (
          "No trials of this test."
        )}
      </p>
      <FigureData
        title={`${unit} against H, ${props.title}`}
        open={props.data_open}
        on_toggle={props.on_data}
      >
        {() => (
          <DataTables
            search={props.search}
            curves={curves}
            set={set}
            title={props.title}
            quantity={quantity}
            meanings={props.meanings}
          />
        )}
      </FigureData>
    </figure>
  );
}
