// Runs the chapters one after another, counts them, and writes the closing line. A chapter fails by
// an exception, or by what the browser found meanwhile.
// biome-ignore lint/suspicious/noControlCharactersInRegex: playwright colours its messages
const colours = /\u001b\[[0-9;]*m/g;

export class Chapters {
  #browser;
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor(browser) {
    this.#browser = browser;
  }

  async run(name, action) {
    const start = performance.now();
    let reason = null;
    try {
      await action();
    } catch (error) {
      reason = String(error.message ?? error).replace(colours, "");
    }
    const findings = this.#browser.take_findings();
    if (findings.length > 0) reason = [reason, ...findings].filter(Boolean).join("\n");
    const time = `${((performance.now() - start) / 1e3).toFixed(1).padStart(5)} s`;
    if (reason === null) {
      this.#passed += 1;
      console.log(`ok     ${time}  ${name}`);
      return;
    }
    this.#failed += 1;
    console.log(`FAILED ${time}  ${name}\n${reason.replace(/^/gm, "       | ")}`);
    try {
      await this.#browser.screenshot(`failed-${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
    } catch {
      // A browser that is gone has been reported by the chapter itself.
    }
  }

  skip(name, why) {
    this.#skipped += 1;
    console.log(`skipped: ${name}: ${why}`);
  }

  /** The exit code. */
  finish() {
    console.log(`${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`);
    return this.#failed === 0 ? 0 : 1;
  }
}

export function check(condition, text) {
  if (!condition) throw new Error(text);
}

export function check_equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(a === b, `${what}: ${a}, not ${b}`);
}

/** Numbers that were printed with `digits` significant digits. */
export function check_close(actual, expected, digits, what) {
  const near =
    actual === expected ||
    (typeof actual === "number" &&
      typeof expected === "number" &&
      Math.abs(actual - expected) <= 0.5000001 * 10 ** (1 - digits) * Math.abs(expected));
  check(near, `${what}: ${actual}, not ${expected}`);
}

/** Asks until the answer is true; what it waited for is the message when it never is. */
export async function wait_until(what, limit_ms, ask) {
  const end = performance.now() + limit_ms;
  while (!(await ask())) {
    check(performance.now() < end, `waited ${limit_ms / 1e3} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
