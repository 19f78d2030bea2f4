// What a trial is held against: the monolithic solution, which its trace has, or the trial of the
// same curve with the smallest H.
import { useEffect, useMemo, useState } from "preact/hooks";
import { message_of } from "../api/api";
import { fetch_trace } from "../api/trial_api";
import type { Trace, Trial } from "../api/trial_types";
import type { Point, Search } from "../api/types";
import { as_sentence, macro_step_text, percent } from "../text/format";
import { columns_of, type TraceColumns } from "./trace";
import type { Comparison } from "./trial_figures";
import { reference_of } from "./trial_model";

/** Over time, and what it may be compared with. */
export interface Traced {
  trace: Omit<Trace, "rows">;
  columns: TraceColumns;
}

function monolithic({ trace, columns }: Traced): Comparison | null {
  if (!trace.reference || !columns.reference) return null;
  return {
    t: columns.t,
    outputs: columns.reference,
    label: "monolithic solution",
    nrmse: trace.reference.outputs,
  };
}

function monolithic_note({ reference }: Traced["trace"]): string {
  const error =
    reference?.nrmse == null
      ? ""
      : `: off by ${percent(reference.nrmse)} of the standard deviation of the outputs that another subsystem reads (NRMSE)`;
  return `Against the monolithic solution of the same test input${error}.`;
}

export interface Comparing {
  curve: Point[] | null; // null: not known yet
  route: URLSearchParams;
}

/** The trial with the smallest H of the same curve, once it is wanted. */
function use_smallest(search: Search, other: Point | null, is_asked: boolean) {
  const [smallest, set_smallest] = useState<Comparison | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const trial = is_asked ? (other?.trial_id ?? null) : null;
  useEffect(() => {
    if (trial === null || other === null) return;
    let wanted = true;
    fetch_trace(search.id, trial, () => wanted).then(
      (trace) => {
        if (!wanted) return;
        const { t, outputs } = columns_of(trace);
        const label = `H = ${macro_step_text(other.macro_step_s)}`;
        set_smallest({ t, outputs, label, nrmse: {} });
      },
      (failure) => wanted && set_error(message_of(failure)),
    );
    return () => {
      wanted = false;
    };
  }, [search.id, trial]);
  return { smallest, error };
}

export function use_comparison(search: Search, trial: Trial, traced: Traced, props: Comparing) {
  const exact = useMemo(() => monolithic(traced), [traced]);
  const other = useMemo(
    () => (props.curve ? reference_of(props.curve, trial.macro_step_s) : null),
    [props.curve, trial],
  );
  const against =
    exact && !(props.route.get("against") === "smallest" && other) ? "reference" : "smallest";
  const { smallest, error } = use_smallest(search, other, against === "smallest");
  const choices = [
    ...(exact ? [{ value: "reference", label: "monolithic solution" }] : []),
    ...(other
      ? [{ value: "smallest", label: `smallest H, ${macro_step_text(other.macro_step_s)}` }]
      : []),
  ];
  const common = { against, choices };
  if (exact && against === "reference")
    return { ...common, comparison: exact, comparison_note: monolithic_note(traced.trace) };
  const reason = traced.trace.reference_reason;
  const why = exact || reason === null ? "" : ` ${as_sentence(reason)}`;
  const note = () => {
    if (error) return `What to compare it with could not be loaded: ${error}`;
    if (props.curve === null || (other && !smallest)) return "Loading what to compare it with …";
    if (!other)
      return `There is nothing to compare it with: no complete trial of this configuration has a smaller H.${why}`;
    return `Against the trial of the same configuration with the smallest H, ${macro_step_text(other.macro_step_s)}, which is not the monolithic solution.${why}`;
  };
  return { ...common, comparison: smallest, comparison_note: note() };
}
