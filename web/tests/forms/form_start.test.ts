import { describe, expect, test } from "vitest";
import { when_wanted } from "../../app/forms/form_start";

describe("an awaited answer", () => {
  async function heard(wanted: boolean, asked: Promise<string>): Promise<string[]> {
    const said: string[] = [];
    const done = (answer: string) => said.push(answer);
    await when_wanted(
      asked,
      () => wanted,
      done,
      (reason) => said.push(`not: ${reason}`),
    );
    return said;
  }

  test("is told while it is wanted, and so is the reason why there is none", async () => {
    expect(await heard(true, Promise.resolve("a job"))).toEqual(["a job"]);
    expect(await heard(true, Promise.reject(new Error("gone")))).toEqual(["not: gone"]);
  });

  test("is nothing to whoever asks for another by now", async () => {
    expect(await heard(false, Promise.resolve("a job"))).toEqual([]);
    expect(await heard(false, Promise.reject(new Error("gone")))).toEqual([]);
  });
});
