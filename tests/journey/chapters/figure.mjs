// What a search shows beside its curves: the same numbers as REST, and a way into each trial.
import { check, check_close, check_equal, wait_until } from "../chapters.mjs";
import { seconds_of, shown_step } from "../page_text.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

async function open_search({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/?search=${story.id}`);
  await page.locator("figure.residual .line").first().waitFor();
  await page.getByRole("heading", { name: "Configurations compared" }).waitFor();
  return page;
}

export async function heat_map(context) {
  const page = await open_search(context);
  const { table, job } = context.story.search;
  const { curves } = await context.server.get(`/searches/${context.story.id}/curves`);
  const header = await page.locator(".heat thead th").allInnerTexts();
  check_equal(header.length, job.tests.length + 2, "columns of the heat map");
  const rows = await page.locator(".heat tbody tr").all();
  const cells = await Promise.all(rows.map((row) => row.locator("td").allInnerTexts()));
  for (const [n, row] of table.entries()) {
    // Beside the largest of a test stands a dot, and "largest" for who cannot see it; likewise
    // beside what is verified.
    const own = curves.filter((curve) => curve.test === row.test);
    const usable_s = Math.max(...own.map((curve) => curve.usable_s ?? 0));
    const of_test = cells.map((list) => list[n]);
    const largest = of_test.filter((text) => text.includes("largest"));
    const reached = own.filter((curve) => curve.usable_s === usable_s);
    check_equal(largest.length, reached.length, `largest H of ${row.test}`);
    for (const text of largest) {
      const shown = Number(text.match(/[0-9.]+/)[0]) / 1e3;
      check_close(shown, shown_step(usable_s), 4, `H of ${row.test} in the heat map`);
    }
    const verified = own.filter((curve) => curve.flags.includes("verified"));
    const marked = of_test.filter((text) => text.includes("verified"));
    check_equal(marked.length, verified.length, `verified H of ${row.test}`);
  }
  const answer = cells.map((list) => Number(list[job.tests.length]) / 1e3);
  const largest = Math.max(...answer.filter((value) => !Number.isNaN(value)));
  const wanted = shown_step(context.story.search.recommendation.macro_step_s);
  check_close(largest, wanted, 4, "the largest H in all tests");
}

export async function runners_up(context) {
  const page = await open_search(context);
  const rows = await page.locator("table.runners tbody tr").all();
  check(rows.length > 0, "nothing comes after the recommended configuration");
  let before = context.story.search.recommendation.macro_step_s;
  for (const row of rows) {
    const text = await row.innerText();
    const h = seconds_of(text);
    check(h < before, `${text} is not in the order of H`);
    check(/step|impulse/.test(text), `what limits it is missing: ${text}`);
    before = h;
  }
}

/** Times differ from run to run: that of REST is changed into one that decided. */
export async function decided_by_time({ browser, server, story }) {
  const { page } = browser;
  const path = `${server.url}/api/v1/searches/${story.id}`;
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const search = await response.json();
    search.job.search.real_time = { share: 0.8 };
    search.recommendation.macro_step_s /= 2;
    await route.fulfill({ response, json: search });
  });
  await page.goto(`${server.url}/?search=${story.id}`);
  const section = page.getByRole("region", { name: "Why not another" });
  await section.getByText("the job limits the time of a macro-step").waitFor();
  check_equal(await section.locator("table").count(), 0, "tables");
  await browser.screenshot("decided-by-time");
  await page.unroute(path);
}

export async function cost(context) {
  const page = await open_search(context);
  const figure = page.locator("figure").filter({ hasText: "Accuracy against cost" });
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("path.front[d*=M]").waitFor({ state: "attached" });
  await figure.locator(".plot-area").focus();
  await page.keyboard.press("ArrowRight");
  const readout = figure.locator(".readout");
  await wait_until("a point is read out", answer_limit_ms, async () => {
    return (await readout.innerText()).includes("evaluations");
  });
  const number = Number((await readout.innerText()).match(/trial (\d+)/)[1]);
  const trial = await context.server.get(`/searches/${context.story.id}/trials/${number}`);
  check_close(
    seconds_of(await readout.innerText()),
    trial.macro_step_s,
    5,
    "H of the point and of its trial",
  );
  await context.browser.screenshot("figures");
  await figure.getByText("Data of this figure").click();
  await figure.locator("tbody tr").first().waitFor();
  await page.getByLabel("Test", { exact: true }).selectOption({ index: 1 });
  await wait_until("the address keeps the test", answer_limit_ms, () =>
    new URL(page.url()).searchParams.has("cost_of"),
  );
}

/** The server runs one trial at a time, and refuses others until it has ended. */
const drawn = (page) =>
  page.locator(".time-chart canvas").first().waitFor({ timeout: compute_limit_ms });

/** From a point of a curve, by keyboard alone, and back. */
export async function open_trial(context) {
  const page = await open_search(context);
  const area = page.locator("figure.residual .plot-area").first();
  await area.focus();
  await page.keyboard.press("ArrowRight");
  const readout = page.locator("figure.residual .readout").first();
  await wait_until("a point is read out", answer_limit_ms, async () => {
    return (await readout.innerText()).includes(" at H = ");
  });
  const h = seconds_of((await readout.innerText()).replace(/^.* at H = /, ""));
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  check_equal(focused, "Open its trial", "what Tab reaches after a point");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Trial \d+: / }).waitFor();
  await drawn(page);
  const address = new URL(page.url()).searchParams;
  check_equal(address.get("search"), context.story.id, "the search of the trial");
  const trial = await context.server.get(
    `/searches/${context.story.id}/trials/${address.get("trial")}`,
  );
  check_close(trial.macro_step_s, h, 5, "H of the trial");
  await page.goBack();
  await page.locator("figure.residual .line").first().waitFor();

  await page.locator("figure.residual").first().getByText("Data of this figure").click();
  const cell = page.locator("figure.residual .scroll.tall td a").first();
  await cell.click();
  await page.getByRole("heading", { name: /^Trial \d+: / }).waitFor();
  await drawn(page);
}
