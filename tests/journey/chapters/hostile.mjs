// Names, notes and tags that try to be more than text, on every page that shows them.
import { check, check_equal, wait_until } from "../chapters.mjs";
import { all_ended } from "./list.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

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

/** How many rows are of these searches; they show their texts. */
async function check_rows(page, story) {
  const rows = await page.locator("tr[data-id]").evaluateAll((all) =>
    all.map((row) => ({
      id: row.dataset.id,
      name: row.querySelector("th a").textContent,
      note: row.querySelector(".note")?.textContent,
      tag: row.querySelector(".tags a")?.textContent,
    })),
  );
  const shown = rows.filter(({ id }) => story.small.includes(id));
  for (const { id, name, note, tag } of shown) {
    const wanted = texts(story.small.indexOf(id));
    check_equal([name, note, tag], [wanted.name, wanted.note, wanted.tags[0]], "texts of a row");
  }
  return shown.length;
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
  const first = await check_rows(page, story);
  check_equal(await page.evaluate(() => globalThis.hacked), undefined, "a text was run");
  await browser.screenshot("hostile-names");

  const { searches } = await server.get("/searches?limit=1000&problem=linear_oscillator");
  await page.getByRole("link", { name: "Next page" }).click();
  await wait_until("the second page", answer_limit_ms, async () => {
    return (await page.locator("tr[data-id]").count()) === searches.length - rows_of_page;
  });
  check(new URL(page.url()).searchParams.has("after"), "the page is in the address");
  const second = await check_rows(page, story);
  check_equal(first + second, story.small.length, "hostile rows of both pages");
  check_equal(await page.evaluate(() => globalThis.hacked), undefined, "a text was run");
  await page.goBack();
  await page.locator("tr[data-id]").nth(rows_of_page - 1).waitFor();
}

/** The pages of all of them, by their addresses. */
export async function searches({ browser, server, story }) {
  const { page } = browser;
  for (const [n, id] of story.small.entries()) {
    const { name, note, tags } = texts(n);
    await page.goto(`${server.url}/?search=${id}`, { waitUntil: "commit" });
    const written = page.getByText("Name, tags and note");
    await written.dispatchEvent("click"); // no scrolling past the figures, fifty times
    await page.locator("form.notes textarea").waitFor();
    const shown = await page.evaluate(() => [
      ...[...document.querySelectorAll("form.notes :is(input, textarea)")].map((one) => one.value),
      ...[...document.querySelectorAll("h1, .written :is(.tags a, .note)")].map(
        (one) => one.textContent,
      ),
      document.title,
      globalThis.hacked ?? "not run",
    ]);
    const wanted = [
      ...[name, tags[0], note], // in the fields
      ...[name, tags[0], note], // in the head
      ...[`${name} · macrostep`, "not run"],
    ];
    check_equal(shown, wanted, `the page of search ${n}`);
  }
  await browser.screenshot("hostile-search");
}

/** Analyses have a name only: as many as there are searches, then their list. */
export async function analyses({ browser, server, story }) {
  const { page } = browser;
  const names = story.small.map((_, n) => texts(n).name);
  const ids = [];
  for (const name of names) ids.push((await server.submit_analysis(small_map(name))).id);
  await wait_until("the analyses have ended", compute_limit_ms, async () => {
    const { analyses } = await server.get("/analyses?limit=1000");
    return analyses.every((one) => !["queued", "running"].includes(one.status));
  });
  for (const [n, id] of ids.entries()) {
    await page.goto(`${server.url}/?analysis=${id}`, { waitUntil: "commit" });
    await page.locator(".cell-map svg").waitFor();
    const shown = [await page.locator("h1").textContent(), await page.title()];
    check_equal(shown, [names[n], `${names[n]} · macrostep`], `the page of analysis ${n}`);
    check_equal(await page.evaluate(() => globalThis.hacked), undefined, `text ${n} was run`);
  }
  await browser.screenshot("hostile-analysis");
  await page.goto(`${server.url}/?analyses=`);
  await page.locator("table.analyses tbody tr").nth(rows_of_page - 1).waitFor();
  const listed = await page.locator("table.analyses th a").allTextContents();
  check_equal(listed, [...names].reverse().slice(0, rows_of_page), "names of analyses");
  check_equal(await page.evaluate(() => globalThis.hacked), undefined, "a text was run");
}

export async function compared({ browser, server, story }) {
  const { page } = browser;
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
