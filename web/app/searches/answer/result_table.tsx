// The table of the paper: test input × configuration × H, as measured, and what is verified of it.

import type { TableRow, Test } from "../../api/types";
import { macro_step_column } from "../../text/format";
import { counts, flag_texts, is_remark, test_detail, test_title } from "../../text/names";
import { largest_text } from "./answer_text";

export function ResultTable(props: {
  rows: TableRow[];
  tests: Test[];
  meanings: Record<string, string>;
  whose: string; // integrators, in the order of the configurations' names
}) {
  const { rows, tests, meanings } = props;
  const steps = macro_step_column(rows.map((row) => (counts(row) ? row.macro_step_s : null)));
  const verified = macro_step_column(rows.map((row) => row.macro_step_verified_s ?? null));
  const told = rows.some((row) => row.macro_step_verified_s !== undefined);
  const cliffs = macro_step_column(rows.map((row) => (counts(row) ? row.cliff_s : null)));
  return (
    <table class="list results">
      <thead>
        <tr>
          <th scope="col">Test input</th>
          <th scope="col">
            Configuration with the largest H{props.whose !== "" && `, integrators${props.whose}`}
          </th>
          <th scope="col" class="number">
            H
          </th>
          {told && (
            <th scope="col" class="number">
              Verified
            </th>
          )}
          <th scope="col" class="number">
            Cliff
          </th>
          <th scope="col" class="number">
            Cliff / H
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => {
          const test = tests.find((one) => one.name === row.test);
          return (
            <tr key={row.test} class={counts(row) ? "" : "flagged"}>
              <th scope="row" data-label="Test input">
                {test_title(row.test)}
                {test && <span class="muted block">{test_detail(test)}</span>}
              </th>
              <td data-label="Which">
                {row.configurations.length === 0 ? (
                  <span class="muted">none</span>
                ) : (
                  <Largest row={row} />
                )}
                {row.flags.map((flag) => (
                  <span key={flag} class={`${is_remark(flag) ? "muted" : "flag"} block`}>
                    {flag_texts([flag], meanings)}
                  </span>
                ))}
              </td>
              <td class="number" data-label="H">
                <b>{steps[n]}</b>
              </td>
              {told && (
                <td class="number" data-label="Verified">
                  {verified[n]}
                </td>
              )}
              <td class="number" data-label="Cliff">
                {cliffs[n]}
              </td>
              <td class="number" data-label="Cliff / H">
                {row.cliff_s !== null && row.macro_step_s && counts(row)
                  ? (row.cliff_s / row.macro_step_s).toFixed(2)
                  : "–"}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Largest({ row }: { row: TableRow }) {
  return (
    <>
      {largest_text(row).map((text) => (
        <span key={text} class="block">
          {text}
        </span>
      ))}
    </>
  );
}
