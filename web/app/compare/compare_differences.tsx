// What tells searches apart, and nothing else: members of the jobs, recommendations, curves, cost.
import type { Comparison, CurveDifference } from "../api/compare_api";
import type { Recommendation } from "../api/types";
import { update_view } from "../parts/route";
import { count, duration, plural } from "../text/format";
import { configuration_short, test_title, word } from "../text/names";
import { type Compared, member_name, recommendation_rows, value_texts } from "./compare_model";

interface Row {
  name: string;
  values: string[];
}

interface Part {
  id: string; // in the address, with the page that is shown
  title: string;
  rows: Row[];
  more: number; // that the server does not list
}

const rows_of_page = 25;

export function parts_of(
  comparison: Comparison,
  recommendations: (Recommendation | null)[],
): Part[] {
  const members = (list: Comparison["job"]) =>
    list.map(({ pointer, values }) => ({
      name: member_name(pointer),
      values: value_texts(pointer, values),
    }));
  const of_curves = (list: CurveDifference[]) =>
    list.flatMap(({ configuration, test, present, bend_s, cliff_s }) => {
      const configured = `${configuration_short(configuration)}, ${word(configuration.coupling)}`;
      const name = `${test_title(test)}: ${configured}`;
      const is_there = (n: number) => present === undefined || present[n] === true;
      const texts = (values: (number | null)[]) =>
        value_texts("_s", values).map((text, n) => (is_there(n) ? text : "no such curve"));
      const differs = (values: unknown[]) => new Set(values).size > 1;
      const rows: Row[] = [];
      if (present || differs(bend_s)) rows.push({ name: `${name}: bend`, values: texts(bend_s) });
      if (!present && differs(cliff_s))
        rows.push({ name: `${name}: cliff`, values: texts(cliff_s) });
      return rows;
    });
  const wall = comparison.wall_s.map((one) => (one === null ? "–" : duration(one)));
  const cost = [...members(comparison.cost), { name: "time taken", values: wall }];
  return [
    { id: "job", title: "Job", rows: members(comparison.job), more: comparison.job_more },
    {
      id: "recommendation",
      title: "Recommendation",
      rows: recommendation_rows(comparison.recommendation, recommendations),
      more: comparison.recommendation_more,
    },
    {
      id: "curves",
      title: "Curves that all have",
      rows: of_curves(comparison.curves),
      more: comparison.curves_more,
    },
    {
      id: "some",
      title: "Curves that only some have",
      rows: of_curves(comparison.curves_of_some),
      more: comparison.curves_of_some_more,
    },
    { id: "cost", title: "Cost", rows: cost, more: 0 },
  ].filter((part) => part.rows.length > 0);
}

export function CompareTable(props: {
  comparison: Comparison;
  list: Compared[];
  route: URLSearchParams;
}) {
  const { comparison, list, route } = props;
  const recommendations = list.map((one) => one.search.recommendation);
  return (
    <section aria-labelledby="differences-title">
      <h2 id="differences-title">Differences only</h2>
      {comparison.identical && <p>Nothing differs but the time that they took.</p>}
      {parts_of(comparison, recommendations).map((part) => (
        <PartTable
          key={part.id}
          part={part}
          list={list}
          page={Math.max(1, Number(route.get(`page_${part.id}`)) || 1)}
        />
      ))}
    </section>
  );
}

function PartTable({ part, list, page: wanted }: { part: Part; list: Compared[]; page: number }) {
  const pages = Math.ceil(part.rows.length / rows_of_page);
  const page = Math.min(wanted, pages);
  const rows = part.rows.slice((page - 1) * rows_of_page, page * rows_of_page);
  const show = (next: number) =>
    update_view({ [`page_${part.id}`]: next === 1 ? null : String(next) });
  return (
    <div class="difference">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div class="scroll differences" tabIndex={0} role="region" aria-label={part.title}>
        <table>
          <caption>{part.title}</caption>
          <thead>
            <tr>
              <th scope="col">Member</th>
              {list.map((one) => (
                <th key={one.letter} scope="col">
                  {one.letter}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, n) => (
              <tr key={n}>
                <th scope="row">{row.name}</th>
                {row.values.map((value, column) => (
                  <td key={column}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <nav class="actions" aria-label={`Pages of ${part.title}`}>
          <button type="button" class="small" disabled={page === 1} onClick={() => show(page - 1)}>
            Previous
          </button>
          <span>
            {count(page)} of {count(pages)}
          </span>
          <button
            type="button"
            class="small"
            disabled={page === pages}
            onClick={() => show(page + 1)}
          >
            Next
          </button>
        </nav>
      )}
      {part.more > 0 && (
        <p class="muted">{plural(part.more, "further difference")} not listed by the server.</p>
      )}
    </div>
  );
}
