// Two searches side by side, and two tabs on one event stream.
import { readFileSync } from "node:fs";
import { check, check_equal, wait_until } from "../chapters.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

function crane_job(name, extrapolation) {
  const tests = [
    { name: "step", kind: "step", duration_s: 1 },
    { name: "impulse", kind: "impulse", width_s: 0.4, duration_s: 1 },
  ];
  return { problem: "single_actuator_crane", name, search: { extrapolation }, tests };
}

async function streams(server) {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(/^macrostep_event_streams (\d+)$/m)[1]);
}

/** The list shows it so. */
function succeeded(page, id) {
  const row = page.locator(`tr[data-id="${id}"] .pill.succeeded`);
  return row.waitFor({ timeout: compute_limit_ms });
}

/** Two tabs, one of them in the background: both live, by one connection; also after a restart. */
export async function two_tabs({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/?name=Tab`);
  await page.getByRole("heading", { name: "No search meets" }).waitFor();
  const other = await page.context().newPage();
  try {
    await other.goto(`${server.url}/?name=Tab`);
    await other.getByRole("heading", { name: "No search meets" }).waitFor();
    await wait_until("a stream is open", answer_limit_ms, async () => (await streams(server)) > 0);
    check_equal(await streams(server), 1, "event streams of two tabs");
    const first = await server.submit(crane_job("Tab, all orders", ["0", "1", "2"]));
    for (const tab of [page, other]) {
      await succeeded(tab, first.id);
    }
    await other.goto(`${server.url}/?search=${first.id}`);
    await other.getByRole("heading", { name: "Recommendation" }).waitFor();
    check_equal(await streams(server), 1, "event streams after another page");
    await other.goto(`${server.url}/?name=Tab`);

    let second = null;
    await browser.expecting(/ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)|cannot be reached/, async () => {
      await server.end("SIGKILL");
      await server.start();
      await wait_until("the stream is back", answer_limit_ms, async () => (await streams(server)) === 1);
      second = await server.submit(crane_job("Tab, two orders", ["0", "1"]));
      for (const tab of [page, other]) {
        await succeeded(tab, second.id);
      }
    });
    story.compared = [first.id, second.id];
  } finally {
    await other.close();
  }
  const third = await server.submit(crane_job("Tab, the last", ["0"]));
  await succeeded(page, third.id);
  check_equal(await streams(server), 1, "event streams of the tab that is left");
  await server.remove(third.id);
}

export async function compare({ browser, server, story }) {
  const { page } = browser;
  const ids = story.compared;
  await page.goto(`${server.url}/?name=Tab`);
  for (const id of ids) await page.locator(`tr[data-id="${id}"] input`).check();
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("heading", { name: "Compare 2 searches" }).waitFor();
  await page.locator("figure.plot .line").first().waitFor();
  check_equal(await page.locator("figure.plot").count(), 2, "figures");
  check_equal(await page.locator("figure.plot").first().locator(".line").count(), 2, "lines");
  const dashes = await page
    .locator("figure.plot")
    .first()
    .locator(".line .curve")
    .evaluateAll((all) => all.map((one) => one.getAttribute("stroke-dasharray")));
  check_equal(new Set(dashes).size, 2, "dashes");

  const comparison = await server.get(`/compare?ids=${ids.join(",")}`);
  const rows = await page
    .getByRole("region", { name: "Job" })
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  check_equal(rows.length, comparison.job.length, "differing members of the jobs");
  const names = rows.find(([member]) => member === "name");
  check_equal(names, ["name", "Tab, all orders", "Tab, two orders"], "the names");

  await page.getByRole("button", { name: "relative residual", exact: true }).click();
  await page.getByRole("button", { name: "A, Tab, all orders" }).click();
  await wait_until("a line is hidden", answer_limit_ms, async () => {
    return (await page.locator("figure.plot").first().locator(".line").count()) === 1;
  });
  const before = page.url();
  await page.reload();
  await page.locator("figure.plot .line").first().waitFor();
  check_equal(page.url(), before, "address");
  check_equal(
    await page.getByRole("button", { name: "A, Tab, all orders" }).getAttribute("aria-pressed"),
    "false",
    "the hidden search after a reload",
  );
  await page.getByRole("button", { name: "A, Tab, all orders" }).click();

  const figure = page.locator(".plot-area").first();
  await figure.focus();
  await page.keyboard.press("ArrowRight");
  const readout = page.locator("figure.plot .readout").first();
  await wait_until("a point is read out", answer_limit_ms, async () => {
    return (await readout.innerText()).includes(" at H = ");
  });
  await browser.screenshot("compare");
}

export async function files({ browser, server, story }) {
  const { page } = browser;
  const save = async (name, label) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: label }).first().click(),
    ]);
    check_equal(download.suggestedFilename(), name, "name of the file");
    return readFileSync(await download.path(), "utf8");
  };
  const drawing = await save("comparison-step.svg", "Save as SVG");
  const problem = await page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
    if (root.nodeName !== "svg") return `it is a ${root.nodeName}`;
    const lines = [...root.querySelectorAll("path")].filter((one) =>
      one.closest("[stroke^=rgb]"),
    );
    return lines.length > 2 ? null : "it has no coloured lines";
  }, drawing);
  check_equal(problem, null, "the saved figure");
  check(!drawing.includes("class="), "the saved figure needs a style sheet");
  const csv = await save("comparison.csv", "Save as CSV");
  const wanted = await fetch(`${server.url}/api/v1/compare?ids=${story.compared.join(",")}`, {
    headers: { Accept: "text/csv" },
  });
  check_equal(csv, await wanted.text(), "the differences as CSV");

  await page.goto(`${server.url}/?open=${story.compared[0]}`);
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: compute_limit_ms }),
    page.locator(".export-links").getByRole("link", { name: "CSV" }).click(),
  ]);
  const trials = readFileSync(await download.path(), "utf8").trim().split("\n").length - 1;
  const { progress } = await server.get(`/searches/${story.compared[0]}`);
  check_equal(trials, progress.trials_done, "lines of the exported trials");
}
