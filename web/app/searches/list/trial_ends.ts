// How the trials of a search ended.
import type { Curve } from "../../api/types";

/** How many ended how, most frequent first. */
export function ends_of(curves: Curve[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const curve of curves) {
    for (const { status } of curve.points) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}
