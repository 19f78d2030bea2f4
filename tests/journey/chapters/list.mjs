// Many searches: filters, notes, keys, copies, and what cannot be undone.
import { check, check_equal, wait_until } from "../chapters.mjs";
import { run_script } from "../server.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

export async function all_ended(server, query) {
  await wait_until("the searches have ended", compute_limit_ms, async () => {
    const { searches } = await server.get(`/searches?limit=1000&${query}`);
    return searches.every((one) => one.status === "succeeded");
  });
}

export async function filters({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/`);
  await page.getByLabel("Name contains").fill("SVG/onload");
  await wait_until("one search is left", answer_limit_ms, async () => {
    return (await page.locator("tr[data-id]").count()) === 1;
  });
  check_equal(await page.locator("tr[data-id]").getAttribute("data-id"), story.small[2], "which");
  await page.reload();
  await page.locator("tr[data-id]").first().waitFor();
  check_equal(await page.getByLabel("Name contains").inputValue(), "SVG/onload", "after a reload");
  await page.getByLabel("State").selectOption("failed");
  await page.getByRole("heading", { name: "No search meets these filters" }).waitFor();
  await page.getByRole("link", { name: "Show all searches" }).click();
  await page.locator("tr[data-id]").nth(3).waitFor();

  await page.getByLabel("Order", { exact: true }).selectOption("name");
  const { searches } = await server.get("/searches?sort=name");
  const ids = () =>
    page.locator("tr[data-id]").evaluateAll((rows) => rows.map((row) => row.dataset.id));
  const wanted = searches.map((one) => one.id).join();
  await wait_until("the order of REST", answer_limit_ms, async () => (await ids()).join() === wanted);
  await page.getByText("More filters").click();
  await page.getByLabel("Created until (UTC)").fill("2020-01-01");
  await page.getByRole("heading", { name: "No search meets these filters" }).waitFor();
}

export async function notes({ browser, server, story }) {
  const { page } = browser;
  const [id] = story.small;
  await page.goto(`${server.url}/?problem=linear_oscillator&open=${id}`);
  await page.locator(".ends dd").first().waitFor();
  const ends = await page.locator(".ends dd").allInnerTexts();
  const counted = ends.reduce((sum, text) => sum + Number(text.replace(/\s/g, "")), 0);
  const stored = await server.get(`/searches/${id}`);
  check_equal(counted, stored.progress.trials_done, "trials by their end");

  const form = page.locator("form.notes");
  await form.getByLabel("Name").fill("A sweep");
  await form.getByLabel("Tags, with commas between").fill(`${"x".repeat(51)}, sweep`);
  await browser.expecting(/status of 422/, async () => {
    await form.getByRole("button", { name: "Save" }).click();
    await form.locator(".field-errors").waitFor();
  });
  check_equal(await form.getByLabel("Tags").getAttribute("aria-invalid"), "true", "marked");
  await browser.screenshot("note-refused");
  await form.getByLabel("Tags, with commas between").fill("sweep, first one");
  await form.getByLabel("Note").fill("Between the <b>two</b> masses");
  await form.getByRole("button", { name: "Save" }).click();
  await page.locator(`tr[data-id="${id}"]`).getByRole("link", { name: "A sweep" }).waitFor();
  const { name, note, tags } = await server.get(`/searches/${id}`);
  check_equal(
    [name, note, tags],
    ["A sweep", "Between the <b>two</b> masses", ["first one", "sweep"]],
    "what REST has",
  );
  await page.locator(`tr[data-id="${id}"]`).getByRole("link", { name: "first one" }).click();
  await wait_until("the tag's searches", answer_limit_ms, async () => {
    return (await page.locator("tr[data-id]").count()) === 1;
  });
}

/** What the page puts on the clipboard, run as it is. */
export async function copies({ browser, server, story, binary }) {
  const { page } = browser;
  const [id] = story.small;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${server.url}/?open=${id}`);
  const copied = async (form) => {
    await page.getByRole("button", { name: `Copy as ${form}`, exact: true }).click();
    await page.getByText(`Copied as ${form}`, { exact: true }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const run = (script) => run_script(script, binary);
  const { job, recommendation } = await server.get(`/searches/${id}`);
  check_equal(JSON.parse(await copied("JSON")), job, "the job as JSON");
  const again = JSON.parse(run((await copied("command line")).replace(" - ", " - --json ")));
  check_equal(
    again.recommendation?.macro_step_s,
    recommendation?.macro_step_s,
    "H of the command line",
  );
  const made = JSON.parse(run(await copied("curl")));
  check_equal(made.name, job.name, "the search that curl made");
  await server.change(made.id, { name: "A sweep" });
  await all_ended(server, "name=A%20sweep");
  story.twin = made.id;
  const c = await copied("C");
  const exported = await fetch(`${server.url}/api/v1/searches/${id}/export?format=c`);
  check_equal(c, await exported.text(), "the recommendation in C");
}

export async function keys({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/?name=A%20sweep`);
  await page.locator("tr[data-id]").nth(1).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await page.getByText("Open or close its details").waitFor();
  await browser.screenshot("keys");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Keys" }).waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type(" ?"); // into the field, and no sheet
  check_equal(await page.getByLabel("Name contains").inputValue(), "A sweep ?", "typed");
  check_equal(await page.locator("dialog").count(), 0, "sheets while typing");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.locator("tr[data-id]").nth(1).waitFor();
  await page.locator("#main").focus();
  for (const key of ["j", "o"]) await page.keyboard.press(key);
  await page.getByText("How the trials ended").waitFor();
  for (const key of ["o", "x", "j", "x"]) await page.keyboard.press(key);
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("c");
  await page.getByRole("heading", { name: "Compare 2 searches" }).waitFor();
  check_equal(
    new URL(page.url()).searchParams.get("compare"),
    `${story.twin},${story.small[0]}`,
    "what is compared",
  );
  await page.getByText("Nothing differs but the time that they took.").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.getByRole("heading", { name: "Searches", exact: true }).waitFor();

  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByLabel("Single characters are keys").uncheck();
  await page.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("?");
  await page.waitForTimeout(200); // time to do what it must not
  check_equal(await page.locator("dialog").count(), 0, "sheets of keys that are off");
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByLabel("Single characters are keys").check();
  await page.getByRole("button", { name: "Close" }).click();
}

export async function remove({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/?open=${story.twin}`);
  const remove = page.getByRole("button", { name: "Delete A sweep", exact: true });
  await remove.click();
  await page.getByRole("button", { name: "Keep A sweep" }).click();
  check_equal((await server.get(`/searches/${story.twin}`)).id, story.twin, "after Keep");
  await remove.click();
  await page.getByRole("button", { name: "Delete A sweep for good" }).click();
  await page.locator(`tr[data-id="${story.twin}"]`).waitFor({ state: "detached" });
  const answer = await fetch(`${server.url}/api/v1/searches/${story.twin}`);
  check_equal(answer.status, 404, "HTTP status of the deleted search");
}

/** Needs a search that was cancelled, of many trials, named "Too fine". */
export async function resumed({ browser, server }) {
  const { page } = browser;
  await page.goto(`${server.url}/?name=Too%20fine`);
  const row = page.locator("tr[data-id]").first();
  await row.locator(".pill.cancelled").waitFor();
  const before = (await server.get("/searches?name=Too%20fine")).searches[0].progress.trials_done;
  await row.getByRole("button", { name: "Details of Too fine" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await row.locator(".pill.running").waitFor();
  await wait_until("it goes on from its stored trials", compute_limit_ms, async () => {
    const { searches } = await server.get("/searches?name=Too%20fine");
    return searches[0].progress.trials_done > before;
  });
  const link = page.getByRole("link", { name: "Duplicate and edit" });
  check((await link.getAttribute("href")).startsWith("/?new=double_actuator_crane&from="), "link");
  await page.getByRole("button", { name: "Cancel search" }).click();
  await row.locator(".pill.cancelled").waitFor({ timeout: compute_limit_ms });
}
