// Two or more searches side by side: what they recommend, their curves, and what tells them apart.
import { useEffect, useState } from "preact/hooks";
import { fetch_curves, fetch_search, fetch_text, message_of } from "../api/api";
import { type Comparison, comparison_path, fetch_comparison } from "../api/compare_api";
import { open_stream, type SearchEvent } from "../api/events";
import { is_final } from "../api/types";
import { save_text } from "../figures/figure_export";
import type { SeriesSet } from "../figures/series";
import { when_wanted } from "../forms/form_start";
import { Link, Message, StatusPill, use_title } from "../parts/parts";
import { address, listed } from "../parts/route";
import { macro_step_text, percent, plural } from "../text/format";
import { configuration_short } from "../text/names";
import { name_adds, problem_title, search_title } from "../text/titles";
import { CompareCurves } from "./compare_curves";
import { CompareTable } from "./compare_differences";
import { type Compared, letter_of, series_of } from "./compare_model";

export function ComparePage({ route }: { route: URLSearchParams }) {
  use_title("Compare searches");
  const ids = listed(route, "compare");
  const [comparison, set_comparison] = useState<Comparison | null>(null);
  const [list, set_list] = useState<Compared[] | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const [ended, set_ended] = useState(0); // of the compared searches, since the page is open
  useEffect(() => {
    if (ids.length < 2) return;
    let wanted = true;
    const is_wanted = () => wanted;
    when_wanted(fetch_comparison(ids), is_wanted, set_comparison, set_error);
    when_wanted(fetch_compared(ids), is_wanted, set_list, set_error);
    return () => {
      wanted = false;
    };
  }, [ended, ids.join(",")]);
  const is_live = list?.some((one) => !is_final(one.search.status)) ?? false;
  useEffect(() => {
    if (!is_live) return;
    const count_it = () => set_ended((old) => old + 1);
    const event = (one: SearchEvent) => {
      if (one.kind === "finished" && ids.includes(one.search)) count_it();
    };
    return open_stream(null, { event, connection: () => {}, refresh: count_it });
  }, [is_live]);
  const loading = ids.length >= 2 && !error && !(comparison && list);
  return (
    <>
      <div class="page-head">
        <div>
          <p class="crumb">
            <Link to="/">Searches</Link> <span aria-hidden="true">/</span>
          </p>
          <h1>Compare {plural(ids.length, "search")}</h1>
        </div>
        {comparison && <Files ids={ids} on_error={set_error} />}
      </div>
      {ids.length < 2 && (
        <Message kind="note">
          Select two or more searches in{" "}
          <Link to={address({ select: ids.join(",") })}>the list</Link> to compare them.
        </Message>
      )}
      {error && <Message kind="error">{error}</Message>}
      {loading && <p class="muted">Loading …</p>}
      {list && new Set(list.map((one) => problem_title(one.search))).size > 1 && (
        <Message kind="note">
          These searches are of different problems: no H or residual of one says anything about
          another.
        </Message>
      )}
      {list && <Recommended list={list} set={series_of(list)} ids={ids} />}
      {list && <CompareCurves list={list} route={route} />}
      {comparison && list && <CompareTable comparison={comparison} list={list} route={route} />}
    </>
  );
}

/** One search after the other: curves are large, and a browser has few connections. */
async function fetch_compared(ids: string[]): Promise<Compared[]> {
  const list: Compared[] = [];
  for (const [n, id] of ids.entries()) {
    const [search, curves] = await Promise.all([fetch_search(id), fetch_curves(id)]);
    list.push({ letter: letter_of(n), search, curves });
  }
  return list;
}

function Files({ ids, on_error }: { ids: string[]; on_error: (text: string) => void }) {
  const path = comparison_path(ids);
  async function save_csv() {
    try {
      save_text(await fetch_text(path, "text/csv"), "comparison.csv", "text/csv");
    } catch (failure) {
      on_error(message_of(failure));
    }
  }
  return (
    <p class="export-links">
      Differences as{" "}
      <a href={`/api/v1${path}`} download="comparison.json">
        JSON
      </a>{" "}
      <button type="button" class="small" onClick={save_csv}>
        Save as CSV
      </button>
    </p>
  );
}

/** The sign of a search in the figures. */
export function Sign({ set, id }: { set: SeriesSet; id: string }) {
  const series = set.by_key.get(id);
  const style = series && set.styles[series.style];
  if (!series || !style) return null;
  return (
    <svg class={`sign line ${series.colour}`} width="40" height="12" aria-hidden="true">
      <path class="curve" d="M0 6H40" stroke-dasharray={style.dash} />
      <path class="markers" d={`M20,6${style.marker}`} />
    </svg>
  );
}

function Recommended({ list, set, ids }: { list: Compared[]; set: SeriesSet; ids: string[] }) {
  return (
    <section aria-labelledby="recommended-title">
      <h2 id="recommended-title">What they recommend</h2>
      <table class="list compared">
        <thead>
          <tr>
            <th scope="col">Search</th>
            <th scope="col">State</th>
            <th scope="col">Recommended configuration</th>
            <th scope="col" class="number">
              H
            </th>
            <th scope="col" class="number">
              Relative residual
            </th>
            <th scope="col">
              <span class="unseen">Leave out</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map(({ letter, search }) => {
            const answer = search.recommendation;
            const title = search_title(search);
            const others = ids.filter((id) => id !== search.id).join(",");
            return (
              <tr key={search.id}>
                <th scope="row" data-label="Search">
                  <span class="lettered">
                    <b>{letter}</b> <Sign set={set} id={search.id} />{" "}
                    <Link to={address({ search: search.id })}>{title}</Link>
                  </span>
                  {name_adds(search) && <span class="muted block">{problem_title(search)}</span>}
                </th>
                <td data-label="State">
                  <StatusPill status={search.status} />
                </td>
                <td data-label="Result">{answer ? configuration_short(answer) : "–"}</td>
                <td class="number" data-label="H">
                  <b>{macro_step_text(answer?.macro_step_s ?? null)}</b>
                </td>
                <td class="number" data-label="Residual">
                  {answer?.relative_residual == null ? "–" : percent(answer.relative_residual)}
                </td>
                <td data-label="">
                  {ids.length > 2 && (
                    <Link to={address({ compare: others })} class="button small">
                      Leave out <span class="unseen">{title}</span>
                    </Link>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
