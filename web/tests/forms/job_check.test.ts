import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../app/api/api";
import type { Job } from "../../app/api/types";
import { type Checked, check_delay_ms, JobCheck } from "../../app/forms/job_check";

const job = (name: string): Job => ({ name });

/** A server that answers when it is told to. */
function slow_server() {
  const asked: { name: string; answer: (text: string) => void; refuse: (why: Error) => void }[] =
    [];
  const ask = (one: Job) =>
    new Promise<string>((answer, refuse) => {
      asked.push({ name: String(one.name), answer, refuse });
    });
  return { asked, ask };
}

describe("check of a job that is typed", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pause = () => vi.advanceTimersByTimeAsync(check_delay_ms);

  it("asks once typing pauses, about the newest job alone", async () => {
    const { asked, ask } = slow_server();
    const check = new JobCheck(ask, () => {});
    for (const name of ["a", "b", "c"]) {
      check.want(job(name));
      await vi.advanceTimersByTimeAsync(check_delay_ms / 2);
    }
    expect(asked).toHaveLength(0);
    await pause();
    expect(asked.map((one) => one.name)).toEqual(["c"]);
  });

  it("has one request under way, drops the old answer and asks again", async () => {
    const { asked, ask } = slow_server();
    const told: Checked<string>[] = [];
    const check = new JobCheck(ask, (one) => told.push(one));
    check.want(job("a"));
    await pause();
    const second = job("b");
    check.want(second);
    await pause();
    expect(asked).toHaveLength(1);
    asked[0]!.answer("of a");
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([]);
    expect(asked.map((one) => one.name)).toEqual(["a", "b"]);
    asked[1]!.answer("of b");
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ job: second, answer: "of b", errors: [], message: null }]);
  });

  it("waits for the pause where typing goes on while an answer comes", async () => {
    const { asked, ask } = slow_server();
    const check = new JobCheck(ask, () => {});
    check.want(job("a"));
    await pause();
    check.want(job("b"));
    asked[0]!.answer("of a");
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(1);
    await pause();
    expect(asked).toHaveLength(2);
  });

  it("tells mistakes by their pointers, and why nothing is known", async () => {
    const { asked, ask } = slow_server();
    const told: Checked<string>[] = [];
    const check = new JobCheck(ask, (one) => told.push(one));
    check.want(job("a"));
    await pause();
    asked[0]!.refuse(new ApiError("Invalid job", 422, [{ pointer: "/name", detail: "bad" }]));
    await vi.advanceTimersByTimeAsync(0);
    check.want(job("b"));
    await pause();
    asked[1]!.refuse(new ApiError("The server cannot be reached.", 0));
    await vi.advanceTimersByTimeAsync(0);
    expect(told.map((one) => [one.errors.length, one.message])).toEqual([
      [1, null],
      [0, "The server cannot be reached."],
    ]);
  });

  it("is silent after its end, and where nothing is wanted any more", async () => {
    const { asked, ask } = slow_server();
    const told: Checked<string>[] = [];
    const check = new JobCheck(ask, (one) => told.push(one));
    check.want(job("a"));
    await pause();
    check.want(null);
    asked[0]!.answer("of a");
    await pause();
    check.want(job("b"));
    check.close();
    await pause();
    expect([asked.length, told.length]).toEqual([1, 0]);
  });
});
