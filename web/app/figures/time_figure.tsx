// The frame of a figure over time: caption, charts, what the lines are, what the cursor points at,
// and the numbers as a table.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { update_view } from "../parts/route";
import { macro_step_text } from "../text/format";
import { first_at } from "./decimate";
import type { Line, Track, View } from "./time_chart";
import { TimeTable, value_text } from "./time_table";

/** A figure with its caption, charts, legend, readout and table. */
export function TimeFigure(props: {
  name: string;
  title: string;
  note?: ComponentChildren;
  tracks: Track[]; // the first one is read out and in the table
  units: string[];
  view: View;
  route: URLSearchParams;
  more?: Line[]; // of the table, on the times of the first track
  children: ComponentChildren;
}) {
  const { name, title, view, route } = props;
  const opened = (route.get("data") ?? "").split(",").filter((one) => one !== "");
  const toggle = (open: boolean) => {
    if (open === opened.includes(name)) return;
    const next = opened.filter((one) => one !== name).concat(open ? name : []);
    update_view({ data: next.length === 0 ? null : next.join(",") });
  };
  // All figures follow one cursor; only the one with the focus says where it is.
  const [focused, set_focused] = useState(false);
  const first = props.tracks[0]!;
  const track = { t: first.t, lines: [...first.lines, ...(props.more ?? [])] };
  return (
    <figure
      class="plot over-time"
      aria-labelledby={`caption-${name}`}
      onFocusIn={() => set_focused(true)}
      onFocusOut={() => set_focused(false)}
    >
      <figcaption id={`caption-${name}`}>
        <h2>{title}</h2>
        {props.note && <p class="muted">{props.note}</p>}
      </figcaption>
      {props.children}
      <ul class="keys">
        {props.tracks
          .flatMap((one) => one.lines)
          .map((one) => (
            <li key={one.label}>
              <svg width="30" height="10" aria-hidden="true" data-colour={one.colour.slice(2)}>
                {one.points ? (
                  <circle cx="15" cy="5" r="3" />
                ) : (
                  <path
                    d="M0 5H30"
                    stroke-width={one.width ?? 1.6}
                    stroke-dasharray={one.dash?.join(" ") ?? ""}
                  />
                )}
              </svg>
              {one.label}
            </li>
          ))}
      </ul>
      <Readout track={track} units={props.units} view={view} live={focused} />
      <TimeTable
        title={title}
        track={track}
        units={props.units}
        view={view}
        open={opened.includes(name)}
        on_toggle={toggle}
      />
    </figure>
  );
}

function Readout(props: { track: Track; units: string[]; view: View; live: boolean }) {
  const { track, units, view } = props;
  const { t, lines } = track;
  if (view.cursor === null || t.length === 0) {
    return <p class="readout muted">Point into the figure, or press “,” or “.” inside it.</p>;
  }
  const right = Math.min(t.length - 1, first_at(t, view.cursor));
  const left = Math.max(0, right - 1);
  const at = view.cursor - t[left]! < t[right]! - view.cursor ? left : right;
  return (
    <p class="readout" aria-live={props.live ? "polite" : "off"}>
      t = {macro_step_text(t[at]!, 6)}:{" "}
      {lines.map((one, n) => (
        <span key={one.label} class="value">
          {one.label} {value_text(one.series.values[at]!, 5)} {units[n]}
        </span>
      ))}
    </p>
  );
}

export function Choice(props: {
  label: string;
  name: string;
  value: string;
  options: { value: string; label: string }[];
}) {
  return (
    <div class="field inline">
      <label for={`choose-${props.name}`}>{props.label}</label>
      <select
        id={`choose-${props.name}`}
        value={props.value}
        onChange={(event) => update_view({ [props.name]: event.currentTarget.value })}
      >
        {props.options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The one in the address, if there is such a one, else the first. */
export function chosen(route: URLSearchParams, name: string, all: string[]): string {
  const wanted = route.get(name);
  return wanted !== null && all.includes(wanted) ? wanted : (all[0] ?? "");
}
