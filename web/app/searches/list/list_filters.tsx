// Above the list: which searches it shows, and in which order. What is chosen is in the address.
import { useEffect, useState } from "preact/hooks";
import { fetch_problems } from "../../api/api";
import { Link } from "../../parts/parts";
import { address, update_view } from "../../parts/route";
import { longest_name, word } from "../../text/names";
import { type ListView, newest_first, sorts, states } from "./list_view";

const typing_delay_ms = 300;

type Changed = Partial<Record<"status" | "problem" | "tag" | "name" | "since" | "until", string>>;

/** Another filter or order begins with its first page. */
function show(change: Changed & { sort?: string }): void {
  const parts = Object.entries(change).map(([name, value]) => [name, value === "" ? null : value]);
  update_view({ ...Object.fromEntries(parts), after: null });
}

export function ListFilters({ view }: { view: ListView }) {
  const has_more = [view.problem, view.tag, view.since, view.until].some((one) => one !== "");
  const [more, set_more] = useState(has_more);
  const known = states.some(([value]) => value === view.status);
  return (
    <form
      class="card filters"
      role="search"
      aria-label="Filter and order searches"
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="filter-row">
        <Typed id="filter-name" label="Name contains" value={view.name} name="name" />
        <Choice
          id="filter-status"
          label="State"
          value={view.status}
          options={known ? states : [...states, [view.status, view.status]]}
          on_change={(status) => show({ status })}
        />
        <Choice
          id="filter-sort"
          label="Order"
          value={view.sort}
          options={sorts}
          on_change={(sort) => show({ sort: sort === newest_first ? "" : sort })}
        />
      </div>
      <details open={more} onToggle={(event) => set_more(event.currentTarget.open)}>
        <summary>More filters</summary>
        {more && <More view={view} />}
      </details>
    </form>
  );
}

function More({ view }: { view: ListView }) {
  const [names, set_names] = useState<string[]>([]);
  useEffect(() => {
    // Without the catalogue there is still what the address says.
    fetch_problems().then(
      (problems) => set_names(problems.map((one) => one.name)),
      () => {},
    );
  }, []);
  const all = [...new Set([...names, "own", view.problem])].filter((name) => name !== "");
  return (
    <div class="filter-row">
      <Choice
        id="filter-problem"
        label="Problem"
        value={view.problem}
        options={[["", "Any"], ...all.map((name): [string, string] => [name, title_of(name)])]}
        on_change={(problem) => show({ problem })}
      />
      <Typed id="filter-tag" label="Tags, all of" value={view.tag} name="tag" />
      <Day id="filter-since" label="Created since (UTC)" value={view.since} name="since" />
      <Day id="filter-until" label="Created until (UTC)" value={view.until} name="until" />
    </div>
  );
}

function title_of(problem: string): string {
  return problem === "own" ? "Own problems" : word(problem);
}

function Choice(props: {
  id: string;
  label: string;
  value: string;
  options: [string, string][];
  on_change: (value: string) => void;
}) {
  return (
    <div class="field">
      <label for={props.id}>{props.label}</label>
      <select
        id={props.id}
        value={props.value}
        onChange={(event) => props.on_change(event.currentTarget.value)}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A text that filters while it is typed. */
function Typed(props: { id: string; label: string; value: string; name: "name" | "tag" }) {
  const [text, set_text] = useState(props.value);
  useEffect(() => set_text(props.value), [props.value]); // back, forward, "clear"
  useEffect(() => {
    if (text === props.value) return;
    const timer = setTimeout(() => show({ [props.name]: text }), typing_delay_ms);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="field">
      <label for={props.id}>{props.label}</label>
      <input
        id={props.id}
        type="text"
        value={text}
        maxLength={longest_name}
        autocomplete="off"
        onInput={(event) => set_text(event.currentTarget.value)}
      />
    </div>
  );
}

function Day(props: { id: string; label: string; value: string; name: "since" | "until" }) {
  return (
    <div class="field">
      <label for={props.id}>{props.label}</label>
      <input
        id={props.id}
        type="date"
        value={props.value}
        onChange={(event) => show({ [props.name]: event.currentTarget.value })}
      />
    </div>
  );
}

/** Where nothing meets the filters. `more`: older ones have not been looked at. */
export function NothingFound({ more }: { more: boolean }) {
  return (
    <div class="card empty">
      <h2>{more ? "None on this page" : "No search meets these filters"}</h2>
      {more && <p>Only the newest searches were looked at; older ones are on the next page.</p>}
      <Link to={address({})} class="button">
        Show all searches
      </Link>
    </div>
  );
}
