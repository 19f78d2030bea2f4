// The browser, and what must hold on every page at any time: no error on the console, no violation
// of the content security policy, no request to anywhere but the server.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { answer_limit_ms } from "./limits.mjs";

export const wide = { width: 1280, height: 900 };
export const narrow = { width: 320, height: 640 };

const axe_source = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export class Browser {
  #browser;
  #artifacts;
  #shots = 0;
  #findings = [];
  #expected = []; // patterns of console errors that a chapter provokes

  static async launch(executable, artifacts, origin) {
    const self = new Browser();
    self.#artifacts = artifacts;
    self.#browser = await chromium.launch({
      executablePath: executable,
      headless: true,
      args: flags,
      timeout: answer_limit_ms,
    });
    const context = await self.#browser.newContext({ viewport: wide, colorScheme: "light" });
    context.setDefaultTimeout(answer_limit_ms);
    await context.exposeBinding("report_violation", (_source, text) =>
      self.#findings.push(`content security policy: ${text}`),
    );
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        globalThis.report_violation(`${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    self.page = await context.newPage();
    self.page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (self.#expected.some((pattern) => pattern.test(message.text()))) return;
      self.#findings.push(`console ${message.type()}: ${message.text()}`);
    });
    self.page.on("pageerror", (error) => self.#findings.push(`uncaught: ${error.message}`));
    self.page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`)) self.#findings.push(`asks ${request.url()}`);
    });
    return self;
  }

  /** Chromium itself writes refused requests to the console; a chapter names those it provokes. */
  async expecting(pattern, action) {
    this.#expected.push(pattern);
    try {
      return await action();
    } finally {
      this.#expected.pop();
    }
  }

  /** What has been found since the last call. */
  take_findings() {
    return this.#findings.splice(0);
  }

  async screenshot(name) {
    const number = String(++this.#shots).padStart(3, "0");
    await this.page.evaluate(() => document.fonts.ready.then(() => window.scrollTo(0, 0)));
    await this.page.screenshot({
      path: join(this.#artifacts, `${number}-${name}.png`),
      fullPage: true,
    });
  }

  /** Rules of WCAG 2.2 AA and axe's best practices that the page breaks, one line each. */
  async accessibility_findings() {
    // Evaluated, not added as a script: the page's policy forbids inline scripts, and must.
    await this.page.evaluate(axe_source);
    const { violations } = await this.page.evaluate(() => globalThis.axe.run(document));
    return violations.map(
      (one) =>
        `${one.id}: ${one.help} at ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`,
    );
  }

  close() {
    return this.#browser.close();
  }
}
