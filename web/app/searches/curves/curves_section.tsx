// All plots of a search with their shared legend. What is hidden and picked is in the address.
import { useMemo, useState } from "preact/hooks";
import type { Curve, Search, Test } from "../../api/types";
import { build_series, colour_class, type SeriesSet } from "../../figures/series";
import { limit_of } from "../../forms/job_form";
import { later } from "../../parts/later";
import { listed, toggle_view, update_view } from "../../parts/route";
import {
  configuration_key,
  extrapolation_long,
  extrapolation_short,
  test_detail,
  test_title,
} from "../../text/names";
import { whose_integrators } from "../../text/titles";
import { fit_rule } from "./fit_line";
import { type Quantity, step_domain } from "./plot_model";
import { ResidualPlot } from "./residual_plot";

const SearchFigures = later(() =>
  import("../configurations/search_figures").then((part) => part.SearchFigures),
);

interface Props {
  search: Search;
  curves: Map<number, Curve>;
  version: number; // of the curves
  settled: boolean; // they are those of the result
  route: URLSearchParams;
}

function detail_of(tests: Test[], name: string): string {
  const test = tests.find((one) => one.name === name);
  return test ? test_detail(test) : "";
}

export function CurvesSection({ search, curves, version, settled, route }: Props) {
  const { recommendation } = search;
  const tests = search.job.tests ?? [];
  const all = useMemo(() => [...curves.values()], [version]);
  const set = useMemo(() => build_series(all), [all]);
  const [hovered, set_hovered] = useState<string | null>(null);
  const hidden_orders = listed(route, "without");
  const hidden_styles = listed(route, "styles_off").map(Number);
  const quantity: Quantity = route.get("y") === "relative" ? "relative_residual" : "residual_J";
  const by_test = useMemo(
    () => group_by_test(all, set, tests, hidden_orders, hidden_styles),
    [all, set, hidden_orders.join(), hidden_styles.join()],
  );
  const x_domain = useMemo(() => step_domain(all), [all]);
  const shown = useMemo(() => [...by_test.values()].flat(), [by_test]);

  if (all.length === 0 || !x_domain) return null;
  const picked = route.get("pick");
  const recommended = recommendation && configuration_key(recommendation);
  const kept = picked === null ? recommended : (set.series[Number(picked)]?.key ?? null);
  const opened = listed(route, "data");
  const open_data = (figure: string, open: boolean) => {
    if (open !== opened.includes(figure)) toggle_view("data", opened, figure);
  };
  const pick = (key: string) => {
    const index = set.by_key.get(key)?.index;
    update_view({ pick: index === undefined || key === recommended ? null : String(index) });
  };

  return (
    <>
      <section aria-labelledby="curves-title">
        <h2 id="curves-title">Residual energy against the macro-step</h2>
        <p class="prose">
          On its straight part a curve follows a power law: the residual falls as H falls, and the
          coupling is stable; how accurate it is, the relative residual tells. The bend (○) is the
          last H on the line; at the cliff the coupling breaks down.
        </p>
        <Legend
          set={set}
          hidden_orders={hidden_orders}
          hidden_styles={hidden_styles}
          quantity={quantity}
          whose={whose_integrators(search)}
        />
        <Highlight set={set} kept={kept} recommended={recommended} on_pick={pick} />
        <div class="plots">
          {[...by_test].map(([test, group], n) => (
            <ResidualPlot
              key={test}
              search={search.id}
              test={test}
              title={test_title(test)}
              detail={detail_of(tests, test)}
              curves={group}
              set={set}
              x_domain={x_domain}
              quantity={quantity}
              recommended_s={recommendation?.macro_step_s ?? null}
              row={search.table?.find((one) => one.test === test) ?? null}
              limit={limit_of(search.job)}
              rule={fit_rule(search.job)}
              meanings={search.flag_meanings ?? {}}
              highlight={hovered ?? kept}
              data_open={opened.includes(String(n))}
              on_data={(open) => open_data(String(n), open)}
              on_hover={set_hovered}
              on_pick={pick}
            />
          ))}
        </div>
        <MarksExplained />
      </section>
      {settled && (
        <SearchFigures
          search={search}
          curves={shown}
          all={all}
          set={set}
          highlight={hovered ?? kept}
          cost_of={route.get("cost_of")}
          opened={opened}
          open_data={open_data}
          on_hover={set_hovered}
          on_pick={pick}
        />
      )}
    </>
  );
}

/** The curves that are not hidden, by test in the order of the job, in the order of the legend. */
function group_by_test(
  curves: Curve[],
  set: SeriesSet,
  tests: Test[],
  hidden_orders: string[],
  hidden_styles: number[],
): Map<string, Curve[]> {
  const groups = new Map<string, Curve[]>(tests.map((test) => [test.name, []]));
  const series_of = (curve: Curve) => set.by_key.get(configuration_key(curve.configuration));
  for (const curve of curves) {
    const series = series_of(curve);
    if (!series || hidden_orders.includes(series.extrapolation)) continue;
    if (hidden_styles.includes(series.style)) continue;
    groups.set(curve.test, [...(groups.get(curve.test) ?? []), curve]);
  }
  for (const group of groups.values())
    group.sort((a, b) => series_of(a)!.index - series_of(b)!.index);
  return groups;
}

function MarksExplained() {
  return (
    <p class="muted small-print">
      Both axes are logarithmic; H has the same scale in every figure. In the band at the top: ×
      diverged, ▽ failed for another reason, △ complete but above the axis. ▲ on the H axis: the
      recommended H. ● the largest H of the test, as measured. Point at a curve, or use the arrow
      keys inside a figure, to highlight it everywhere; click or press Enter to keep it.
      Double-click a point or press Shift and Enter to open its trial.
    </p>
  );
}

function Highlight(props: {
  set: SeriesSet;
  kept: string | null;
  recommended: string | null;
  on_pick: (key: string) => void;
}) {
  const { set, kept, recommended } = props;
  return (
    <div class="field inline">
      <label for="pick">Highlight</label>
      <select
        id="pick"
        value={kept ?? ""}
        onChange={(event) => props.on_pick(event.currentTarget.value)}
      >
        {kept === null && <option value="">none</option>}
        {set.series.map((one) => (
          <option key={one.key} value={one.key}>
            {one.label}
            {one.key === recommended ? " (recommended)" : ""}
          </option>
        ))}
      </select>
    </div>
  );
}

function Legend(props: {
  set: SeriesSet;
  hidden_orders: string[];
  hidden_styles: number[];
  quantity: Quantity;
  whose: string;
}) {
  const { set, hidden_orders, hidden_styles } = props;
  return (
    <div class="legend">
      <fieldset>
        <legend>Extrapolation (colour)</legend>
        {set.extrapolations.map((name) => (
          <button
            key={name}
            type="button"
            class={`chip ${colour_class(name)}`}
            aria-pressed={!hidden_orders.includes(name)}
            title={extrapolation_long(name)}
            onClick={() => toggle_view("without", hidden_orders, name)}
          >
            <svg width="22" height="10" aria-hidden="true">
              <path class="curve" d="M0 5H22" />
            </svg>
            {extrapolation_short(name)}
          </button>
        ))}
      </fieldset>
      {set.styles.length > 1 && (
        <fieldset>
          <legend>Integrators{props.whose} (dash and marker)</legend>
          {set.styles.map((style, n) => (
            <button
              key={style.label}
              type="button"
              class="chip"
              aria-pressed={!hidden_styles.includes(n)}
              onClick={() => toggle_view("styles_off", hidden_styles, n)}
            >
              <svg width="34" height="10" aria-hidden="true">
                <path class="curve" d="M0 5H34" stroke-dasharray={style.dash} />
                <path class="markers" d={`M17,5${style.marker}`} />
              </svg>
              {style.label}
            </button>
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>Vertical axis</legend>
        <button
          type="button"
          class="chip"
          aria-pressed={props.quantity === "residual_J"}
          onClick={() => update_view({ y: null })}
        >
          residual in J
        </button>
        <button
          type="button"
          class="chip"
          aria-pressed={props.quantity === "relative_residual"}
          onClick={() => update_view({ y: "relative" })}
        >
          relative residual
        </button>
      </fieldset>
    </div>
  );
}
