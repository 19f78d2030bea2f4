// The numbers of a figure over time, as far as it shows them, made only when they are opened.

import { count, scientific, significant } from "../text/format";
import { first_at } from "./decimate";
import type { Track, View } from "./time_chart";

const most_rows = 200;

interface Props {
  title: string;
  track: Track;
  units: string[]; // of its lines
  view: View;
  open: boolean;
  on_toggle: (open: boolean) => void;
}

export function TimeTable(props: Props) {
  return (
    <details
      class="data"
      open={props.open}
      onToggle={(event) => props.on_toggle(event.currentTarget.open)}
    >
      <summary>Data of this figure</summary>
      {props.open && <Rows {...props} />}
    </details>
  );
}

function Rows({ title, track, units, view }: Props) {
  const { t, lines } = track;
  const first = first_at(t, view.range[0]);
  let last = first_at(t, view.range[1]);
  if (last < t.length && t[last]! <= view.range[1]) ++last;
  const stride = Math.max(1, Math.ceil((last - first) / most_rows));
  const places: number[] = [];
  for (let n = first; n < last; n += stride) places.push(n);
  return (
    <>
      <p class="muted small-print">
        {stride === 1
          ? `${count(places.length)} points between the edges of the figure.`
          : `One in ${count(stride)} of the ${count(last - first)} points between the edges of the figure: zoom in for the others.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll tall" tabIndex={0} role="region" aria-label={title}>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">t [s]</th>
              {lines.map((line, n) => (
                <th key={line.label} scope="col">
                  {line.label}
                  {units[n] ? ` [${units[n]}]` : ""}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((n) => (
              <tr key={n}>
                <th scope="row" class="number">
                  {significant(t[n]!, 9)}
                </th>
                {lines.map((line) => (
                  <td key={line.label} class="number">
                    {value_text(line.series.values[n]!, 5)}
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

export function value_text(value: number, digits: number): string {
  return Number.isFinite(value) ? scientific(value, digits) : "–";
}
