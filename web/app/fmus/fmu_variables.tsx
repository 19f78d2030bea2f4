// Ports or parameters of an FMU as a table.

import type { Port, Variable } from "../api/fmu_api";
import { Filtered } from "../parts/filtered";
import { typed, unit_text } from "../text/format";
import { unknown_unit } from "../text/units";

export function VariableTable({ variables, noun }: { variables: Variable[]; noun: string }) {
  const ranged = variables.some((one) => one.minimum !== null || one.maximum !== null);
  const started = variables.some((one) => one.start !== null);
  return (
    <Filtered
      items={variables}
      name_of={(one) => one.name}
      noun={noun}
      label={`Filter ${noun}s by name`}
    >
      {(shown) => (
        <table class="list variables">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Unit</th>
              {started && (
                <th scope="col" class="number">
                  {noun === "parameter" ? "Default" : "Start"}
                </th>
              )}
              {ranged && <th scope="col">Range</th>}
              <th scope="col">Remarks</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.name}>
                <th scope="row" data-label="Name">
                  <code>{one.name}</code>
                  {one.description && <span class="muted block">{one.description}</span>}
                </th>
                <td data-label="Unit">
                  <span>{shown_unit(one.unit) || "–"}</span>
                </td>
                {started && (
                  <td class="number" data-label={noun === "parameter" ? "Default" : "Start"}>
                    <span>{value_text(one.start)}</span>
                  </td>
                )}
                {ranged && <td data-label="Range">{range_of(one)}</td>}
                <td data-label="Remarks">{remarks(one).join("; ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Filtered>
  );
}

export function shown_unit(unit: string): string {
  return unit === unknown_unit ? "unknown" : unit_text(unit);
}

export function value_text(value: Variable["start"]): string {
  if (value === null) return "–";
  return typeof value === "number" ? typed(value) : String(value);
}

function range_of({ minimum, maximum }: Variable): string {
  if (minimum === null && maximum === null) return "";
  return `${minimum === null ? "…" : typed(minimum)} to ${maximum === null ? "…" : typed(maximum)}`;
}

function remarks(one: Variable & Partial<Port>): string[] {
  const texts: string[] = [];
  if (one.array) texts.push("array");
  if (!/^float|^real/.test(one.type)) texts.push(one.type);
  else if (one.continuous === false) texts.push("discrete");
  if (one.connectable === false) texts.push("cannot be connected");
  if (one.derivative_of) texts.push(`derivative of ${one.derivative_of}`);
  if (one.direct_inputs && one.direct_inputs.length > 0)
    texts.push(`depends at once on ${one.direct_inputs.join(", ")}`);
  if (one.declared_unit && one.declared_unit.replace(/\./g, " ") !== one.unit)
    texts.push(`its unit is written ${one.declared_unit}`);
  return texts;
}
