// A map that is finished: one configuration and H at a time, and the kept point over all H.
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  fetch_map,
  type MapConfiguration,
  type MapResult,
  type ResultAxis,
} from "../api/analysis_api";
import { message_of } from "../api/api";
import { Figure, FigureData } from "../figures/figure_parts";
import { Message } from "../parts/parts";
import { listed, toggle_view, update_view } from "../parts/route";
import { as_sentence, count, macro_step_text, percent, plural } from "../text/format";
import { type CellAxis, CellLegend, CellMap } from "./cell_map";
import {
  axis_ticks,
  type Cell,
  cell_of_text,
  type Layer,
  plane_of,
  text_of_cell,
} from "./map_model";
import { MapTable } from "./map_table";
import { axis_title, cell_text, grouped_reasons } from "./map_text";
import { PointCurves } from "./point_curves";

/** `summary` is without the values of the points, which take longer to come. */
export function MapView(props: { id: string; summary: MapResult; route: URLSearchParams }) {
  const [result, set_result] = useState<MapResult | null>(null);
  const [error, set_error] = useState<string | null>(null);
  useEffect(() => {
    fetch_map(props.id).then(set_result, (failure) => set_error(message_of(failure)));
  }, [props.id]);
  if (error) return <Message kind="error">{error}</Message>;
  if (!result) return <p class="muted">Loading {count(values_of(props.summary))} values …</p>;
  return <Figures result={result} route={props.route} />;
}

function values_of(result: MapResult): number {
  const points = result.x.values.length * result.y.values.length;
  return points * result.configurations.length * result.macro_steps_s.length;
}

function index_within(text: string | null, length: number): number | null {
  const index = Number(text);
  return text !== null && Number.isInteger(index) && index >= 0 && index < length ? index : null;
}

function cell_axis(axis: ResultAxis, room: number): CellAxis {
  return {
    title: axis_title(axis),
    ticks: (length) => axis_ticks(axis.values, axis.scale, length, room),
  };
}

function Figures({ result, route }: { result: MapResult; route: URLSearchParams }) {
  const chosen = index_within(route.get("conf"), result.configurations.length) ?? 0;
  const step = index_within(route.get("h"), result.macro_steps_s.length);
  const layer: Layer = step ?? "largest";
  const configuration = result.configurations[chosen]!;
  const kept = cell_of_text(route.get("at"), result.x.values.length, result.y.values.length);
  const open = listed(route, "data");
  const [hovered, set_hovered] = useState<Cell | null>(null);
  const plane = useMemo(
    () => plane_of(result, configuration, layer),
    [result, configuration, layer],
  );
  const x = useMemo(() => cell_axis(result.x, 34), [result]);
  const y = useMemo(() => cell_axis(result.y, 24), [result]);
  const toggle = (name: string, on: boolean) => {
    if (on !== open.includes(name)) toggle_view("data", open, name);
  };
  const good = result.quantity === "stability" ? "stable" : "accurate";
  const title =
    layer === "largest"
      ? `Largest ${good} H`
      : `${result.quantity === "stability" ? "Spectral radius ρ" : "Error"} at H = ${macro_step_text(result.macro_steps_s[layer] ?? null)}`;
  const symbol = result.quantity === "stability" ? "ρ" : "NRMSE";

  return (
    <>
      <Controls result={result} chosen={chosen} layer={layer} good={good} />
      <div class="maps">
        <Figure
          id="map"
          title={title}
          detail={`${configuration.label}; ${result.y.parameter} over ${result.x.parameter}`}
        >
          <CellLegend plane={plane} />
          <CellMap
            plane={plane}
            x={x}
            y={y}
            label={`${title}, ${configuration.label}, ${axis_title(result.y)} over ${axis_title(result.x)}`}
            kept={kept}
            on_hover={set_hovered}
            on_keep={(cell) => update_view({ at: text_of_cell(cell) })}
          />
          <p class="readout" aria-live="polite">
            {cell_text(result, configuration, layer, hovered ?? kept)}
            {hovered === null && <span class="muted"> This is the point that is kept.</span>}
          </p>
          <LayerText result={result} configuration={configuration} layer={layer} good={good} />
          <FigureData
            title={`${title}, ${configuration.label}`}
            open={open.includes("map")}
            on_toggle={(on) => toggle("map", on)}
          >
            {() => (
              <MapTable result={result} configuration={configuration} layer={layer} plane={plane} />
            )}
          </FigureData>
        </Figure>
        <PointCurves
          result={result}
          cell={hovered ?? kept}
          chosen={chosen}
          symbol={symbol}
          step={layer === "largest" ? null : layer}
          data_open={open.includes("point")}
          on_data={(on) => toggle("point", on)}
        />
      </div>
    </>
  );
}

function Controls(props: { result: MapResult; chosen: number; layer: Layer; good: string }) {
  const { result, chosen, layer, good } = props;
  return (
    <div class="card map-controls" role="group" aria-label="What the map shows">
      <div class="field">
        <label for="map-conf">Configuration</label>
        <select
          id="map-conf"
          value={String(chosen)}
          onChange={(event) => update_view({ conf: event.currentTarget.value })}
        >
          {result.configurations.map((one, n) => (
            <option key={n} value={String(n)}>
              {one.label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="map-h">Macro-step H</label>
        <select
          id="map-h"
          value={String(layer)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            update_view({ h: value === "largest" ? null : value });
          }}
        >
          <option value="largest">the largest that is {good}</option>
          {result.macro_steps_s.map((step, n) => (
            <option key={step} value={String(n)}>
              H = {macro_step_text(step)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function LayerText(props: {
  result: MapResult;
  configuration: MapConfiguration;
  layer: Layer;
  good: string;
}) {
  const { result, configuration, layer, good } = props;
  if (layer === "largest") {
    const all = configuration.layers.flatMap((one) => one.points_without_value);
    const reasons = grouped_reasons(all).map((one) => as_sentence(one.reason));
    if (reasons.length === 0) return null;
    return <p class="small-print">Some points have no value at some H: {reasons.join(" ")}</p>;
  }
  const found = configuration.layers[layer];
  if (!found) return null;
  const points = result.x.values.length * result.y.values.length;
  return (
    <p class="small-print">
      {count(found.points_within_limit)} of {count(points)} points are {good} (
      {percent(found.points_within_limit / points)}).
      {grouped_reasons(found.points_without_value).map((one) => (
        <span key={one.reason} class="block">
          {plural(one.points, "point")} without a value: {as_sentence(one.reason)}
        </span>
      ))}
    </p>
  );
}
