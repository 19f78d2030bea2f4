// Without a mouse: the demo submitted, its answer read, a trial opened and left, by keys alone.
import { check, check_equal } from "../chapters.mjs";
import { seconds_of, shown_step } from "../page_text.mjs";
import { compute_limit_ms } from "../limits.mjs";

const most_presses = 150; // of Tab: more than any page has stops before what is wanted

/** What the element with the focus is, as a screen reader would begin. */
function focused(page) {
  return page.evaluate(() => {
    const one = document.activeElement;
    const label = one?.labels?.[0]?.textContent ?? one?.getAttribute("aria-label");
    return { name: (label ?? one?.textContent ?? "").trim(), is: one?.tagName ?? "" };
  });
}

async function tab_to(page, is, name) {
  for (let n = 0; n < most_presses; ++n) {
    const here = await focused(page);
    if (here.is === is && name.test(here.name)) {
      await check_seen(page, here.name);
      return here.name;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`${most_presses} presses of Tab do not reach ${is} ${name}`);
}

/** The place of the focus is in view, and marked. */
async function check_seen(page, name) {
  const found = await page.evaluate(() => {
    const one = document.activeElement;
    const { top, bottom } = one.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return {
      in_view: bottom > 0 && top < innerHeight,
      marked: outlineStyle !== "none" && outlineWidth !== "0px",
    };
  });
  check_equal(found, { in_view: true, marked: true }, `the focus on ${name}`);
}

export async function demo_by_keys({ browser, server }) {
  const { page } = browser;
  await page.goto(`${server.url}/`);
  await page.getByRole("heading", { name: "Searches", exact: true }).waitFor();
  await tab_to(page, "A", /^New search$/);
  await page.keyboard.press("Enter");
  await page.getByLabel("Problem").waitFor();
  await tab_to(page, "SELECT", /^Problem$/);
  await page.keyboard.type("Single"); // chooses by its first letters
  await page.getByLabel("Problem").evaluate((one) => one.value === "single_actuator_crane");
  await tab_to(page, "INPUT", /^Name$/);
  await page.keyboard.type("By keys alone");
  await tab_to(page, "BUTTON", /^Start search$/);
  await page.keyboard.press("Enter");
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const id = new URL(page.url()).searchParams.get("search");
  const search = await server.get(`/searches/${id}`);
  check_equal([search.name, search.problem], ["By keys alone", "single_actuator_crane"], "the job");
  const said = seconds_of(await page.locator(".answer .headline").innerText());
  check_equal(said, shown_step(search.recommendation.macro_step_s), "H that is read");

  await tab_to(page, "DIV", /^Residual energy E against/);
  await page.keyboard.press("ArrowRight");
  await page.getByText("Open its trial").first().waitFor();
  await tab_to(page, "A", /^Open its trial$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Trial \d+: / }).waitFor();
  check(new URL(page.url()).searchParams.has("trial"), "the address of the trial");
  await browser.screenshot("trial-by-keys");
  for (const key of ["g", "s"]) await page.keyboard.press(key);
  await page.getByRole("row").filter({ hasText: "By keys alone" }).waitFor();
  for (const [keys, heading] of [
    ["ga", "Analyses"],
    ["gm", "New analysis"],
    ["gf", "FMUs"],
    ["gn", "New search"],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  }
  await server.remove(id);
}
