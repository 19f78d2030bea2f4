// Configuration × test: the largest H that is left, verified or not, as a number and as a shade. It is a table,
// and thus its own data.

import type { Curve } from "../../api/types";
import { SaveFigure } from "../../figures/figure_export";
import type { SeriesSet } from "../../figures/series";
import { Link } from "../../parts/parts";
import { trial_address } from "../../parts/route";
import { as_sentence, macro_step_text, rounded_down } from "../../text/format";
import { configuration_key, flag_texts, limit_text, test_title } from "../../text/names";
import { counted_steps, type Ranking } from "./usable";

const shades = 6;

interface HeatCell {
  macro_step_s: number | null;
  counts: boolean;
  shade: number; // 0 … shades − 1, by the logarithm of H
  best: boolean; // the largest of its test: whether it counts or not
  verified: boolean; // else it is what the residual allows, and nothing more
  curve: Curve;
}

interface HeatRow {
  key: string;
  cells: (HeatCell | null)[]; // by test
}

export function heat_rows(curves: Curve[], set: SeriesSet, tests: string[]): HeatRow[] {
  const all = counted_steps(curves);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const best = new Map<string, number>();
  for (const curve of curves)
    best.set(curve.test, Math.max(best.get(curve.test) ?? 0, curve.usable_s ?? 0));
  const shade = (h: number) => {
    if (!(high > low)) return shades - 1;
    const share = Math.log(h / low) / Math.log(high / low);
    return Math.min(shades - 1, Math.max(0, Math.floor(share * shades)));
  };
  return set.series.map(({ key }) => ({
    key,
    cells: tests.map((test) => {
      const curve = curves.find(
        (one) => one.test === test && configuration_key(one.configuration) === key,
      );
      if (!curve) return null;
      const macro_step_s = curve.usable_s;
      return {
        macro_step_s,
        counts: curve.counts === true,
        shade: macro_step_s === null ? 0 : shade(macro_step_s),
        best: macro_step_s === best.get(test),
        verified: curve.flags.includes("verified"),
        curve,
      };
    }),
  }));
}

interface Props {
  search: string;
  curves: Curve[];
  set: SeriesSet;
  tests: string[];
  ranking: Ranking;
  meanings: Record<string, string>;
  highlight: string | null;
  on_hover: (key: string | null) => void;
}

export function HeatMap(props: Props) {
  const { set, tests, ranking, highlight } = props;
  const rows = heat_rows(props.curves, set, tests);
  const all = new Map(ranking.candidates.map((one) => [one.key, one.macro_step_s]));
  return (
    <figure class="plot wide" aria-labelledby="caption-heat">
      <figcaption id="caption-heat">
        <h3>Largest H of each configuration, in ms</h3>
        <p class="muted">
          The stronger the shade, the larger H. ✓: verified; without it, what the residual and the
          checks so far leave. ● is the largest of its test. In brackets: too few macro-steps to
          count. –: none is left.
        </p>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll tall heat" tabIndex={0} role="region" aria-labelledby="caption-heat">
        <table class="drawing">
          <thead>
            <tr>
              <th scope="col">Configuration</th>
              {tests.map((test) => (
                <th key={test} scope="col" class="number">
                  {test_title(test)}
                </th>
              ))}
              <th scope="col" class="number">
                All tests
              </th>
            </tr>
          </thead>
          <tbody onMouseLeave={() => props.on_hover(null)}>
            {rows.map((row) => (
              <tr
                key={row.key}
                class={row.key === highlight ? "strong" : ""}
                onMouseEnter={() => props.on_hover(row.key)}
                onFocusIn={() => props.on_hover(row.key)}
              >
                <th scope="row">{set.by_key.get(row.key)?.label}</th>
                {row.cells.map((cell, n) => (
                  <td key={tests[n]} class={cell_class(cell)}>
                    {cell && <Cell cell={cell} {...props} />}
                  </td>
                ))}
                <td class="number all">{all.has(row.key) ? in_ms(all.get(row.key)!) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="figure-end">
        <SaveFigure title="Largest H of each configuration, in ms" />
      </div>
    </figure>
  );
}

function in_ms(seconds: number): string {
  return String(rounded_down(seconds * 1e3, 3));
}

function cell_class(cell: HeatCell | null): string {
  if (cell === null || cell.macro_step_s === null) return "number none";
  return cell.counts ? `number heat-${cell.shade}` : "number uncounted";
}

function Cell({ cell, search, meanings }: { cell: HeatCell } & Props) {
  const { curve, macro_step_s } = cell;
  const limit = limit_text(curve, meanings);
  const why = [limit, as_sentence(curve.reason), ...flag_texts(curve.flags, meanings)].filter(
    (one, n, all) => one !== "" && all.indexOf(one) === n,
  );
  if (macro_step_s === null) return <span title={why.join(" ")}>–</span>;
  const ran = curve.points.find((point) => point.macro_step_s === macro_step_s);
  const number = cell.counts ? in_ms(macro_step_s) : `(${in_ms(macro_step_s)})`;
  const text = (
    <>
      {cell.best && <span aria-hidden="true">● </span>}
      {number}
      {cell.verified && <span aria-hidden="true"> ✓</span>}
      {cell.best && <span class="unseen"> largest</span>}
      {cell.verified && <span class="unseen"> verified</span>}
    </>
  );
  // An H of the rig's own that no trial ran at has no page.
  if (!ran) return <span>{text}</span>;
  const to = trial_address(search, ran);
  return (
    <Link to={to} title={`${macro_step_text(macro_step_s)}: open the trial. ${why.join(" ")}`}>
      {text}
    </Link>
  );
}
