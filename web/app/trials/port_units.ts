// The units of outputs and inputs by SUBSYSTEM.PORT, from the job or the catalogue. Of FMUs nothing
// is said here: their figures have no unit on the axis.

import type { Job } from "../api/types";
import { unit_text } from "../text/format";

interface Ports {
  name: string;
  inputs?: { name: string; unit?: string }[];
  outputs?: { name: string; unit?: string }[];
}

export interface CatalogueEntry {
  ports_by_coupling?: Record<string, Ports[]>;
  external_inputs?: { to: string; unit: string }[];
}

export function port_units(
  job: Job,
  entry: CatalogueEntry | null,
  coupling: string,
): Map<string, string> {
  const units = new Map<string, string>();
  const add = (subsystem: string, ports: { name: string; unit?: string }[] | undefined) => {
    for (const port of ports ?? [])
      units.set(`${subsystem}.${port.name}`, unit_text(port.unit ?? ""));
  };
  for (const one of entry?.ports_by_coupling?.[coupling] ?? []) {
    add(one.name, one.inputs);
    add(one.name, one.outputs);
  }
  for (const input of entry?.external_inputs ?? []) units.set(input.to, unit_text(input.unit));
  if (typeof job.problem !== "object") return units;
  for (const one of job.problem.subsystems) {
    const matrices = (one as unknown as { state_space?: Omit<Ports, "name"> }).state_space;
    add(one.name, matrices?.inputs);
    add(one.name, matrices?.outputs);
  }
  return units;
}
