// The curves of compared searches, one figure per test input, one line per search.
import { useMemo, useState } from "preact/hooks";
import type { Curve } from "../api/types";
import { listed, toggle_view, update_view } from "../parts/route";
import { type Quantity, step_domain } from "../searches/curves/plot_model";
import { test_title } from "../text/names";
import { type Compared, configurations_of, curve_of, series_of, tests_of } from "./compare_model";
import { ComparePlot } from "./compare_plot";

export function CompareCurves({ list, route }: { list: Compared[]; route: URLSearchParams }) {
  const set = useMemo(() => series_of(list), [list]);
  const tests = useMemo(() => tests_of(list), [list]);
  const configurations = useMemo(() => configurations_of(list), [list]);
  const [hovered, set_hovered] = useState<string | null>(null);
  const quantity: Quantity = route.get("y") === "relative" ? "relative_residual" : "residual_J";
  const pick = route.get("pick");
  const key = configurations.find((one) => one.key === pick)?.key ?? null;
  const hidden = listed(route, "without");
  const opened = listed(route, "data");

  const figures = useMemo(
    () =>
      tests.map((test) => {
        const curves = new Map<Curve, string>();
        for (const one of list) {
          const curve = hidden.includes(one.letter) ? null : curve_of(one, test, key);
          if (curve) curves.set(curve, one.search.id);
        }
        return { test, curves };
      }),
    [list, key, hidden.join(",")],
  );
  const x_domain = useMemo(
    () => step_domain(figures.flatMap((one) => [...one.curves.keys()])),
    [figures],
  );
  if (tests.length === 0) return null;

  return (
    <section aria-labelledby="compared-curves">
      <h2 id="compared-curves">Residual energy against the macro-step</h2>
      <div class="field inline">
        <label for="compared-configuration">Configuration</label>
        <select
          id="compared-configuration"
          value={key ?? ""}
          onChange={(event) => update_view({ pick: event.currentTarget.value || null })}
        >
          <option value="">what each search recommends</option>
          {configurations.map((one) => (
            <option key={one.key} value={one.key}>
              {one.text}
            </option>
          ))}
        </select>
      </div>
      <div class="legend">
        <fieldset>
          <legend>Searches (colour, dash and marker)</legend>
          {set.series.map((one) => (
            <button
              key={one.key}
              type="button"
              class={`chip ${one.colour}`}
              aria-pressed={!hidden.includes(one.extrapolation)}
              onClick={() => toggle_view("without", hidden, one.extrapolation)}
            >
              <svg width="34" height="10" aria-hidden="true">
                <path
                  class="curve"
                  d="M0 5H34"
                  stroke-dasharray={set.styles[one.style]?.dash ?? ""}
                />
                <path class="markers" d={`M17,5${set.styles[one.style]?.marker ?? ""}`} />
              </svg>
              {one.label}
            </button>
          ))}
        </fieldset>
        <fieldset>
          <legend>Vertical axis</legend>
          <button
            type="button"
            class="chip"
            aria-pressed={quantity === "residual_J"}
            onClick={() => update_view({ y: null })}
          >
            residual in J
          </button>
          <button
            type="button"
            class="chip"
            aria-pressed={quantity === "relative_residual"}
            onClick={() => update_view({ y: "relative" })}
          >
            relative residual
          </button>
        </fieldset>
      </div>
      {x_domain ? (
        <div class="plots">
          {figures.map(({ test, curves }, n) => (
            <ComparePlot
              key={test}
              title={test_title(test)}
              number={n}
              curves={curves}
              set={set}
              x_domain={x_domain}
              quantity={quantity}
              highlight={hovered}
              on_hover={set_hovered}
              data_open={opened.includes(String(n))}
              on_data={(open) => {
                if (open !== opened.includes(String(n))) toggle_view("data", opened, String(n));
              }}
            />
          ))}
        </div>
      ) : (
        <p class="muted">No curve is shown.</p>
      )}
      <p class="muted small-print">
        Both axes are logarithmic. ○ the bend, the last H on the line. In the band at the top: ×
        diverged, ▽ failed for another reason, △ complete but above the axis.
      </p>
    </section>
  );
}
