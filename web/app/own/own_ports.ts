// What the subsystems of the form can exchange: ports, what fits what, connections and power bonds.

import type { Fmu, Port } from "../api/fmu_api";
import { unit_text } from "../text/format";
import { same_unit, unknown_unit } from "../text/units";
import {
  type Bond,
  type Connection,
  likeness,
  pair_key,
  possible_bonds,
  propose_bonds,
} from "./bonds";
import { by_tests, type OwnState, parts_of_key, port_key, type SubsystemState } from "./own_state";

/** The FMUs that are known by now. */
export type Fmus = ReadonlyMap<string, Fmu>;

export interface OwnPort {
  key: string;
  subsystem: SubsystemState;
  port: Port;
}

function ports_of(state: OwnState, fmus: Fmus, side: "inputs" | "outputs"): OwnPort[] {
  return state.subsystems.flatMap((subsystem) =>
    (fmus.get(subsystem.fmu)?.[side] ?? [])
      .filter((port) => port.connectable)
      .map((port) => ({ key: port_key(subsystem.id, port.name), subsystem, port })),
  );
}

export function inputs_of(state: OwnState, fmus: Fmus): OwnPort[] {
  return ports_of(state, fmus, "inputs");
}

export function outputs_of(state: OwnState, fmus: Fmus): OwnPort[] {
  return ports_of(state, fmus, "outputs");
}

function is_whole(port: Port): boolean {
  return !port.type.startsWith("float");
}

/** Why the output cannot feed the input; empty: it can. */
export function misfit(input: Port, output: Port): string {
  if (is_whole(input) && !is_whole(output)) return "a real number, not whole";
  if (!same_unit(output.unit, input.unit)) {
    return `${unit_text(output.unit) || "1"}, not ${unit_text(input.unit) || "1"}`;
  }
  return "";
}

interface ChosenConnection {
  input: OwnPort;
  output: OwnPort;
}

/** The connections between ports that exist, in the order of the inputs. */
export function connections_of(state: OwnState, fmus: Fmus): ChosenConnection[] {
  const outputs = new Map(outputs_of(state, fmus).map((one) => [one.key, one]));
  return inputs_of(state, fmus).flatMap((input) => {
    const output = outputs.get(state.sources[input.key] ?? "");
    return output ? [{ input, output }] : [];
  });
}

/** The inputs that the tests drive, in the order of the inputs. */
export function externals_of(state: OwnState, fmus: Fmus): OwnPort[] {
  return inputs_of(state, fmus).filter((one) => state.sources[one.key] === by_tests);
}

export interface OwnBond extends Bond {
  key: string;
}

/** All bonds that the connections allow: those that the units propose first. */
export function bonds_of(state: OwnState, fmus: Fmus): OwnBond[] {
  const name = ({ subsystem, port }: OwnPort) => ({ subsystem: subsystem.id, port: port.name });
  const connections = connections_of(state, fmus).map(
    ({ input, output }): Connection => ({
      from: name(output),
      to: name(input),
      unit: output.port.unit,
    }),
  );
  const proposed = propose_bonds(connections);
  return [...proposed, ...possible_bonds(connections, proposed)].map((bond) => ({
    ...bond,
    key: pair_key(
      { subsystem: bond.effort.subsystem, port: bond.effort.port },
      { subsystem: bond.flow.subsystem, port: bond.flow.port },
    ),
  }));
}

export function confirmed_bonds(state: OwnState, fmus: Fmus): OwnBond[] {
  return bonds_of(state, fmus).filter((bond) => state.bonds[bond.key] !== undefined);
}

/**
 * For every input without a source the output of another subsystem that is in its unit, where there
 * is one, or where names tell which. An output goes to one input of a subsystem at most.
 */
export function fitting_sources(state: OwnState, fmus: Fmus): Record<string, string> {
  const outputs = outputs_of(state, fmus);
  const sources = { ...state.sources };
  const open = inputs_of(state, fmus).filter((input) => !sources[input.key]);
  const pairs = open.flatMap((input) =>
    outputs
      .filter((output) => output.subsystem.id !== input.subsystem.id)
      .filter((output) => output.port.unit !== unknown_unit && input.port.unit !== unknown_unit)
      .filter((output) => misfit(input.port, output.port) === "")
      .map((output) => ({ input, output, like: likeness(input.port.name, output.port.name) })),
  );
  const is_taken = (input: OwnPort, output: OwnPort) =>
    Object.entries(sources).some(
      ([key, source]) => parts_of_key(key)[0] === input.subsystem.id && source === output.key,
    );
  for (const { input, output, like } of [...pairs].sort((a, b) => b.like - a.like)) {
    if (sources[input.key] || is_taken(input, output)) continue;
    const rivals = pairs.filter((one) => one.input === input && one.output !== output);
    if (rivals.every((one) => one.like < like)) sources[input.key] = output.key;
  }
  return sources;
}
