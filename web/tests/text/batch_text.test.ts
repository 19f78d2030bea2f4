import { describe, expect, it } from "vitest";
import type { Executors } from "../../app/api/types";
import { batch_text, executor_options, key_of } from "../../app/text/batch_text";

const chunks = { queued: 0, running: 0, done: 0, failed: 0, resubmitted: 0 };
const slurm = { executor: "slurm", template: null, array: "17", rounds: 1, message: null, chunks };

describe("where a search runs", () => {
  it("is no question where the server has threads alone", () => {
    const local: Executors = { default: "local", executors: [{ name: "local", templates: [] }] };
    expect(executor_options(local)).toEqual([]);
  });
  it("is offered with every template of the server", () => {
    const options = executor_options({
      default: "slurm",
      executors: [
        { name: "local", templates: [] },
        { name: "slurm", templates: ["long"] },
      ],
    });
    expect(options.map((one) => one.key)).toEqual(["", "local", "slurm", "slurm/long"]);
    expect(options[0]?.choice).toBeUndefined();
    expect(options[3]?.choice).toEqual({ name: "slurm", template: "long" });
    for (const { key, choice } of options) expect(key_of(choice)).toBe(key);
  });
});

describe("the chunks of a search", () => {
  it("are told with the name of the array", () => {
    expect(batch_text({ ...slurm, chunks: { ...chunks, done: 3, running: 2, queued: 7 } })).toBe(
      "On Slurm, array 17: 3 chunks done, 2 running, 7 queued",
    );
  });
  it("are told with their losses and the template", () => {
    const lost = { ...chunks, done: 1, failed: 1, resubmitted: 1 };
    expect(batch_text({ ...slurm, array: null, template: "long", chunks: lost })).toBe(
      "On Slurm (long): 1 chunk done, 1 failed, 1 resubmitted",
    );
  });
});
