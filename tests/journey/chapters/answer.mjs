// From the empty list to an answer, and the same numbers on the page, in REST and in SQL.
import { check, check_close, check_equal, wait_until } from "../chapters.mjs";
import { number_of, seconds_of, shown_step, trials_of } from "../page_text.mjs";
import { has_sqlite } from "../server.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

const name = "Journey crane";
const chosen = { extrapolation: ["1", "2"], tests: ["step", "impulse"] };
const double_digits = 14; // sqlite3 prints 15

export async function empty_list({ browser, server }) {
  const { page } = browser;
  await page.goto(`${server.url}/`);
  await page.getByRole("heading", { name: "No searches yet" }).waitFor();
  await browser.screenshot("empty-list");
  await page.getByRole("link", { name: "New search" }).last().click();
  await page.getByLabel("Problem").waitFor();
}

/** Leaves exactly `names` of a group of boxes checked. */
async function choose(page, group, names) {
  for (const box of await page.locator(`#field-${group} input`).all()) {
    await box.setChecked(names.includes(await box.getAttribute("value")));
  }
}

export async function wrong_value({ browser }) {
  const { page } = browser;
  await page.getByLabel("Problem").selectOption({ label: "Double-actuator crane" });
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("First H").fill("soon");
  await page.getByLabel("Increment of H").fill("0.05");
  for (const [group, names] of Object.entries(chosen)) await choose(page, group, names);
  await page.locator("#field-integrators\\:hydraulics input[value=trapezoidal]").uncheck();
  await page.getByText("8 curves").waitFor();
  await page.getByText("Parameters", { exact: false }).first().click();
  await page.locator("#parameter\\:hydraulics\\.p_P").fill("-5");
  await page.getByLabel("Largest relative residual").fill("1 %");

  await browser.expecting(/status of 422/, async () => {
    await page.getByRole("button", { name: "Start search" }).click();
    await page.getByRole("alert").waitFor();
  });
  for (const id of ["initial", "parameter:hydraulics.p_P", "relative_residual_max"]) {
    const field = page.locator(`[id="${id}"]`);
    check_equal(await field.getAttribute("aria-invalid"), "true", `${id} is marked`);
    const described = (await field.getAttribute("aria-describedby")).split(" ");
    check(described.includes(`error-${id}`), `${id} is described by ${described}`);
    const text = await page.locator(`[id="error-${id}"]`).innerText();
    check(text.trim().length > 5, `${id} has no explanation`);
    check(await page.locator(`[id="error-${id}"]`).isVisible(), `${id}: explanation not visible`);
  }
  const words = await page.locator("#error-initial").innerText();
  check_equal(words, "“soon” is not a number.", "the words at First H");
  await browser.screenshot("wrong-value");

  check_equal(await page.getByLabel("Name").inputValue(), name, "the name is kept");
  check_equal(await page.getByLabel("First H").inputValue(), "soon", "what was typed is kept");
  for (const [group, names] of Object.entries(chosen)) {
    const boxes = page.locator(`#field-${group} input:checked`);
    const kept = await boxes.evaluateAll((all) => all.map((one) => one.value));
    check_equal(kept, names, `${group} is kept`);
  }
  await page.getByLabel("First H").fill("0.1");
  await page.locator("#parameter\\:hydraulics\\.p_P").fill("");
  await page.getByLabel("Largest relative residual").fill("");
}

/** Collects every text of the line of progress from now on, also while the pages change. */
async function record_progress(page) {
  await page.evaluate(() => {
    globalThis.progress_texts = [];
    new MutationObserver(() => {
      const text = document.querySelector(".live [role=status]")?.textContent;
      if (text && text !== globalThis.progress_texts.at(-1)) globalThis.progress_texts.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

export async function live_search({ browser, server, story }) {
  const { page } = browser;
  await record_progress(page);
  await page.getByRole("button", { name: "Start search" }).click();
  await page.getByRole("progressbar", { name: "Curves done" }).waitFor();
  await page.locator("path.curve[d*=L]").first().waitFor({ state: "attached" });
  await browser.screenshot("running");
  await page.getByRole("heading", { name: "Recommendation" }).waitFor({ timeout: compute_limit_ms });
  await page.locator(".pill.succeeded").waitFor();
  story.id = new URL(page.url()).searchParams.get("search");
  story.search = await server.get(`/searches/${story.id}`);
  check_equal(story.search.status, "succeeded", "state");
  check_equal(story.search.name, name, "name");
  check_equal(story.search.job.search.extrapolation, chosen.extrapolation, "extrapolations");

  const texts = await page.evaluate(() => globalThis.progress_texts);
  const trials = texts.map(trials_of);
  const total = story.search.progress.trials_done;
  // A fast search may end before the page shows any: `cancel` in run.mjs checks that it goes on.
  check(trials.length > 0 && trials.at(-1) <= total, `of ${total} trials: ${texts.join(" | ")}`);
  check(
    trials.every((n, at) => n !== null && (at === 0 || n >= trials[at - 1])),
    `progress went back: ${texts.join(" | ")}`,
  );
}

export async function recommendation({ browser, story }) {
  const { page } = browser;
  const answer = story.search.recommendation;
  const sentence = (await page.locator(".answer .headline").innerText()).trim();
  check(
    /^Use (first|second)-order extrapolation with H = .+, .+ for mechanics and forward Euler for hydraulics\.$/.test(
      sentence,
    ),
    `the sentence reads: ${sentence}`,
  );
  check(
    story.search.sentence.startsWith(sentence.replace(/\.$/, "")),
    `REST says: ${story.search.sentence}`,
  );
  const order = { first: "1", second: "2" }[sentence.match(/Use (\w+)-order/)[1]];
  check_equal(answer.extrapolation, order, "extrapolation in REST");
  check_close(seconds_of(sentence), shown_step(answer.macro_step_s), 4, "H on the page");
  const rule = await page.locator(".aside .figure").innerText();
  const by_rule = shown_step(story.search.paper_rule.macro_step_s);
  check_close(seconds_of(rule), by_rule, 4, "H by the paper's rule");
  const accuracy = await page.locator(".answer").innerText();
  check(accuracy.includes("does not promise accuracy"), `the answer reads: ${accuracy}`);
  check(accuracy.includes("NRMSE"), `the answer reads: ${accuracy}`);
  await browser.screenshot("answer");
}

export async function same_in_sql({ server, story }) {
  const rows = server.sql(`SELECT * FROM v_recommendations WHERE search_id = '${story.id}'`);
  check_equal(rows.map((row) => row.rule).sort(), ["max_min", "paper"], "rules in SQL");
  for (const row of rows) {
    const answer = row.rule === "paper" ? story.search.paper_rule : story.search.recommendation;
    check_equal(row.extrapolation, answer.extrapolation, `${row.rule}: extrapolation`);
    check_equal(JSON.parse(row.integrators), answer.integrators, `${row.rule}: integrators`);
    for (const member of ["macro_step_s", "bend_s", "cliff_s", "relative_residual"])
      check_close(row[member], answer[member], double_digits, `${row.rule}: ${member}`);
  }
}

export async function tables({ browser, server, story }) {
  const { page } = browser;
  const rows = await page.locator("table.results tbody tr").all();
  check_equal(rows.length, story.search.table.length, "rows of the table");
  for (const [n, row] of rows.entries()) {
    const expected = story.search.table[n];
    const cells = await row.locator("th, td").allInnerTexts();
    check(cells[0].startsWith(expected.test), `row ${n} is about ${cells[0]}`);
    if (expected.flags.includes("too_few_macro_steps")) {
      check_equal(cells[2].trim(), "–", `H of ${expected.test}, which does not count`);
      continue;
    }
    const [step, cliff] = [expected.macro_step_s, expected.cliff_s].map(shown_step);
    check_close(seconds_of(cells[2]), step, 4, `H of ${expected.test}`);
    const verified = expected.macro_step_verified_s;
    if (verified === null) check_equal(cells[3].trim(), "–", `verified of ${expected.test}`);
    else check_close(seconds_of(cells[3]), shown_step(verified), 4, `verified of ${expected.test}`);
    check_close(seconds_of(cells[4]), cliff, 4, `cliff of ${expected.test}`);
  }

  // Every number behind a figure, against the SQL view where there is sqlite3, else REST.
  const { curves } = await server.get(`/searches/${story.id}/curves`);
  const figure = page.locator("figure.residual").first();
  const test = chosen.tests[0];
  const wanted = has_sqlite()
    ? server.sql(
        "SELECT macro_step_s, residual_J FROM v_residual_curves WHERE status = 'complete' " +
          `AND search_id = '${story.id}' AND test = '${test}'`,
      )
    : curves
        .filter((one) => one.test === test)
        .flatMap((one) => one.points.filter((point) => point.status === "complete"));
  await figure.getByText("Data of this figure").click();
  await figure.locator(".scroll.tall tbody tr").first().waitFor();
  const shown = [];
  for (const row of await figure.locator(".scroll.tall tbody tr").all()) {
    const step = seconds_of(await row.locator("th").innerText());
    for (const text of await row.locator("td").allInnerTexts())
      if (/^[0-9]/.test(text)) shown.push({ macro_step_s: step, residual_J: number_of(text) });
  }
  const order = (a, b) => a.macro_step_s - b.macro_step_s || a.residual_J - b.residual_J;
  shown.sort(order);
  wanted.sort(order);
  check_equal(shown.length, wanted.length, "points of the figure");
  check(shown.length > 20, "hardly any points");
  for (const [n, point] of shown.entries()) {
    check_close(point.macro_step_s, wanted[n].macro_step_s, 4, "H of a point");
    check_close(point.residual_J, wanted[n].residual_J, 3, `E at ${point.macro_step_s} s`);
  }
  await figure.getByText("Data of this figure").click();
}

export async function plots({ browser, server, story }) {
  const { page } = browser;
  const { curves } = await server.get(`/searches/${story.id}/curves`);
  const figures = page.locator("figure.residual");
  check_equal(await figures.count(), chosen.tests.length, "figures");
  for (const [n, test] of chosen.tests.entries()) {
    const own = curves.filter((one) => one.test === test);
    const lines = figures.nth(n).locator(".line path.curve[d*=L]");
    check_equal(await lines.count(), own.length, `lines of ${test}`);
    const bends = own.filter((one) => one.bend_s !== null).length;
    check(bends > 0, `no curve of ${test} has a bend`);
    check_equal(
      await figures.nth(n).locator(".line circle.bend").count(),
      bends,
      `bends of ${test}`,
    );
    const labels = await figures.nth(n).locator(".mark-label").allTextContents();
    check(
      labels.some((text) => text.startsWith("bend")) && labels.some((t) => t.startsWith("cliff")),
      `marks of ${test}: ${labels}`,
    );
  }
}

/** Tab until the wanted element has the focus, as a user without a mouse does. */
async function tab_to(page, locator) {
  const most = 60;
  for (let presses = 0; presses < most; ++presses) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`not reached within ${most} presses of Tab`);
}

/** What a key does is seen after the next frame. */
function soon(what, ask) {
  return wait_until(what, answer_limit_ms, ask);
}

export async function keyboard({ browser }) {
  const { page } = browser;
  const lines = page.locator("figure.residual").first().locator(".line");
  const all = await lines.count();
  await page.locator("#main").focus();

  const words = page.getByText("What do bend, cliff");
  await tab_to(page, words);
  await page.keyboard.press("Enter");
  await page.locator(".glossary dd").last().waitFor();
  const chip = page.getByRole("button", { name: "m = 1", exact: true });
  await tab_to(page, chip);
  await page.keyboard.press("Space");
  await soon("m = 1 is off", async () => (await chip.getAttribute("aria-pressed")) === "false");
  await soon("half of the lines are hidden", async () => (await lines.count()) === all / 2);
  const relative = page.getByRole("button", { name: "relative residual", exact: true });
  await tab_to(page, relative);
  await page.keyboard.press("Enter");
  await soon("the axis is relative", async () => {
    return (await relative.getAttribute("aria-pressed")) === "true";
  });

  const figure = page.locator(".plot-area").first();
  await tab_to(page, figure);
  const readout = page.locator("figure.residual .readout").first();
  await page.keyboard.press("ArrowRight");
  await soon("a point is read out", async () => (await readout.innerText()).includes(" at H = "));
  const at_bend = await readout.innerText();
  await page.keyboard.press("ArrowLeft");
  await soon("the point to the left is read out", async () => {
    return seconds_of(await readout.innerText()) < seconds_of(at_bend);
  });
  const name_of = async () => (await readout.locator("b").innerText()).trim();
  const curve = await name_of();
  await page.keyboard.press("ArrowDown");
  await soon("another curve is read out", async () => (await name_of()) !== curve);
  await page.keyboard.press("Enter");
  await soon("the address keeps the curve", () => new URL(page.url()).searchParams.has("pick"));
  await browser.screenshot("by-keyboard");
}

export async function reload({ browser }) {
  const { page } = browser;
  const before = page.url();
  const highlighted = await page.locator("#pick").inputValue();
  await page.reload();
  await page.locator("figure.residual .line").first().waitFor();
  check_equal(page.url(), before, "address");
  for (const [label, pressed] of [
    ["m = 1", "false"],
    ["m = 2", "true"],
    ["relative residual", "true"],
  ]) {
    const chip = page.getByRole("button", { name: label, exact: true });
    check_equal(await chip.getAttribute("aria-pressed"), pressed, label);
  }
  check_equal(await page.locator("#pick").inputValue(), highlighted, "highlight");
  check(await page.locator(".glossary dd").last().isVisible(), "the words are closed again");
}

export async function list({ browser, story }) {
  const { page } = browser;
  await page.getByRole("navigation", { name: "Main" }).getByText("Searches").click();
  const row = page.getByRole("row").filter({ hasText: name });
  const text = await row.innerText();
  const answer = story.search.recommendation;
  check(text.includes(`m = ${answer.extrapolation}`), `the row reads: ${text}`);
  check(text.includes("forward Euler") && text.includes("succeeded"), `the row reads: ${text}`);
  check_close(seconds_of(text), shown_step(answer.macro_step_s), 4, "H in the list");
}
