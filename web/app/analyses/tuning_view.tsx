// A tuning that is finished: the settings to use, and the landscape that they were found in.
import { useMemo, useState } from "preact/hooks";
import type { TuningPoint, TuningResult } from "../api/analysis_api";
import type { Job } from "../api/types";
import { Figure, FigureData } from "../figures/figure_parts";
import { update_view } from "../parts/route";
import {
  as_sentence,
  macro_step_text,
  percent,
  plural,
  scientific,
  significant,
} from "../text/format";
import { test_title, word } from "../text/names";
import { CellLegend, CellMap, type CellMark } from "./cell_map";
import { type Cell, cell_of_text, text_of_cell } from "./map_model";
import {
  first_limit,
  incomplete_text,
  type Landscape,
  landscape_of,
  place_of,
  point_at,
  share_of,
  stay_text,
  tuning_plane,
  value_ticks,
} from "./tuning_model";

const worst = "worst"; // over the tests

export function TuningView(props: { result: TuningResult; job: Job; route: URLSearchParams }) {
  const { result, route } = props;
  const of = useMemo(() => landscape_of(result), [result]);
  if (of.mu.length === 0) return <Answer result={result} job={props.job} />;
  return (
    <>
      <Answer result={result} job={props.job} />
      <Settings result={result} tests={of.tests} />
      <LandscapeFigure result={result} of={of} route={route} />
    </>
  );
}

function setting_text({ mu, nu, limit }: TuningPoint): string {
  return `μ = ${significant(mu, 3)}, ν = ${significant(nu, 3)}, limit ${percent(limit)}`;
}

function Answer({ result, job }: { result: TuningResult; job: Job }) {
  const step = (job.tune as { macro_step_s?: number } | undefined)?.macro_step_s ?? null;
  const share = result.best && share_of(result, result.best, null);
  return (
    <section class="card answer" aria-label="Answer">
      <h2 class="eyebrow">Settings of the energy correction at H = {macro_step_text(step)}</h2>
      {result.best ? (
        <p class="headline">
          Use <strong>μ = {significant(result.best.mu, 3)}</strong>,{" "}
          <strong>ν = {significant(result.best.nu, 3)}</strong> and a{" "}
          <strong>limit of {percent(result.best.limit)}</strong> of the coupling force.
        </p>
      ) : (
        <p class="headline">{stay_text(result)}</p>
      )}
      {share !== null && (
        <p>
          In the worst of the tests that leaves {percent(share)} of the{" "}
          {objective_words[result.objective] ?? word(result.objective)} without a correction.
          {result.left_out_ratio !== null &&
            ` In a test that takes no part in the choice, settings found like this come to ${percent(result.left_out_ratio)} of what the best one known before leaves.`}
        </p>
      )}
      {result.reason && <p>{as_sentence(result.reason)}</p>}
      {incomplete_text(result) && <p class="muted">{incomplete_text(result)}</p>}
      {result.no_formula && (
        <p class="muted">The formula gives no setting: {as_sentence(result.no_formula)}</p>
      )}
    </section>
  );
}

const objective_words: Record<string, string> = {
  energy_deviation: "deviation of the energy from the monolithic solution",
  interface_energy: "energy that the interface makes up",
};

function Settings({ result, tests }: { result: TuningResult; tests: string[] }) {
  const rows: [string, TuningPoint | null][] = [
    ["Best", result.best],
    ["By the formula", result.by_formula],
    ["Without a correction", result.uncorrected],
  ];
  return (
    <section aria-labelledby="settings-title">
      <h2 id="settings-title">Settings compared</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll" tabIndex={0} role="region" aria-label="Objective by test">
        <table>
          <caption>Objective by test: {objective_words[result.objective]}</caption>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col" class="number">
                μ
              </th>
              <th scope="col" class="number">
                ν
              </th>
              <th scope="col" class="number">
                Limit
              </th>
              {tests.map((test) => (
                <th key={test} scope="col" class="number">
                  {test_title(test)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(
              ([name, point]) =>
                point && (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td class="number">{significant(point.mu, 4)}</td>
                    <td class="number">{significant(point.nu, 4)}</td>
                    <td class="number">{percent(point.limit)}</td>
                    {tests.map((test) => (
                      <td key={test} class="number">
                        {objective_text(point.objective[test])}
                      </td>
                    ))}
                  </tr>
                ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function objective_text(value: number | null | undefined): string {
  return typeof value === "number" ? scientific(value, 4) : "did not complete";
}

function LandscapeFigure(props: { result: TuningResult; of: Landscape; route: URLSearchParams }) {
  const { result, of, route } = props;
  const [hovered, set_hovered] = useState<Cell | null>(null);
  const first = useMemo(() => first_limit(result, of), [result, of]);
  const asked = Number(route.get("limit"));
  const limit = of.limits.includes(asked) ? asked : first;
  const wanted = route.get("test");
  const test = wanted !== null && of.tests.includes(wanted) ? wanted : null;
  const plane = useMemo(() => tuning_plane(result, of, limit, test), [result, of, limit, test]);
  const kept = cell_of_text(route.get("at") ?? best_cell(result, of), of.mu.length, of.nu.length);
  const open = route.get("data") === "map";
  const shown = hovered ?? kept;
  const marks = marks_of(result, of);
  return (
    <section aria-labelledby="landscape-title">
      <h2 id="landscape-title">Landscape</h2>
      <div class="card map-controls" role="group" aria-label="What the landscape shows">
        <div class="field">
          <label for="tune-limit">Limit of the correction force</label>
          <select
            id="tune-limit"
            value={String(limit)}
            onChange={(event) => update_view({ limit: event.currentTarget.value })}
          >
            {of.limits.map((one) => (
              <option key={one} value={String(one)}>
                {percent(one)} of the coupling force
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="tune-test">Test</label>
          <select
            id="tune-test"
            value={test ?? worst}
            onChange={(event) => {
              const { value } = event.currentTarget;
              update_view({ test: value === worst ? null : value });
            }}
          >
            <option value={worst}>the worst of all</option>
            {of.tests.map((one) => (
              <option key={one} value={one}>
                {test_title(one)}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Figure
        id="landscape"
        under
        title="What is left of the objective"
        detail={`share of the objective without a correction, ν (upwards) over μ, limit ${percent(limit)}`}
      >
        <CellLegend plane={plane} />
        <CellMap
          plane={plane}
          x={{ title: "μ", ticks: (length) => value_ticks(of.mu, length, 30) }}
          y={{ title: "ν", ticks: (length) => value_ticks(of.nu, length, 20) }}
          label="What is left of the objective, ν over μ"
          kept={kept}
          marks={marks}
          on_hover={set_hovered}
          on_keep={(cell) => update_view({ at: text_of_cell(cell) })}
        />
        <p class="readout" aria-live="polite">
          {cell_words(result, of, limit, test, shown)}
        </p>
        {result.landscape.length > result.grid_points && (
          <p class="small-print muted">
            From the best of these settings the tuning went on with{" "}
            {plural(result.landscape.length - result.grid_points, "setting")} between them, which
            are in the CSV file.
          </p>
        )}
        <FigureData
          title={`What is left of the objective, limit ${percent(limit)}`}
          open={open}
          on_toggle={(on) => update_view({ data: on ? "map" : null })}
        >
          {() => <Table result={result} of={of} limit={limit} test={test} />}
        </FigureData>
      </Figure>
    </section>
  );
}

function best_cell(result: TuningResult, of: Landscape): string | null {
  if (!result.best) return null;
  const column = Math.round(place_of(of.mu, result.best.mu));
  return `${column},${Math.round(place_of(of.nu, result.best.nu))}`;
}

/** Between the cells where a setting is between those of the grid. */
function marks_of(result: TuningResult, of: Landscape): CellMark[] {
  const mark = (label: string, point: TuningPoint | null): CellMark[] =>
    point ? [{ label, column: place_of(of.mu, point.mu), row: place_of(of.nu, point.nu) }] : [];
  return [...mark("best", result.best), ...mark("formula", result.by_formula)];
}

function cell_words(
  result: TuningResult,
  of: Landscape,
  limit: number,
  test: string | null,
  cell: Cell,
): string {
  const mu = of.mu[cell.column] ?? 0;
  const nu = of.nu[cell.row] ?? 0;
  const where = setting_text({ mu, nu, limit, objective: {}, ratio: null });
  const point = point_at(result, { mu, nu, limit });
  if (!point) return `${where}: not computed.`;
  const share = share_of(result, point, test);
  const of_what = test === null ? "in the worst test" : `in the test ${test_title(test)}`;
  return share === null
    ? `${where}: a run did not complete.`
    : `${where}: ${percent(share)} of the objective without a correction, ${of_what}.`;
}

function Table(props: { result: TuningResult; of: Landscape; limit: number; test: string | null }) {
  const { result, of, limit, test } = props;
  const text = (mu: number, nu: number) => {
    const point = point_at(result, { mu, nu, limit });
    if (!point) return "not computed";
    const share = share_of(result, point, test);
    return share === null ? "did not complete" : scientific(share, 3);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Data of the landscape">
      <table>
        <caption>Share of the objective without a correction: ν down, μ across</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">ν</span>
            </th>
            {of.mu.map((mu) => (
              <th key={mu} scope="col" class="number">
                {significant(mu, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...of.nu].reverse().map((nu) => (
            <tr key={nu}>
              <th scope="row" class="number">
                {significant(nu, 3)}
              </th>
              {of.mu.map((mu) => (
                <td key={mu} class="number">
                  {text(mu, nu)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
