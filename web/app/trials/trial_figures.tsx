// The figures of a trial, all over one stretch of time: outputs against a reference, inputs as they
// were applied, residual power, energy.
import { useMemo } from "preact/hooks";
import type { TraceConnection, Trial } from "../api/trial_types";
import type { Search } from "../api/types";
import { index_series } from "../figures/decimate";
import { type Line, TimeChart, type Track, type View } from "../figures/time_chart";
import { Choice, chosen, TimeFigure } from "../figures/time_figure";
import { value_text } from "../figures/time_table";
import { joules, percent, plural } from "../text/format";
import { extrapolation_long } from "../text/names";
import { applied_input, drawn_order } from "./applied_inputs";
import { difference, energies, largest, resample, type TraceColumns } from "./trace";
import { drawn_inputs, duration_of } from "./trial_model";

/** What the outputs are held against. */
export interface Comparison {
  t: Float64Array;
  outputs: Map<string, Float64Array>;
  label: string;
  nrmse: Record<string, number | null>; // by output, where it is known
}

interface Props {
  search: Search;
  trial: Trial;
  columns: TraceColumns;
  comparison: Comparison | null;
  comparison_note: string; // what it is, or why there is none
  against: string; // the one that is chosen
  choices: { value: string; label: string }[];
  connections: TraceConnection[] | null;
  units: Map<string, string>;
  view: View;
  route: URLSearchParams;
}

const below_width = 3.2;
const colours = ["--x2", "--x1", "--x3", "--x4", "--x6", "--x7", "--x5", "--x0"];

function line(label: string, values: Float64Array, colour: string, more: Partial<Line> = {}): Line {
  return { label, series: index_series(values), colour, ...more };
}

export function TrialFigures(props: Props) {
  return (
    <div class="trial-figures">
      <Outputs {...props} />
      <Inputs {...props} />
      <Power {...props} />
      <Energy {...props} />
      {props.columns.external.size > 0 && <External {...props} />}
    </div>
  );
}

function Outputs(props: Props) {
  const { columns, comparison, units, view, route } = props;
  const names = [...columns.outputs.keys()];
  const name = chosen(route, "output", names);
  const made = useMemo(() => {
    const values = columns.outputs.get(name);
    if (!values) return null;
    const here: Track = {
      t: columns.t,
      lines: [line("co-simulation", values, "--x2", { width: below_width })],
    };
    const other = comparison?.outputs.get(name);
    if (!comparison || !other) return { tracks: [here], below: null, most: null };
    const apart = difference(values, resample(comparison.t, other, columns.t));
    const there = line(comparison.label, other, "--x1", { dash: [6, 4] });
    // At the same times it stands in the table as well.
    const tracks =
      comparison.t === columns.t
        ? [{ ...here, lines: [...here.lines, there] }]
        : [here, { t: comparison.t, lines: [there] }];
    return {
      tracks,
      below: { t: columns.t, lines: [line("difference", apart, "--bad")] },
      most: largest(apart),
    };
  }, [columns, comparison, name]);
  if (!made) return null;
  const unit = units.get(name) ?? "";
  const nrmse = comparison?.nrmse[name] ?? null;
  return (
    <TimeFigure
      name="outputs"
      title="Output over time"
      note={props.comparison_note}
      tracks={made.below ? [...made.tracks, made.below] : made.tracks}
      more={made.below?.lines ?? []}
      units={[unit, unit, unit]}
      view={view}
      route={route}
    >
      <Choice
        label="Output"
        name="output"
        value={name}
        options={names.map((value) => ({ value, label: value }))}
      />
      {props.choices.length > 1 && (
        <Choice
          label="Compared with"
          name="against"
          value={props.against}
          options={props.choices}
        />
      )}
      <TimeChart tracks={made.tracks} view={view} unit={unit} label={`${name} over time`} />
      {made.below && (
        <>
          <p class="muted small-print">
            Difference, on the same axis of time: at the most{" "}
            {made.most === null ? "–" : `${value_text(made.most, 3)} ${unit}`.trim()}
            {nrmse !== null && `; NRMSE of this output ${percent(nrmse)}`}.
          </p>
          <TimeChart
            tracks={[made.below]}
            view={view}
            unit={unit}
            height={150}
            label={`Difference of ${name} from the reference over time`}
          />
        </>
      )}
    </TimeFigure>
  );
}

function Inputs(props: Props) {
  const { trial, columns, connections, units, view, route } = props;
  const order = drawn_order(trial.configuration);
  const inputs = useMemo(
    () => (order === null ? [] : drawn_inputs(connections, [...columns.outputs.keys()])),
    [connections, columns, order],
  );
  const names = inputs.map((one) => one.to);
  const name = chosen(route, "input", names);
  const input = inputs.find((one) => one.to === name);
  const tracks = useMemo(() => {
    const source = input && columns.outputs.get(input.from);
    if (!input || !source || !columns.complete) return null;
    const applied = applied_input(columns.t, source, input.order, input.delay);
    return [
      {
        t: columns.t,
        lines: [line(`exchanged: ${input.from}`, source, "--x1", { points: true })],
      },
      { t: applied.t, lines: [line("as applied", applied.values, "--x2")] },
    ];
  }, [columns, input]);
  const how = extrapolation_long(trial.configuration.extrapolation);
  const why_not = !columns.complete
    ? "The trace does not hold every communication point of so long a trial, so the inputs between them cannot be drawn."
    : order === null
      ? "With this configuration the inputs between communication points follow from more than the exchanged outputs, which is not in the trace."
      : "No connected output is in the trace.";
  if (!input || !tracks) {
    return (
      <section class="card" aria-labelledby="inputs-none">
        <h2 id="inputs-none">Inputs as applied</h2>
        <p class="muted">{why_not}</p>
      </section>
    );
  }
  const unit = units.get(input.from) ?? "";
  return (
    <TimeFigure
      name="inputs"
      title="Input as applied"
      note={`What ${input.to} is over each macro-step: ${input.held ? "held, as its connection says" : how}${input.delay > 0 ? `, ${plural(input.delay, "macro-step")} late` : ""}.`}
      tracks={tracks}
      units={[unit]}
      view={view}
      route={route}
    >
      <Choice
        label="Input"
        name="input"
        value={name}
        options={names.map((value) => ({ value, label: value }))}
      />
      <TimeChart tracks={tracks} view={view} unit={unit} label={`${name} as applied over time`} />
    </TimeFigure>
  );
}

function Power({ columns, view, route }: Props) {
  const tracks = useMemo(
    () => [{ t: columns.t, lines: [line("residual power δP", columns.power_W, "--x4")] }],
    [columns],
  );
  return (
    <TimeFigure
      name="power"
      title="Residual power"
      note="Power that the coupling adds (above zero) or removes by mistake, at the end of each macro-step, summed over the power bonds."
      tracks={tracks}
      units={["W"]}
      view={view}
      route={route}
    >
      <TimeChart tracks={tracks} view={view} unit="W" label="Residual power over time" />
    </TimeFigure>
  );
}

function Energy({ search, trial, columns, view, route }: Props) {
  const test = search.job.tests?.find((one) => one.name === trial.test);
  const sums = useMemo(
    () =>
      columns.complete
        ? energies(columns, trial.configuration.extrapolation, duration_of(test))
        : null,
    [columns, trial, test],
  );
  const tracks = useMemo(
    () =>
      sums && [
        {
          t: columns.t,
          lines: [
            line("net energy added Σ δE", sums.net_J, "--x3"),
            line("residual energy E = Σ |δE|", sums.residual_J, "--x6", { dash: [6, 4] }),
          ],
        },
      ],
    [sums, columns],
  );
  const stored = `Stored: E = ${joules(trial.residual_J)} after a start-up with ${joules(trial.startup_residual_J)}.`;
  if (!tracks) {
    return (
      <section class="card" aria-labelledby="energy-none">
        <h2 id="energy-none">Energy balance of the coupling</h2>
        <p class="muted">
          The trace does not hold every communication point of so long a trial, so the energy cannot
          be summed up over time. {stored}
        </p>
      </section>
    );
  }
  return (
    <TimeFigure
      name="energy"
      title="Energy balance of the coupling"
      note={`The residual power, summed up macro-step by macro-step. Without mistakes of the coupling both stay at zero. ${stored}`}
      tracks={tracks}
      units={["J", "J"]}
      view={view}
      route={route}
    >
      <TimeChart
        tracks={tracks}
        view={view}
        unit="J"
        label="Energy that the coupling adds, over time"
      />
    </TimeFigure>
  );
}

function External({ columns, units, view, route }: Props) {
  const names = [...columns.external.keys()];
  const shared = new Set(names.map((name) => units.get(name) ?? ""));
  const tracks = useMemo(
    () => [
      {
        t: columns.t,
        lines: names.map((name, n) =>
          line(
            name,
            columns.external.get(name)!,
            colours[n % colours.length]!,
            n === 0 ? { width: below_width } : { dash: [4 + 3 * n, 4] },
          ),
        ),
      },
    ],
    [columns],
  );
  return (
    <TimeFigure
      name="external"
      title="Test input"
      note="The external inputs that the test drives, at the communication points."
      tracks={tracks}
      units={names.map((name) => units.get(name) ?? "")}
      view={view}
      route={route}
    >
      <TimeChart
        tracks={tracks}
        view={view}
        unit={shared.size === 1 ? [...shared][0]! : ""}
        height={170}
        label="External inputs over time"
      />
    </TimeFigure>
  );
}
