// Power bonds proposed from units and directions, by the same rule as engine/bonds/bond_proposal.cpp: two
// connections in opposite directions between two subsystems whose units multiply to power.
import { same_dimension, type Unit, unit_from, watts_of } from "../text/units";

export interface Connection {
  from: PortName;
  to: PortName;
  unit: string; // of the output that is connected
}

interface PortName {
  subsystem: string;
  port: string;
}

export interface Bond {
  effort: PortName;
  flow: PortName;
  factor: number | null; // null: the units do not say how the product becomes watts
  /** proposed: no other bond with either is possible; likely: names decided; possible: the user's */
  kind: "proposed" | "likely" | "possible";
}

/** m/s, rad/s, m³/s, A: what flows when an effort drives it. */
const flows: Unit[] = [
  [1, 0, -1, 0, 0],
  [0, 0, -1, 0, 0],
  [3, 0, -1, 0, 0],
  [0, 0, 0, 1, 0],
].map((exponents) => ({ scale: 1, exponents }));

function is_flow(unit: Unit): boolean {
  return flows.some((one) => same_dimension(one, unit));
}

function are_opposite(one: Connection, other: Connection): boolean {
  return (
    one.from.subsystem === other.to.subsystem &&
    one.to.subsystem === other.from.subsystem &&
    one.from.subsystem !== one.to.subsystem
  );
}

/** Length of the longer of common beginning and common end: "force_x", "velocity_x". */
export function likeness(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let start = 0;
  while (start < length && one[start] === other[start]) ++start;
  let end = 0;
  while (end < length && one[one.length - 1 - end] === other[other.length - 1 - end]) ++end;
  return Math.max(start, end);
}

interface Candidate {
  effort: number; // connections
  flow: number;
  factor: number;
  likeness: number;
}

function candidates(connections: Connection[]): Candidate[] {
  const found: Candidate[] = [];
  connections.forEach((effort, e) => {
    const effort_unit = unit_from(effort.unit);
    if (!effort_unit || is_flow(effort_unit)) return;
    connections.forEach((flow, f) => {
      const flow_unit = are_opposite(effort, flow) ? unit_from(flow.unit) : null;
      const factor = watts_of(effort.unit, flow.unit);
      if (!flow_unit || !is_flow(flow_unit) || factor === null) return;
      found.push({
        effort: e,
        flow: f,
        factor,
        likeness:
          likeness(effort.from.port, flow.from.port) + likeness(effort.to.port, flow.to.port),
      });
    });
  });
  return found;
}

/** The proposals, in the order of the connections that carry the efforts. */
export function propose_bonds(connections: Connection[]): Bond[] {
  const open = candidates(connections);
  const shares = (one: Candidate) =>
    open.filter((other) => other.effort === one.effort || other.flow === one.flow).length > 1;
  const taken: Candidate[] = [];
  for (const one of [...open].sort((a, b) => b.likeness - a.likeness)) {
    const is_free = !taken.some((other) => other.effort === one.effort || other.flow === one.flow);
    if (is_free) taken.push(one);
  }
  return taken
    .sort((a, b) => a.effort - b.effort)
    .map((one) => ({
      effort: connections[one.effort]!.from,
      flow: connections[one.flow]!.from,
      factor: one.factor,
      kind: shares(one) ? "likely" : "proposed",
    }));
}

/** Every other pair in opposite directions: the user may know what the units do not say. */
export function possible_bonds(connections: Connection[], proposed: Bond[]): Bond[] {
  const known = new Set(proposed.map((bond) => pair_key(bond.effort, bond.flow)));
  const others: Bond[] = [];
  connections.forEach((one, n) => {
    for (const other of connections.slice(n + 1)) {
      if (!are_opposite(one, other)) continue;
      const unit = unit_from(one.unit);
      const [effort, flow] = unit && is_flow(unit) ? [other, one] : [one, other];
      const key = pair_key(effort.from, flow.from);
      if (known.has(key)) continue;
      known.add(key);
      const factor = watts_of(effort.unit, flow.unit);
      others.push({ effort: effort.from, flow: flow.from, factor, kind: "possible" });
    }
  });
  return others;
}

/** Effort and flow of one pair, whichever is which. */
export function pair_key(one: PortName, other: PortName): string {
  return [`${one.subsystem}.${one.port}`, `${other.subsystem}.${other.port}`].sort().join("*");
}
