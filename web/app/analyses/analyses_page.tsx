// All analyses, newest first.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  type AnalysisRow,
  cancel_analysis,
  delete_analysis,
  fetch_analyses,
} from "../api/analysis_api";
import { message_of } from "../api/api";
import { is_final } from "../api/types";
import { ConfirmedButton } from "../parts/confirmed_button";
import {
  Age,
  Link,
  Message,
  Pager,
  StatusPill,
  use_now,
  use_refetch,
  use_title,
} from "../parts/parts";
import { address } from "../parts/route";
import { as_sentence, count, duration, plural } from "../text/format";
import { word } from "../text/names";

const kind_words: Record<string, string> = { map: "map", tune: "tuning" };

/** Its name unless that is its problem's. */
export function analysis_title(one: AnalysisRow): string {
  if (one.name !== "" && one.name !== one.problem) return one.name;
  const problem = word(one.problem);
  return one.kind === "tune" ? `Tuning of the ${problem}` : `Map of the ${problem}`;
}

export function AnalysesPage({ after }: { after: string | null }) {
  use_title("Analyses");
  const now = use_now(10_000);
  const [rows, set_rows] = useState<AnalysisRow[] | null>(null);
  const [next, set_next] = useState<string | null>(null);
  const [error, set_error] = useState<string | null>(null);

  const wanted = useRef(after);
  wanted.current = after;
  const load = useCallback(async () => {
    try {
      const answer = await fetch_analyses(after);
      if (wanted.current !== after) return; // another page was chosen meanwhile
      set_rows(answer.analyses);
      set_next(answer.next);
      set_error(null);
    } catch (failure) {
      if (wanted.current === after) set_error(message_of(failure));
    }
  }, [after]);
  useEffect(() => {
    load();
  }, [load]);
  use_refetch(load, rows?.some((one) => !is_final(one.status)) ?? false);

  async function act(action: Promise<unknown>) {
    try {
      await action;
      await load();
    } catch (failure) {
      await load();
      set_error(message_of(failure));
      window.scrollTo(0, 0); // to the reason
    }
  }

  return (
    <>
      <div class="page-head">
        <h1>Analyses</h1>
        <Link to="/?analyse=" class="button primary">
          New analysis
        </Link>
      </div>
      {error && <Message kind="error">{error}</Message>}
      {rows === null && !error && <p class="muted">Loading …</p>}
      {rows?.length === 0 && <Empty />}
      {rows && rows.length > 0 && (
        <table class="list analyses">
          <thead>
            <tr>
              <th scope="col">Analysis</th>
              <th scope="col">Kind</th>
              <th scope="col">State</th>
              <th scope="col">Progress</th>
              <th scope="col" class="number">
                Age
              </th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <Row key={one.id} row={one} now={now} act={act} />
            ))}
          </tbody>
        </table>
      )}
      <Pager first={after && "/?analyses="} next={next && address({ analyses: "", after: next })} />
    </>
  );
}

function Row(props: {
  row: AnalysisRow;
  now: number;
  act: (action: Promise<unknown>) => Promise<void>;
}) {
  const { row } = props;
  const title = analysis_title(row);
  return (
    <tr>
      <th scope="row" data-label="Analysis">
        <span>
          <Link to={address({ analysis: row.id })}>{title}</Link>
          <span class="muted block">{word(row.problem)}</span>
        </span>
      </th>
      <td data-label="Kind">
        <span>{kind_words[row.kind] ?? row.kind}</span>
      </td>
      <td data-label="State">
        <StatusPill status={row.status} />
      </td>
      <td data-label="Progress">
        <AnalysisProgress row={row} title={title} />
      </td>
      <td class="number" data-label="Age">
        <Age time={row.created_at} now={props.now} />
      </td>
      <td data-label="">
        <AnalysisActions row={row} title={title} act={props.act} />
      </td>
    </tr>
  );
}

export function AnalysisProgress({ row, title }: { row: AnalysisRow; title: string }) {
  if (!is_final(row.status)) {
    return (
      <div class="row-progress">
        <progress
          max={Math.max(1, row.points_total)}
          value={row.points_done}
          aria-label={`Progress of ${title}`}
        />
        <span class="muted">
          {row.queue_position !== null
            ? `number ${row.queue_position} in the queue`
            : row.kind === "tune"
              ? "tuning"
              : `${count(row.points_done)} of ${count(row.points_total)} points`}
        </span>
      </div>
    );
  }
  if (row.reason) return <span class="muted">{as_sentence(row.reason)}</span>;
  const took = row.wall_s === null ? "" : ` in ${duration(row.wall_s)}`;
  const what = row.kind === "tune" ? "done" : `${plural(row.points_done, "point")}`;
  return <span class="muted">{`${what}${took}`}</span>;
}

/** Cancel while it has not ended, delete afterwards. */
export function AnalysisActions(props: {
  row: AnalysisRow;
  title: string;
  act: (action: Promise<unknown>) => Promise<void>;
}) {
  const { row, title, act } = props;
  if (!is_final(row.status)) {
    return (
      <button
        type="button"
        class="small"
        onClick={() => act(cancel_analysis(row.id))}
        aria-label={`Cancel ${title}`}
      >
        Cancel
      </button>
    );
  }
  return <ConfirmedButton what={title} on_sure={() => act(delete_analysis(row.id))} />;
}

function Empty() {
  return (
    <div class="card empty">
      <h2>No analyses yet</h2>
      <p>
        A map shows over two parameters of a problem where configurations are stable, or accurate. A
        tuning finds settings of the energy correction for one H.
      </p>
      <Link to={address({ analyse: "stiff_oscillator" })} class="button primary">
        Start with a map of the stiff oscillator
      </Link>
    </div>
  );
}
