// node speed.mjs [--browser FILE] [--seconds 5] [--artifacts DIRECTORY]
//
// How fast the page is, measured by hand: figures of one machine, no test. Against the mock server
// of web/dev with the built page, in headless Chromium with software rendering:
//
//   opening   a search with 20,000 trials and 144 curves, from navigation to its plots painted
//   events    from the arrival of an event to the frame that shows it painted
//   pan       frames of a pan over a trace of a million points
//
// Vite builds the page into a scratch directory first. Needs the packages of install.sh and of web/.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const web = join(here, "../../web");
const text = { type: "string" };
const { values } = parseArgs({
  options: {
    browser: { ...text, default: "/usr/bin/chromium" },
    seconds: { ...text, default: "5" },
    artifacts: text,
  },
});
const opens = 7; // the first one warms up
const start_limit_ms = 20_000;
const trace_limit_ms = 120_000;
const limits = { open_ms: 1000, event_ms: 100, frame_ms: 50 };

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

function report(what, list, limit) {
  const sorted = [...list].sort((a, b) => a - b);
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(
    `${what}: median ${ms(quantile(sorted, 0.5))}, p95 ${ms(quantile(sorted, 0.95))}, ` +
      `worst ${ms(sorted.at(-1))}, ${sorted.length} measured; wanted: p95 at most ${limit} ms`,
  );
}

async function start_server(dist) {
  const script = join(web, "dev/mock_server.mjs");
  const child = spawn(process.execPath, [script, "--port", "0", "--dist", dist, "--seconds", "10"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("the mock server is not ready")), start_limit_ms).unref();
    child.once("exit", (code) => reject(new Error(`the mock server ended with ${code}`)));
    child.stdout.once("data", (part) => resolve(String(part).trim()));
  });
  return { child, url };
}

async function searches(url) {
  const { searches: list } = await (await fetch(`${url}api/v1/searches`)).json();
  return Object.fromEntries(list.map((one) => [one.name, one.id]));
}

/** Painted: the frame after the one in which the condition held first. */
const painted = (condition) =>
  `new Promise((done) => {
    const look = () => (${condition})
      ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
      : requestAnimationFrame(look);
    look();
  })`;

async function measure_opening(page, url, id) {
  const plots = `(() => {
    const lines = document.querySelectorAll("figure.residual .line path.curve[d*=L]");
    return lines.length >= 144;
  })()`;
  const times = [];
  for (let n = 0; n < opens; ++n) {
    await page.goto("about:blank");
    await page.goto(`${url}?search=${id}`, { waitUntil: "commit" });
    const time = await page.evaluate(painted(plots)); // since the navigation began
    if (n > 0) times.push(time);
  }
  report("opening a search of 20,000 trials and 144 curves", times, limits.open_ms);
}

/** Submits a search and follows it: every event of points, until a frame shows its progress. */
async function measure_events(page, url) {
  await page.addInitScript(() => {
    globalThis.paints = [];
    // Events come from the worker that all tabs share.
    const { set: listen } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
    Object.defineProperty(MessagePort.prototype, "onmessage", {
      set(listener) {
        listen.call(this, (message) => {
          const start = performance.now();
          listener(message);
          if (!message.data?.event) return;
          // A task that follows the next frame begins when that frame has been painted.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            listen.call(port1, () => globalThis.paints.push(performance.now() - start));
            port2.postMessage(null);
          });
        });
      },
    });
  });
  const { problems } = await (await fetch(`${url}api/v1/problems`)).json();
  const response = await fetch(`${url}api/v1/searches`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...problems[0].job, name: "measured" }),
  });
  const { id } = await response.json();
  await page.goto(`${url}?search=${id}`);
  await page.getByRole("heading", { name: "Recommendation" }).waitFor({ timeout: 60_000 });
  report("from an event to its paint", await page.evaluate(() => globalThis.paints), limits.event_ms);
}

async function measure_pan(page, url, id, seconds) {
  await page.goto(`${url}?search=${id}&trial=3&t=0.3,0.5`);
  const figure = page.locator(".time-chart .u-over").first();
  await figure.waitFor({ timeout: trace_limit_ms });
  // What it is compared with has a million points of its own.
  await page.getByText("Difference, on the same axis").waitFor({ timeout: trace_limit_ms });
  await page.waitForTimeout(1000);
  for (const [what, keys] of [
    ["a fifth of the series", 0],
    ["two fifths of the series", 1],
  ]) {
    await page.locator(".time-chart").first().focus();
    for (let n = 0; n < keys; ++n) await page.keyboard.press("-");
    await page.waitForTimeout(500);
    const box = await figure.boundingBox(); // the focus may have scrolled the page
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.evaluate(() => {
      globalThis.frames = [];
      let last = performance.now();
      const tick = (now) => {
        globalThis.frames.push(now - last);
        last = now;
        globalThis.ticking = requestAnimationFrame(tick);
      };
      globalThis.ticking = requestAnimationFrame(tick);
    });
    const range = () => new URL(page.url()).searchParams.get("t");
    const before = range();
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    const end = Date.now() + seconds * 1e3;
    for (let n = 0; Date.now() < end; ++n) {
      await page.mouse.move(middle.x + Math.sin(n / 15) * box.width * 0.25, middle.y);
      await page.waitForTimeout(8);
    }
    await page.mouse.move(middle.x + box.width * 0.3, middle.y);
    await page.mouse.up();
    const frames = await page.evaluate(() => {
      cancelAnimationFrame(globalThis.ticking);
      return globalThis.frames.slice(1);
    });
    await page.waitForTimeout(500);
    if (range() === before) throw new Error("the drag did not pan");
    report(`frames of a ${seconds} s pan, ${what} of 1,000,000 points in view`, frames, limits.frame_ms);
  }
  if (values.artifacts) {
    await page.screenshot({ path: join(values.artifacts, "million.png"), fullPage: true });
  }
}

const dist = mkdtempSync(join(tmpdir(), "macrostep-speed-"));
let server = null;
let browser = null;
try {
  const vite = join(web, "node_modules/vite/bin/vite.js");
  const built = spawnSync(process.execPath, [vite, "build", "--outDir", dist, "--emptyOutDir"], {
    cwd: web,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) throw new Error("vite cannot build the page");
  server = await start_server(dist);
  browser = await chromium.launch({
    executablePath: values.browser,
    headless: true,
    args: ["--disable-gpu", "--no-sandbox"],
  });
  const viewport = { width: 1280, height: 900 };
  /** One at a time: a page that another one covers is drawn less often. */
  async function on_page(measure) {
    const context = await browser.newContext({ viewport });
    await measure(await context.newPage());
    await context.close();
  }
  const ids = await searches(server.url);
  await on_page((page) => measure_opening(page, server.url, ids["20 000 trials"]));
  await on_page((page) => measure_events(page, server.url));
  await on_page((page) =>
    measure_pan(page, server.url, ids["a million points"], Number(values.seconds)),
  );
} finally {
  await browser?.close();
  server?.child.kill();
  rmSync(dist, { recursive: true, force: true });
}
