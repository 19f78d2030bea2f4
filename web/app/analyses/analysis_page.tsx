// One analysis: how far it is, and what it found.
import { useCallback, useEffect, useState } from "preact/hooks";
import { type Analysis, fetch_analysis, is_map } from "../api/analysis_api";
import { message_of } from "../api/api";
import { is_final } from "../api/types";
import { AnalysisLinks } from "../parts/export_links";
import {
  Age,
  JobText,
  Link,
  Message,
  StatusPill,
  use_now,
  use_refetch,
  use_title,
} from "../parts/parts";
import { address, navigate } from "../parts/route";
import { word } from "../text/names";
import { AnalysisActions, AnalysisProgress, analysis_title } from "./analyses_page";
import { MapView } from "./map_view";
import { TuningView } from "./tuning_view";

export function AnalysisPage({ id, route }: { id: string; route: URLSearchParams }) {
  const now = use_now(10_000);
  const [analysis, set_analysis] = useState<Analysis | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const title = analysis ? analysis_title(analysis) : "Analysis";
  use_title(title);
  const load = useCallback(async () => {
    try {
      set_analysis(await fetch_analysis(id));
      set_error(null);
    } catch (failure) {
      set_error(message_of(failure));
    }
  }, [id]);
  useEffect(() => {
    load();
  }, [load]);
  use_refetch(load, analysis !== null && !is_final(analysis.status));

  async function act(action: Promise<unknown>) {
    try {
      if ((await action) === null)
        navigate("/?analyses="); // deleted
      else await load();
    } catch (failure) {
      set_error(message_of(failure));
    }
  }

  if (!analysis) {
    return error ? <Message kind="error">{error}</Message> : <p class="muted">Loading …</p>;
  }
  const { result } = analysis;
  return (
    <>
      <div class="page-head">
        <div>
          <p class="crumb">
            <Link to="/?analyses=">Analyses</Link> <span aria-hidden="true">/</span>
          </p>
          <h1>{title}</h1>
          <p class="muted">
            <StatusPill status={analysis.status} /> · {word(analysis.problem)} ·{" "}
            <Age time={analysis.created_at} now={now} />
          </p>
        </div>
        <div class="actions">
          <Link to={address({ analyse: analysis.problem, from: id })} class="button small">
            Duplicate and edit
          </Link>
          <AnalysisActions row={analysis} title={title} act={act} />
        </div>
      </div>
      {error && <Message kind="error">{error}</Message>}
      {!result && (
        <div class="card">
          <AnalysisProgress row={analysis} title={title} />
        </div>
      )}
      {result && (
        <>
          {is_map(result) ? (
            <MapView id={id} summary={result} route={route} />
          ) : (
            <TuningView result={result} job={analysis.job} route={route} />
          )}
          <AnalysisLinks id={id} />
        </>
      )}
      <details class="card">
        <summary>Job as JSON</summary>
        <JobText job={analysis.job} />
      </details>
    </>
  );
}
