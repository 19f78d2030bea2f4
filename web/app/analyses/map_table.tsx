// The numbers of a map as a table: thinned where there are more than a page can hold.
import type { MapConfiguration, MapResult } from "../api/analysis_api";
import { macro_step_text, scientific } from "../text/format";
import { blank_words, type CellPlane, type Layer, thinned } from "./map_model";
import { axis_title, radius_text } from "./map_text";

const most_in_table = 40; // rows and columns

export function MapTable(props: {
  result: MapResult;
  configuration: MapConfiguration;
  layer: Layer;
  plane: CellPlane;
}) {
  const { result, configuration, layer, plane } = props;
  const columns = thinned(result.x.values.length, most_in_table);
  const rows = thinned(result.y.values.length, most_in_table).reverse();
  const all = columns.length === result.x.values.length && rows.length === result.y.values.length;
  const blank = blank_words(result);
  const text = (row: number, column: number) => {
    const of = plane.classes[plane.cells[row]?.[column] ?? -1];
    if (of?.tone === "none") return blank;
    if (layer === "largest") {
      const step = configuration.largest_macro_step_s[row]?.[column] ?? null;
      return step === null ? "none" : macro_step_text(step);
    }
    const value = configuration.layers[layer]?.values?.[row]?.[column] ?? null;
    return value === null ? blank : `${radius_text(value)}${of?.tone === "bad" ? " ×" : ""}`;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Data of the map">
      <table>
        <caption>
          {axis_title(result.y)} down, {axis_title(result.x)} across
          {layer !== "largest" && "; × is beyond the limit"}
          {!all && "; some rows and columns only, all of them are in the CSV file"}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{axis_title(result.y)}</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" class="number">
                {scientific(result.x.values[column] ?? 0, 4)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" class="number">
                {scientific(result.y.values[row] ?? 0, 4)}
              </th>
              {columns.map((column) => (
                <td key={column} class="number">
                  {text(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
