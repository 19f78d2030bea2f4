// One search as the page knows it. Events may come twice, late or out of order: points are merged
// by (curve, H), a final status is never taken back by an older event.
import type { Connection, PointEvent, SearchEvent } from "../../api/events";
import { type Curve, is_final, type Point, type Progress, type Search } from "../../api/types";

interface SearchState {
  search: Search | null;
  curves: Map<number, Curve>;
  version: number; // grows with every change of the curves
  unknown_curves: boolean; // points arrived for curves that have not been fetched yet
  stale: boolean; // the stored result is newer than what is shown
  connection: Connection;
}

export type Action =
  // `after_end`: the page knew that the search had ended when it asked for this.
  | { kind: "loaded"; search: Search; curves: Curve[]; after_end: boolean }
  | { kind: "summary"; search: Partial<Search> }
  | { kind: "connection"; connection: Connection }
  | SearchEvent;

export const empty_state: SearchState = {
  search: null,
  curves: new Map(),
  version: 0,
  unknown_curves: false,
  stale: false,
  connection: "none",
};

/**
 * Whether the curves are those of the result: the event of the end brings the answer before anybody
 * has fetched how far each curve may be used.
 */
export function is_settled({ search, stale }: SearchState): boolean {
  return search !== null && is_final(search.status) && !stale;
}

/**
 * Points sorted by H, one per H: the newer one wins, but where an event, which may be late, does not
 * know whether it is inside the linear region.
 */
export function merge_points(old: Point[], added: Point[]): Point[] {
  const by_step = new Map(old.map((point) => [point.macro_step_s, point]));
  for (const point of added) {
    const is_inside =
      point.inside_linear_region ?? by_step.get(point.macro_step_s)?.inside_linear_region ?? null;
    by_step.set(point.macro_step_s, { ...point, inside_linear_region: is_inside });
  }
  return [...by_step.values()].sort((a, b) => a.macro_step_s - b.macro_step_s);
}

/** Events may have overtaken an answer that was under way. */
function newer_progress(known: Search | null, loaded: Search): Progress {
  const is_behind =
    known !== null &&
    known.id === loaded.id &&
    !is_final(loaded.status) &&
    known.progress.trials_done > loaded.progress.trials_done;
  return is_behind ? known.progress : loaded.progress;
}

/** An answer from before the end that arrives after it. A search that was resumed runs again: asked for after the end. */
function is_older_than_end(
  known: Search | null,
  { search, after_end }: { search: Search; after_end: boolean },
): boolean {
  return (
    known !== null &&
    known.id === search.id &&
    is_final(known.status) &&
    !is_final(search.status) &&
    !after_end
  );
}

export function reduce(state: SearchState, action: Action): SearchState {
  switch (action.kind) {
    case "loaded": {
      if (is_older_than_end(state.search, action)) return state; // a newer one is fetched
      // Points that came over the stream while the answer was under way are kept.
      const curves = new Map<number, Curve>();
      for (const curve of action.curves) {
        const known = is_final(action.search.status)
          ? []
          : (state.curves.get(curve.id)?.points ?? []);
        curves.set(curve.id, { ...curve, points: merge_points(known, curve.points) });
      }
      return {
        ...state,
        search: { ...action.search, progress: newer_progress(state.search, action.search) },
        curves,
        version: state.version + 1,
        unknown_curves: false,
        stale: false,
      };
    }
    case "summary":
      return state.search
        ? { ...state, search: { ...state.search, ...action.search }, stale: true }
        : state;
    case "connection":
      return { ...state, connection: action.connection };
    case "status": {
      if (!state.search || state.search.id !== action.search) return state;
      if (is_final(state.search.status) && !is_final(action.status)) return state;
      const progress = action.progress ?? state.search.progress;
      return { ...state, search: { ...state.search, status: action.status, progress } };
    }
    case "changed":
      return state.search?.id === action.search
        ? { ...state, search: { ...state.search, name: action.name } }
        : state;
    case "finished": {
      if (!state.search || state.search.id !== action.search) return state;
      const { status, recommendation, reason, sentence } = action;
      return {
        ...state,
        search: { ...state.search, status, recommendation, reason, sentence },
        stale: true,
      };
    }
    case "points": {
      if (!state.search || state.search.id !== action.search) return state;
      const added = new Map<number, PointEvent[]>();
      for (const point of action.points) {
        added.set(point.curve_id, [...(added.get(point.curve_id) ?? []), point]);
      }
      const curves = new Map(state.curves);
      let unknown = state.unknown_curves;
      for (const [id, points] of added) {
        const curve = curves.get(id);
        if (!curve) {
          unknown = true;
          continue;
        }
        curves.set(id, { ...curve, points: merge_points(curve.points, points) });
      }
      const { progress } = action;
      return {
        ...state,
        search: is_final(state.search.status) ? state.search : { ...state.search, progress },
        curves,
        version: state.version + 1,
        unknown_curves: unknown,
      };
    }
  }
}
