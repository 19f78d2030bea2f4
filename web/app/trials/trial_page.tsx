// One trial: how it ended and why, its course over time, and whether it gives the same again.
import { useEffect, useMemo, useState } from "preact/hooks";
import "../style/trial.css";
import type { Trial } from "../api/trial_types";
import type { Point, Search } from "../api/types";
import { key_range, parse_range, range_text, type TimeRange, whole } from "../figures/time_range";
import { Link, Message, use_title } from "../parts/parts";
import { address, update_view } from "../parts/route";
import { as_sentence, count, duration, joules, macro_step_text, percent } from "../text/format";
import { configuration_short, status_words, test_title, word } from "../text/names";
import { search_title } from "../text/titles";
import { type CatalogueEntry, port_units } from "./port_units";
import { RerunSection } from "./rerun";
import { type Comparing, type Traced, use_comparison } from "./trial_comparison";
import { TrialFigures } from "./trial_figures";
import { use_trial } from "./trial_load";
import { FindTrial, NoTrial } from "./trial_missing";

const address_delay_ms = 200; // while the view moves, its address waits

interface Props {
  search: string;
  route: URLSearchParams;
}

/** By its number, or as the point of a curve, whose number is looked up first. */
export function TrialPage({ search, route }: Props) {
  const number = route.get("trial");
  if (number === null) return <FindTrial search={search} route={route} />;
  if (!/^\d{1,15}$/.test(number))
    return <NoTrial search={search} what={`There is no trial “${number}”`} />;
  return <OneTrial key={number} search={search} number={Number(number)} route={route} />;
}

function OneTrial(props: { search: string; number: number; route: URLSearchParams }) {
  const { number, route } = props;
  const { loaded, traced, curve, missing, error } = use_trial(props.search, number);
  use_title(loaded ? `Trial ${number} of ${search_title(loaded.search)}` : `Trial ${number}`);
  if (!loaded) {
    if (missing) return <NoTrial search={props.search} what={`There is no trial ${number}`} />;
    return error ? <Message kind="error">{error}</Message> : <p class="muted">Loading …</p>;
  }
  const { search, trial, entry } = loaded;
  return (
    <>
      <Head search={search} trial={trial} curve={curve ?? []} />
      <End trial={trial} />
      {error && <Message kind="error">{error}</Message>}
      <Facts trial={trial} />
      {traced && traced.columns.t.length > 1 && (
        <Course {...{ search, trial, traced, curve, entry, route }} />
      )}
      {traced && traced.columns.t.length <= 1 && (
        <p class="muted">The trial ended before its first communication point.</p>
      )}
      {!traced && !error && (
        <p class="muted" role="status">
          Running the trial again for its course over time …
        </p>
      )}
      <RerunSection search={search} trial={trial} />
    </>
  );
}

function Head({ search, trial, curve }: { search: Search; trial: Trial; curve: Point[] }) {
  const at = curve.findIndex((one) => one.trial_id === trial.id);
  const [smaller, larger] = [curve[at - 1], curve[at + 1]];
  const to = (one: Point) => {
    const query = new URLSearchParams(location.search);
    query.set("trial", String(one.trial_id));
    return `/?${query}`;
  };
  return (
    <div class="page-head">
      <div>
        <p class="crumb">
          <Link to="/">Searches</Link> <span aria-hidden="true">/</span>{" "}
          <Link to={address({ search: search.id })}>{search_title(search)}</Link>{" "}
          <span aria-hidden="true">/</span>
        </p>
        <h1>
          Trial {trial.id}: {test_title(trial.test)} at H = {macro_step_text(trial.macro_step_s, 5)}
        </h1>
        <p class="muted">{configuration_short(trial.configuration)}</p>
      </div>
      {at >= 0 && (
        <nav class="steps" aria-label="Trials of this curve">
          {smaller && (
            <Link to={to(smaller)} class="button">
              ← H = {macro_step_text(smaller.macro_step_s, 4)}
            </Link>
          )}
          {larger && (
            <Link to={to(larger)} class="button">
              H = {macro_step_text(larger.macro_step_s, 4)} →
            </Link>
          )}
        </nav>
      )}
    </div>
  );
}

/** Why it did not complete. */
function End({ trial }: { trial: Trial }) {
  if (trial.status === "complete") return null;
  const words = status_words[trial.status] ?? word(trial.status);
  return (
    <Message kind="error">
      <strong>{as_sentence(words)}</strong> {as_sentence(trial.reason ?? "No reason was recorded.")}
    </Message>
  );
}

function Facts({ trial }: { trial: Trial }) {
  const facts: [string, string][] = [
    ["End", status_words[trial.status] ?? word(trial.status)],
    ["Residual energy E", joules(trial.residual_J)],
    [
      "Relative residual",
      trial.relative_residual === null ? "–" : percent(trial.relative_residual),
    ],
    ["Start-up residual", joules(trial.startup_residual_J)],
    ["Macro-steps", count(trial.macro_steps)],
    ["Right-hand sides", count(trial.rhs_evaluations)],
    ["Time", trial.wall_s === null ? "–" : duration(trial.wall_s)],
  ];
  if (trial.event_delay_s) {
    facts.push(["Event later by", duration(trial.event_delay_s)]);
  }
  return (
    <dl class="card trial-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Course(
  props: Comparing & {
    search: Search;
    trial: Trial;
    traced: Traced;
    entry: CatalogueEntry | null;
  },
) {
  const { search, trial, traced, route } = props;
  const { columns } = traced;
  const compared = use_comparison(search, trial, traced, props);
  const full = useMemo(() => whole(columns.t), [columns]);
  const [range, set_range] = useState<TimeRange>(() => parse_range(route.get("t"), full) ?? full);
  const [cursor, set_cursor] = useState<number | null>(null);
  const units = useMemo(
    () => port_units(search.job, props.entry, trial.configuration.coupling),
    [search, props.entry, trial],
  );
  useEffect(() => {
    const timer = setTimeout(() => {
      const text = range_text(range, full);
      if (text !== new URLSearchParams(location.search).get("t")) update_view({ t: text });
    }, address_delay_ms);
    return () => clearTimeout(timer);
  }, [range, full]);
  const view = { range, full, set_range, cursor, set_cursor };
  return (
    <section aria-labelledby="course-title">
      <div class="course-head">
        <h2 id="course-title">Course over time</h2>
        <ZoomButtons view={view} />
      </div>
      <p class="muted small-print">
        All figures show the same stretch of time. Drag to pan; hold Ctrl and turn the wheel to
        zoom; double-click for all. Inside a figure ← → pan, + and − zoom, 0 shows all, and , . move
        from point to point.
        {!columns.complete &&
          ` ${count(columns.t.length)} of the communication points are shown, among them every peak.`}
      </p>
      <TrialFigures
        search={search}
        trial={trial}
        columns={columns}
        connections={traced.trace.connections}
        {...compared}
        units={units}
        view={view}
        route={route}
      />
    </section>
  );
}

function ZoomButtons({
  view,
}: {
  view: { range: TimeRange; full: TimeRange; set_range: (range: TimeRange) => void };
}) {
  const { range, full, set_range } = view;
  const is_all = range[0] === full[0] && range[1] === full[1];
  const buttons: [string, string, string][] = [
    ["←", "Pan left", "ArrowLeft"],
    ["→", "Pan right", "ArrowRight"],
    ["+", "Zoom in", "+"],
    ["−", "Zoom out", "-"],
    ["All", "Show all", "0"],
  ];
  return (
    <div class="zoom" role="group" aria-label="Stretch of time">
      {buttons.map(([text, label, key]) => (
        <button
          key={key}
          type="button"
          class="small"
          aria-label={label}
          disabled={is_all && key !== "+"}
          onClick={() => set_range(key_range(range, key, full) ?? range)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
