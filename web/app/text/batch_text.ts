// Batch systems in words: what a form offers, and how the chunks of a search are.

import type { Batch, ExecutorChoice, Executors } from "../api/types";
import { plural } from "./format";

const names: Record<string, string> = {
  local: "this server",
  slurm: "Slurm",
  command: "the batch command",
};

function executor_name(name: string): string {
  return names[name] ?? name;
}

/** An option of the form; `key` stands for the choice in its <select>. */
export interface ExecutorOption {
  key: string;
  label: string;
  choice: ExecutorChoice | undefined;
}

export function key_of(choice: ExecutorChoice | null | undefined): string {
  return choice ? [choice.name, ...(choice.template ? [choice.template] : [])].join("/") : "";
}

/** The server's own choice first; nothing where there is no choice. */
export function executor_options(offered: Executors): ExecutorOption[] {
  if (offered.executors.length < 2) return [];
  const option = (label: string, choice?: ExecutorChoice) => ({
    key: key_of(choice),
    label,
    choice,
  });
  return [
    option(`As the server does: ${executor_name(offered.default)}`),
    ...offered.executors.flatMap(({ name, templates }) => [
      option(executor_name(name), { name }),
      ...templates.map((template) =>
        option(`${executor_name(name)}, ${template}`, { name, template }),
      ),
    ]),
  ];
}

/** Counts of chunks that are none stay out, but for those that are done. */
export function batch_text({ executor, template, array, chunks }: Batch): string {
  const where = executor_name(executor) + (template ? ` (${template})` : "");
  const counts = [
    [chunks.running, "running"],
    [chunks.queued, "queued"],
    [chunks.failed, "failed"],
    [chunks.resubmitted, "resubmitted"],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const done = `${plural(chunks.done, "chunk")} done`;
  return `On ${where}${array ? `, array ${array}` : ""}: ${[done, ...parts].join(", ")}`;
}
