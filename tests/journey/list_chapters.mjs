// Many searches: hostile names, pages, filters, notes, keys, copies, and what cannot be undone.
import { check, check_equal, wait_until } from "./chapters.mjs";
import { run_script } from "./server.mjs";

const search_limit_ms = 60_000;
const wait_ms = 10_000;
const rows_of_page = 50;
const longest_tag = 50;
const most_compared = 20;
const hostile = [
  "<script>globalThis.hacked = true</script>",
  '"><img src=x onerror="globalThis.hacked = true">',
  "<svg/onload=globalThis.hacked=true>",
  "javascript:globalThis.hacked=true",
  "{{constructor.constructor('globalThis.hacked=true')()}}",
  "</title></textarea></table><h1>out</h1>",
  "&lt;b&gt; &amp; &#x3c;",
  "'; DROP TABLE searches; --",
  "\u202eeman desrever",
  "𝕳 · наименование · 名前 · اسم",
];

/** A search of a few trials. */
function small_job(fields) {
  const macro_step = { initial_s: 1e-3, increment_s: 1e-2, maximum_s: 3e-2 };
  const search = {
    ...{ couplings: ["displacement_displacement"], extrapolation: ["0", "1"] },
    macro_step,
  };
  const tests = [{ name: "none", kind: "none" }];
  return { problem: "linear_oscillator", search, tests, ...fields };
}

function texts(n) {
  const bad = hostile[n % hostile.length];
  const tag = [...bad.replace(/,/g, ";")].slice(0, longest_tag).join("");
  return { name: `${bad} ${n}`, note: `${bad}\n${bad}`, tags: [tag] };
}

async function all_ended(server, query) {
  await wait_until("the searches have ended", search_limit_ms, async () => {
    const { searches } = await server.get(`/searches?limit=1000&${query}`);
    return searches.every((one) => one.status === "succeeded");
  });
}

export async function many({ browser, server, story }) {
  const { page } = browser;
  story.small = [];
  for (let n = 0; n < rows_of_page + 2; ++n) {
    const { id } = await server.submit(small_job(texts(n)));
    story.small.push(id);
  }
  await all_ended(server, "problem=linear_oscillator");
  await page.goto(`${server.url}/?problem=linear_oscillator`);
  await page.locator("tr[data-id]").nth(rows_of_page - 1).waitFor();
  check_equal(await page.locator("tr[data-id]").count(), rows_of_page, "rows of a page");
  const shown = await page.locator("tr[data-id]").evaluateAll((rows) =>
    rows.map((row) => ({
      id: row.dataset.id,
      name: row.querySelector("th a").textContent,
      note: row.querySelector(".note").textContent,
      tag: row.querySelector(".tags a").textContent,
    })),
  );
  for (const { id, name, note, tag } of shown) {
    const wanted = texts(story.small.indexOf(id));
    check_equal([name, note, tag], [wanted.name, wanted.note, wanted.tags[0]], "texts of a row");
  }
  check_equal(await page.evaluate(() => globalThis.hacked), undefined, "a text was run");
  await browser.screenshot("hostile-names");

  const { searches } = await server.get("/searches?limit=1000&problem=linear_oscillator");
  await page.getByRole("link", { name: "Next page" }).click();
  await wait_until("the second page", wait_ms, async () => {
    return (await page.locator("tr[data-id]").count()) === searches.length - rows_of_page;
  });
  check(new URL(page.url()).searchParams.has("after"), "the page is in the address");
  await page.goBack();
  await page.locator("tr[data-id]").nth(rows_of_page - 1).waitFor();
}

/** The page of a search, comparisons, the list of analyses and the page of one. */
export async function hostile_everywhere({ browser, server, story }) {
  const { page } = browser;
  for (const [n, id] of story.small.slice(0, hostile.length).entries()) {
    const { name, note, tags } = texts(n);
    await page.goto(`${server.url}/?search=${id}`);
    await page.locator("h1").waitFor();
    await page.getByText("Name, tags and note").click();
    const shown = [
      await page.locator("h1").textContent(),
      await page.locator(".written .note").textContent(),
      await page.locator(".written .tags a").textContent(),
      await page.getByLabel("Note", { exact: true }).inputValue(),
      await page.title(),
    ];
    check_equal(shown, [name, note, tags[0], note, `${name} · macrostep`], "a search's page");
  }
  for (let from = 0; from + 1 < story.small.length; from += most_compared) {
    const ids = story.small.slice(from, from + most_compared);
    await page.goto(`${server.url}/?compare=${ids.join(",")}`);
    const region = page.getByRole("region", { name: "Job" });
    await region.getByRole("row", { name: /^name/ }).waitFor();
    const titles = await page.locator("table.compared th a").allTextContents();
    const wanted = ids.map((_, n) => texts(from + n));
    check_equal(titles, wanted.map((one) => one.name), "titles of compared searches");
    const row = async (name) =>
      (await region.getByRole("row", { name }).locator("td").allTextContents()).map((one) =>
        one.replace(/\s+/g, " "),
      );
    check_equal(await row(/^name/), wanted.map((one) => one.name), "compared names");
  }
  await browser.screenshot("hostile-compared");
  for (const bad of hostile) {
    const { id } = await server.submit_analysis(small_map(bad));
    await page.goto(`${server.url}/?analysis=${id}`);
    await page.locator("h1", { hasText: bad }).waitFor();
    await wait_until("the title of an analysis", wait_ms, async () => {
      return (await page.title()) === `${bad} · macrostep`;
    });
    await page.locator(".cell-map svg").waitFor();
  }
  await page.goto(`${server.url}/?analyses=`);
  await page.locator("table.analyses tbody tr").nth(hostile.length - 1).waitFor();
  const names = await page.locator("table.analyses th a").allTextContents();
  check_equal(names.slice(0, hostile.length).reverse(), hostile, "names of analyses");
  check_equal(await page.evaluate(() => globalThis.hacked), undefined, "a text was run");
}

/** Few are left for the chapters that follow. */
export async function forget({ server, story }) {
  for (const id of story.small.slice(3)) await server.remove(id);
  const { searches } = await server.get("/searches?problem=linear_oscillator");
  check(searches.length < rows_of_page, `${searches.length} searches are left`);
}

/** A map of a few points. */
function small_map(name) {
  const axis = (parameter) => ({ parameter, minimum: 1, maximum: 1e4, count: 3 });
  return {
    kind: "map",
    name,
    problem: "stiff_oscillator",
    search: { couplings: ["force_displacement"], extrapolation: ["0"] },
    map: { x: axis("coupling.c_k"), y: axis("coupling.d_k"), macro_steps_s: [1e-3] },
  };
}

export async function filters({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/`);
  await page.getByLabel("Name contains").fill("SVG/onload");
  await wait_until("one search is left", wait_ms, async () => {
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
  await wait_until("the order of REST", wait_ms, async () => (await ids()).join() === wanted);
  await page.getByText("More filters").click();
  await page.getByLabel("Created until (UTC)").fill("2020-01-01");
  await page.getByRole("heading", { name: "No search meets these filters" }).waitFor();
}

export async function notes({ browser, server, story }) {
  const { page } = browser;
  const [id] = story.small;
  await page.goto(`${server.url}/?problem=linear_oscillator&open=${id}`);
  await page.getByText("How the trials ended").waitFor();
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
  await wait_until("the tag's searches", wait_ms, async () => {
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
  await wait_until("it goes on from its stored trials", search_limit_ms, async () => {
    const { searches } = await server.get("/searches?name=Too%20fine");
    return searches[0].progress.trials_done > before;
  });
  const link = page.getByRole("link", { name: "Duplicate and edit" });
  check((await link.getAttribute("href")).startsWith("/?new=double_actuator_crane&from="), "link");
  await page.getByRole("button", { name: "Cancel search" }).click();
  await row.locator(".pill.cancelled").waitFor({ timeout: search_limit_ms });
}
