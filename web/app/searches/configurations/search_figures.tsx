// What a search shows beside its curves, loaded after them: heat map, accuracy against cost, time of
// a macro-step.
import { useMemo } from "preact/hooks";
import "../../style/figures.css";
import type { Curve, Search } from "../../api/types";
import type { SeriesSet } from "../../figures/series";
import { configuration_key, counts } from "../../text/names";
import { HeatMap } from "./heat_map";
import { ParetoPlot } from "./pareto_plot";
import { RunnersUp } from "./runners_up";
import { real_time_share, StepTimePlot } from "./step_time_plot";
import { rank } from "./usable";

interface FiguresProps {
  search: Search;
  curves: Curve[]; // hidden ones left out
  all: Curve[];
  set: SeriesSet;
  highlight: string | null;
  cost_of: string | null; // the test of the figure of costs
  opened: string[];
  open_data: (figure: string, open: boolean) => void;
  on_hover: (key: string | null) => void;
  on_pick: (key: string) => void;
}

/** Below the answer, of finished curves. */
export function WhyNot(props: { search: Search; curves: Map<number, Curve>; version: number }) {
  const { search } = props;
  const ranking = useMemo(() => rank([...props.curves.values()]), [props.version]);
  if (!search.recommendation) return null;
  const limited = real_time_share(search.job) !== null;
  return (
    <RunnersUp
      ranking={ranking}
      answer={search.recommendation}
      meanings={search.flag_meanings ?? {}}
      real_time={limited}
    />
  );
}

/** Everything here rests on finished curves. */
export function SearchFigures(props: FiguresProps) {
  const { search, curves, all, highlight, opened, open_data } = props;
  const ranking = useMemo(() => rank(all), [all]);
  const shown = useMemo(() => {
    const keys = new Set(curves.map((curve) => configuration_key(curve.configuration)));
    return { ...props.set, series: props.set.series.filter((one) => keys.has(one.key)) };
  }, [curves, props.set]);
  const tests = (search.job.tests ?? []).map((one) => one.name);
  const counting = useMemo(() => {
    const rows = search.table?.filter(counts).map((row) => row.test) ?? [];
    return rows.length > 0 ? rows : tests;
  }, [search]);
  if (curves.length === 0) return null;
  const answer = search.recommendation;
  const times = search.step_times ?? [];
  const common = { highlight, on_hover: props.on_hover };
  return (
    <section aria-labelledby="figures-title">
      <h2 id="figures-title">Configurations compared</h2>
      <HeatMap
        {...common}
        search={search.id}
        curves={curves}
        set={shown}
        tests={tests}
        ranking={ranking}
        meanings={search.flag_meanings ?? {}}
      />
      <ParetoPlot
        {...common}
        search={search.id}
        ended={search.finished_at}
        curves={curves}
        set={props.set}
        tests={tests}
        counting={counting}
        test={props.cost_of !== null && tests.includes(props.cost_of) ? props.cost_of : null}
        recommended={
          answer && { key: configuration_key(answer), macro_step_s: answer.macro_step_s }
        }
        data_open={opened.includes("cost")}
        on_data={(open) => open_data("cost", open)}
        on_pick={props.on_pick}
      />
      {times.length > 0 && (
        <StepTimePlot
          rows={times}
          job={search.job}
          recommended={
            answer && { key: configuration_key(answer), macro_step_s: answer.macro_step_s }
          }
          highlight={highlight}
          data_open={opened.includes("step-time")}
          on_data={(open) => open_data("step-time", open)}
        />
      )}
    </section>
  );
}
