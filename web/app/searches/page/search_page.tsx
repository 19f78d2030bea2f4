// One search: the answer first, then the table and the curves it rests on.
import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import { ApiError, cancel, fetch_curves, fetch_search, message_of } from "../../api/api";
import { open_stream } from "../../api/events";
import { is_final, type Search } from "../../api/types";
import { ExportLinks } from "../../parts/export_links";
import { later } from "../../parts/later";
import {
  Age,
  JobText,
  Link,
  Message,
  ProgressBar,
  StatusPill,
  Tags,
  use_now,
  use_title,
} from "../../parts/parts";
import { address, navigate } from "../../parts/route";
import { as_sentence, count, duration, plural } from "../../text/format";
import { what_is_left } from "../../text/names";
import {
  is_own,
  name_adds,
  problem_title,
  search_title,
  whose_integrators,
} from "../../text/titles";
import { Answer, PaperRule } from "../answer/answer";
import { FmuRoles } from "../answer/fmu_roles";
import { Glossary } from "../answer/glossary";
import { ResultTable } from "../answer/result_table";
import { CurvesSection } from "../curves/curves_section";
import { SearchActions } from "../list/search_actions";
import { SearchNotes } from "../list/search_notes";
import { BatchState } from "./batch_state";
import { type Action, empty_state, is_settled, reduce } from "./search_state";

const WhyNot = later(() => import("../configurations/search_figures").then((part) => part.WhyNot));
const retry_interval_ms = 3_000;

export function SearchPage({ id, route }: { id: string; route: URLSearchParams }) {
  const [state, dispatch] = useReducer(reduce, empty_state);
  const [error, set_error] = useState<ApiError | null>(null);
  const { search } = state;
  const loading = useRef(false);
  const again = useRef(false);
  const ended = useRef(false);
  ended.current = search !== null && is_final(search.status);
  const [noting, set_noting] = useState(false);

  const load = useCallback(async () => {
    if (loading.current) {
      again.current = true; // something changed while the answer was under way
      return;
    }
    loading.current = true;
    try {
      do {
        again.current = false;
        const after_end = ended.current;
        const fetched = await fetch_search(id);
        const curves = await fetch_curves(id); // not before it: an end that it tells is in them
        dispatch({ kind: "loaded", search: fetched, curves, after_end });
      } while (again.current);
      set_error(null);
    } catch (failure) {
      set_error(failure instanceof ApiError ? failure : new ApiError(message_of(failure), 0));
    } finally {
      loading.current = false;
    }
  }, [id]);

  use_title(search ? search_title(search) : "Search");
  useEffect(() => {
    load();
  }, [load]);
  useEffect(() => {
    if (state.unknown_curves || state.stale) load();
  }, [state.unknown_curves, state.stale, load]);
  useEffect(() => {
    if (!error || error.status === 404) return;
    const timer = setTimeout(load, retry_interval_ms);
    return () => clearTimeout(timer);
  }, [error, load]);

  const active = search !== null && !is_final(search.status);
  useEffect(() => {
    if (!active) return;
    // Batches arrive faster than the screen is drawn: one change of the page per frame.
    let waiting: Action[] = [];
    let frame = 0;
    const close = open_stream(id, {
      event: (action) => {
        waiting.push(action);
        if (frame !== 0) return;
        frame = requestAnimationFrame(() => {
          frame = 0;
          const actions = waiting;
          waiting = [];
          for (const one of actions) dispatch(one);
        });
      },
      connection: (connection) => dispatch({ kind: "connection", connection }),
      refresh: load,
    });
    load(); // what happened between the first answer and the stream
    return () => {
      close();
      cancelAnimationFrame(frame);
      for (const one of waiting) dispatch(one);
      dispatch({ kind: "connection", connection: "none" });
    };
  }, [active, id, load]);

  if (!search) {
    if (error?.status === 404) return <NotFound id={id} />;
    return error ? <Message kind="error">{error.message}</Message> : <p class="muted">Loading …</p>;
  }

  async function stop() {
    try {
      dispatch({ kind: "summary", search: await cancel(id) });
    } catch (failure) {
      set_error(new ApiError(message_of(failure), 0));
    }
  }

  return (
    <>
      <Head search={search} on_changed={load} />
      {error && <Message kind="error">{error.message}</Message>}
      {active && <Live search={search} lost={state.connection === "lost"} on_cancel={stop} />}
      <Result search={search} />
      {is_settled(state) && (
        <WhyNot search={search} curves={state.curves} version={state.version} />
      )}
      <FmuRoles search={search} />
      <Glossary route={route} />
      {search.table && search.table.length > 0 && (
        <section aria-labelledby="table-title">
          <h2 id="table-title">Largest H per test input, as measured</h2>
          <ResultTable
            rows={search.table}
            tests={search.job.tests ?? []}
            meanings={search.flag_meanings ?? {}}
            whose={whose_integrators(search)}
          />
        </section>
      )}
      <CurvesSection
        search={search}
        curves={state.curves}
        version={state.version}
        settled={is_settled(state)}
        route={route}
      />
      <details
        class="card"
        open={noting}
        onToggle={(event) => set_noting(event.currentTarget.open)}
      >
        <summary>Name, tags and note</summary>
        {noting && <SearchNotes search={search} on_changed={load} />}
      </details>
      <details class="card">
        <summary>Job as JSON</summary>
        <JobText job={search.job} recommended={search.recommendation ? id : null} />
      </details>
      <ExportLinks id={id} has_answer={search.recommendation !== null} />
      <Cost search={search} />
    </>
  );
}

function NotFound({ id }: { id: string }) {
  return (
    <>
      <div class="page-head">
        <h1>Search not found</h1>
      </div>
      <Message kind="error">
        There is no search “{id}” on this server. It may have been deleted, or the address is
        incomplete.
      </Message>
      <p>
        <Link to="/">All searches</Link>
      </p>
    </>
  );
}

function Head({ search, on_changed }: { search: Search; on_changed: () => void }) {
  const now = use_now(10_000);
  return (
    <div class="page-head">
      <div>
        <p class="crumb">
          <Link to="/">Searches</Link> <span aria-hidden="true">/</span>
        </p>
        <h1>{search_title(search)}</h1>
        <p class="muted">
          {name_adds(search) && `${problem_title(search)} · `}
          <StatusPill status={search.status} /> · <Age time={search.created_at} now={now} />
        </p>
        <Written search={search} />
      </div>
      <div class="head-actions">
        <SearchActions
          search={search}
          on_changed={on_changed}
          on_deleted={() => navigate("/", "replace")}
          cancel_elsewhere
        >
          <Link to={address({ select: search.id })} class="button small">
            Compare with another
          </Link>
          {!is_own(search) && (
            <Link to={address({ analyse: search.problem })} class="button small">
              Analyse this problem
            </Link>
          )}
        </SearchActions>
      </div>
    </div>
  );
}

/** What somebody wrote on it, as in the list. */
function Written({ search }: { search: Search }) {
  if (search.tags.length === 0 && search.note === "") return null;
  return (
    <div class="written">
      {search.tags.length > 0 && <Tags tags={search.tags} />}
      {search.note !== "" && <p class="note">{search.note}</p>}
    </div>
  );
}

function Live(props: { search: Search; lost: boolean; on_cancel: () => void }) {
  const { progress, status } = props.search;
  return (
    <div class="card live">
      <div>
        <p role="status">
          {status === "queued" && "Waiting for its turn. "}
          {status === "interrupted" && "Interrupted; the server resumes it when it starts. "}
          {count(progress.curves_done)} of {plural(progress.curves_total, "curve")},{" "}
          {plural(progress.trials_done, "trial")}
          {status === "running" && what_is_left(progress)}
        </p>
        <ProgressBar progress={progress} label="Curves done" />
        <BatchState search={props.search} />
        {props.lost && <p class="muted">The live connection is lost; trying again …</p>}
      </div>
      <button type="button" onClick={props.on_cancel}>
        Cancel search
      </button>
    </div>
  );
}

function Result({ search }: { search: Search }) {
  const final = is_final(search.status);
  const { curves_done, curves_total } = search.progress;
  if (!search.recommendation) {
    if (!final) return null;
    if (!search.sentence) return null;
    return (
      <Message kind={search.status === "failed" ? "error" : "warning"}>
        {as_sentence(search.sentence)}
      </Message>
    );
  }
  return (
    <>
      {final && !search.complete && (
        <Message kind="warning">
          This search is not complete: the best so far, from {count(curves_done)} of{" "}
          {plural(curves_total, "curve")}. {as_sentence(search.reason ?? "")}
        </Message>
      )}
      <div class="answers">
        <Answer
          answer={search.recommendation}
          whose={whose_integrators(search)}
          sentence={search.sentence ?? search.recommendation.sentence ?? ""}
        />
        {search.paper_rule && search.recommendation.rule !== "paper" && (
          <PaperRule answer={search.paper_rule} main={search.recommendation} />
        )}
      </div>
    </>
  );
}

function Cost({ search }: { search: Search }) {
  const { cost, provenance } = search;
  if (!cost && !provenance) return null;
  return (
    <p class="muted small-print">
      {cost &&
        `${plural(cost.trials, "trial")}, ${plural(cost.rhs_evaluations, "right-hand-side evaluation")}, ${duration(cost.wall_s)}. `}
      {provenance && `macrostep ${provenance.version}, build ${provenance.build_id.slice(0, 12)}.`}
    </p>
  );
}
