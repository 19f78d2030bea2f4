// The numbers of one figure of residuals as tables.

import type { Curve } from "../../api/types";
import type { SeriesSet } from "../../figures/series";
import { Link } from "../../parts/parts";
import { trial_address } from "../../parts/route";
import {
  as_sentence,
  digits_in_data,
  macro_step_text,
  scientific,
  significant,
} from "../../text/format";
import { configuration_key, flag_texts, limit_text, status_words, word } from "../../text/names";
import type { Quantity } from "./plot_model";

interface Props {
  search: string;
  curves: Curve[];
  set: SeriesSet;
  title: string;
  quantity: Quantity;
  meanings: Record<string, string>; // of flags
}

export function DataTables({ search, curves, set, title, quantity, meanings }: Props) {
  const rank = (curve: Curve) => set.by_key.get(configuration_key(curve.configuration))?.index ?? 0;
  const sorted = [...curves].sort((a, b) => rank(a) - rank(b));
  const labels = sorted.map(
    (curve) => set.by_key.get(configuration_key(curve.configuration))?.label ?? "",
  );
  const steps = [
    ...new Set(sorted.flatMap((curve) => curve.points.map((point) => point.macro_step_s))),
  ];
  steps.sort((a, b) => a - b);
  const cells = sorted.map(
    (curve) => new Map(curve.points.map((point) => [point.macro_step_s, point])),
  );
  const text = (column: number, step: number) => {
    const point = cells[column]?.get(step);
    if (!point) return "";
    const value = point[quantity];
    if (point.status === "complete") return value === null ? "–" : scientific(value, 3);
    return status_words[point.status] ?? word(point.status);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll" tabIndex={0} role="region" aria-label={`Curves, ${title}`}>
        <table>
          <caption>Curves, {title}</caption>
          <thead>
            <tr>
              <th scope="col">Configuration</th>
              <th scope="col">Bend</th>
              <th scope="col">Cliff</th>
              <th scope="col">Limit of stability</th>
              <th scope="col">Rejected from</th>
              <th scope="col">Slope</th>
              <th scope="col">Largest H</th>
              <th scope="col">Limited by</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((curve, n) => (
              <tr key={curve.id}>
                <th scope="row">{labels[n]}</th>
                <td class="number">{macro_step_text(curve.bend_s)}</td>
                <td class="number">{macro_step_text(curve.cliff_s)}</td>
                <td class="number">{macro_step_text(curve.stability_limit_s ?? null)}</td>
                <td class="number">{macro_step_text(curve.rejected_from_s ?? null)}</td>
                <td class="number">{curve.slope === null ? "–" : significant(curve.slope, 3)}</td>
                <td class="number">{macro_step_text(curve.usable_s)}</td>
                <td class="reason">{limit_text(curve, meanings)}</td>
                <td class="reason">
                  {[as_sentence(curve.reason), ...flag_texts(curve.flags, meanings)]
                    .filter((one) => one !== "")
                    .join(" ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll tall" tabIndex={0} role="region" aria-label={`Points, ${title}`}>
        <table>
          <caption>
            {quantity === "residual_J" ? "Residual energy in J" : "Relative residual"}, {title}
          </caption>
          <thead>
            <tr>
              <th scope="col">H</th>
              {labels.map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step}>
                <th scope="row" class="number">
                  {macro_step_text(step, digits_in_data)}
                </th>
                {labels.map((label, column) => (
                  <td key={label} class="number">
                    {cells[column]?.has(step) && (
                      <Link to={trial_address(search, cells[column]!.get(step)!)}>
                        {text(column, step)}
                      </Link>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
