// One search in the list: its answer, or how far it is, and, when they are opened, its details.

import type { Summary } from "../../api/types";
import { later } from "../../parts/later";
import { Age, Link, ProgressBar, StatusPill, Tags } from "../../parts/parts";
import { address, toggled, update_view } from "../../parts/route";
import { as_sentence, count, duration, macro_step_text } from "../../text/format";
import { configuration_short, what_is_left } from "../../text/names";
import { name_adds, problem_title, search_title } from "../../text/titles";
import { type ListView, seconds_taken } from "./list_view";

const SearchPanel = later(() => import("./search_panel").then((panel) => panel.SearchPanel));
const columns = 9;

interface RowProps {
  search: Summary;
  view: ListView;
  now: number;
  on_cancel: () => void;
  on_changed: () => void;
  on_deleted: () => void;
}

export function Row(props: RowProps) {
  const { search, view, now } = props;
  const title = search_title(search);
  const is_open = view.open === search.id;
  const seconds = seconds_taken(search, now);
  const panel_id = `panel-${search.id}`;
  return (
    <>
      <tr class={is_open ? "opened" : ""} data-id={search.id}>
        <td data-label="Select" class="select">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={view.selected.includes(search.id)}
            onChange={() => select(toggled(view.selected, search.id))}
          />
        </td>
        <th scope="row" data-label="Search">
          <Link to={address({ search: search.id })}>{title}</Link>
          {name_adds(search) && <span class="muted block">{problem_title(search)}</span>}
          {search.tags.length > 0 && <Tags tags={search.tags} />}
          {search.note !== "" && <span class="muted block note">{search.note}</span>}
        </th>
        <td data-label="State">
          <StatusPill status={search.status} />
          {search.queue_position !== null && (
            <span class="muted block">
              {search.queue_position === 1 ? "next" : `place ${count(search.queue_position)}`}
            </span>
          )}
        </td>
        <td data-label="Result">
          <Result search={search} on_cancel={props.on_cancel} />
        </td>
        <td class="number" data-label="H">
          {search.recommendation ? (
            <b>{macro_step_text(search.recommendation.macro_step_s)}</b>
          ) : (
            "–"
          )}
        </td>
        <td class="number minor" data-label="Trials">
          {count(search.progress.trials_done)}
        </td>
        <td class="number minor" data-label="Took">
          {seconds === null ? "–" : duration(seconds)}
        </td>
        <td class="number" data-label="Age">
          <Age time={search.created_at} now={now} />
        </td>
        <td data-label="">
          <button
            type="button"
            class="small"
            aria-expanded={is_open}
            aria-label={`Details of ${title}`}
            {...(is_open ? { "aria-controls": panel_id } : {})}
            onClick={() => update_view({ open: is_open ? null : search.id })}
          >
            Details
          </button>
        </td>
      </tr>
      {is_open && (
        <tr class="panel-row">
          <td colSpan={columns} id={panel_id}>
            <SearchPanel
              key={search.id}
              search={search}
              now={now}
              on_changed={props.on_changed}
              on_deleted={props.on_deleted}
            />
          </td>
        </tr>
      )}
    </>
  );
}

export function select(ids: string[]): void {
  update_view({ select: ids.length === 0 ? null : ids.join(",") });
}

function Result({ search, on_cancel }: { search: Summary; on_cancel: () => void }) {
  const { progress, recommendation: answer, status } = search;
  if (status === "running" || status === "queued") {
    return (
      <div class="row-progress">
        <ProgressBar progress={progress} label={`Progress of ${search_title(search)}`} />
        <span class="muted">
          {count(progress.curves_done)} of {count(progress.curves_total)} curves
          {status === "running" && what_is_left(progress)}
        </span>
        <button
          type="button"
          class="small"
          onClick={on_cancel}
          aria-label={`Cancel ${search_title(search)}`}
        >
          Cancel
        </button>
      </div>
    );
  }
  if (!answer) return <span class="muted">{as_sentence(search.sentence ?? "")}</span>;
  return (
    <>
      {configuration_short(answer)}
      {!search.complete && <span class="muted block">best so far</span>}
    </>
  );
}
