// The export of a search as CSV (RFC 4180), read back: the columns that are asked for.
import type { TrialRow } from "./trial_types";

/** Rows of cells. Quoted cells may hold commas, quotes and line ends. */
export function csv_rows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (++at; at < text.length; ) {
        const quote = text.indexOf('"', at);
        if (quote < 0) {
          cell += text.slice(at);
          at = text.length;
          break;
        }
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        ++at;
      }
    } else {
      const start = at;
      while (at < text.length && text[at] !== "," && text[at] !== "\r" && text[at] !== "\n") ++at;
      cell = text.slice(start, at);
    }
    row.push(cell);
    if (text[at] === ",") {
      ++at;
      if (at === text.length) row.push("");
      continue;
    }
    while (text[at] === "\r" || text[at] === "\n") ++at;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

export function trial_rows(text: string): TrialRow[] {
  const [header = [], ...rows] = csv_rows(text);
  const column = (name: string) => header.indexOf(name);
  const [id, curve, step] = [column("trial_id"), column("curve_id"), column("macro_step_s")];
  const [status, relative] = [column("status"), column("relative_residual")];
  const [nrmse, evaluations] = [column("nrmse"), column("rhs_evaluations")];
  const number = (cell: string | undefined) =>
    cell === undefined || cell === "" ? null : Number(cell);
  return rows.map((row) => ({
    id: Number(row[id]),
    curve_id: Number(row[curve]),
    macro_step_s: Number(row[step]),
    status: row[status] ?? "",
    relative_residual: number(row[relative]),
    nrmse: number(row[nrmse]),
    rhs_evaluations: Number(row[evaluations]),
  }));
}
