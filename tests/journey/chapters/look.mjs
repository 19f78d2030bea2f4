// Every page in light and dark, wide and narrow: nothing for axe-core to find, nothing cut off.
import { narrow, wide } from "../browser.mjs";
import { check, check_equal } from "../chapters.mjs";
import { compute_limit_ms } from "../limits.mjs";

const zoomed = { width: 640, height: 450 };
const paper = { width: 718, height: 1000 }; // A4 between margins of 10 mm, in CSS pixels

/** 0 black to 1 white */
function lightness(colour) {
  const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

async function check_scheme(page, scheme) {
  const style = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return { backgroundColor, color };
  });
  const [ground, ink] = [lightness(style.backgroundColor), lightness(style.color)];
  const right = scheme === "dark" ? ground < 0.2 && ink > 0.8 : ground > 0.8 && ink < 0.2;
  check(right, `${scheme}: ink ${style.color} on ${style.backgroundColor}`);
}

async function check_fits(page, what) {
  const cut = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return null;
    // Too wide are boxes, and boxes whose text does not break; what scrolls by itself may be.
    const wide = [...document.querySelectorAll("body *")]
      .filter((one) => one.parentElement.closest(".scroll, pre, svg") === null)
      .filter(
        (one) =>
          one.getBoundingClientRect().right > clientWidth + 1 ||
          one.scrollWidth > one.clientWidth + 1,
      )
      .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") ?? ""}`);
    return `${scrollWidth} px in ${clientWidth} px: ${wide.slice(-3).join(", ")}`;
  });
  check(cut === null, `${what}: ${cut}`);
}

export async function look({ browser }, name) {
  const { page } = browser;
  try {
    for (const [size_name, size] of Object.entries({ wide, narrow })) {
      await page.setViewportSize(size);
      for (const scheme of ["light", "dark"]) {
        const what = `${name}-${size_name}-${scheme}`;
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(150); // plots are drawn anew after a change of size
        await check_scheme(page, scheme);
        await check_fits(page, what);
        check_equal(await browser.accessibility_findings(), [], `axe-core, ${what}`);
        await browser.screenshot(what);
      }
    }
  } finally {
    await page.setViewportSize(wide);
    await page.emulateMedia({ colorScheme: "light" });
  }
}

export async function search_page(context) {
  const { page } = context.browser;
  await page.goto(`${context.server.url}/?search=${context.story.id}`);
  await page.locator("figure.residual .line").first().waitFor();
  await page.getByText("Data of this figure").first().click();
  await page.getByRole("heading", { name: "Configurations compared" }).waitFor();
  await page.getByText("Job as JSON").click();
  await look(context, "search");
}

export async function trial_page(context) {
  const { page } = context.browser;
  const { id, trial } = context.story;
  await page.goto(`${context.server.url}/?search=${id}&trial=${trial.id}`);
  await page.getByText("Difference, on the same axis").waitFor({ timeout: compute_limit_ms });
  await page.getByText("Data of this figure").first().click();
  await page.getByRole("button", { name: "Run this trial again" }).click();
  await page.locator("table.outcome").waitFor({ timeout: compute_limit_ms });
  await look(context, "trial");
}

/** Begins on a form that was filled from a search. */
export async function fmu_pages(context) {
  const { page } = context.browser;
  await look(context, "fmu-form");
  await page.goBack();
  await page.getByRole("heading", { name: "FMUs in the recommended configuration" }).waitFor();
  await look(context, "fmu-search");
  await page.goto(`${context.server.url}/?fmus=`);
  await page.getByRole("row").nth(1).waitFor();
  await look(context, "fmus");
  await page.getByRole("row").last().getByRole("link").click();
  await page.getByRole("heading", { name: "Parameters" }).waitFor();
  await look(context, "fmu");
}

export async function list_page(context) {
  await context.browser.page.goto(`${context.server.url}/`);
  await context.browser.page.getByRole("row").nth(1).waitFor();
  await look(context, "list");
}

/** Details of a search in the list, the sheet of keys, two searches side by side. */
export async function list_details(context) {
  const { page } = context.browser;
  const { url } = context.server;
  const [first, second] = context.story.compared;
  await page.goto(`${url}/?name=Tab&tag=&since=2020-01-01&open=${first}&select=${first},${second}`);
  await page.locator(".ends").waitFor();
  await page.getByRole("button", { name: "Copy as C", exact: true }).waitFor();
  await look(context, "list-details");
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await look(context, "key-sheet");
  await page.goto(`${url}/?compare=${first},${second}&data=0`);
  await page.locator("figure.plot .line").first().waitFor();
  await page.getByRole("region", { name: "Points, step" }).waitFor();
  await look(context, "compare");
}

export async function form_page(context) {
  const { page } = context.browser;
  await page.goto(`${context.server.url}/?new=double_actuator_crane`);
  await page.getByLabel("First H").waitFor();
  await page.getByText("Parameters", { exact: false }).first().click();
  await look(context, "form");
}

/** On paper, with few colours of the system's own, and at 200 % (half as many pixels each way). */
export async function other_media(context) {
  const { browser, server, story } = context;
  const { page } = browser;
  const pages = {
    list: ["", "tr[data-id]"],
    form: ["?new=double_actuator_crane", "#job"],
    search: [`?search=${story.id}`, ".heat tbody td"],
    compare: [`?compare=${story.compared.join(",")}`, "figure.plot .line"],
    map: [`?analysis=${story.map}`, ".cell-map svg"],
    fmus: ["?fmus=", "h1"],
  };
  try {
    for (const [name, [query, sign]] of Object.entries(pages)) {
      await page.goto(`${server.url}/${query}`);
      await page.locator(sign).first().waitFor();
      await page.setViewportSize(zoomed);
      await page.waitForTimeout(150);
      await check_fits(page, `${name}, 200 %`);
      await browser.screenshot(`${name}-zoomed`);
      await page.setViewportSize(wide);
      await page.emulateMedia({ forcedColors: "active" });
      await page.waitForTimeout(150);
      await check_fits(page, `${name}, forced colours`);
      await browser.screenshot(`${name}-forced-colours`);
      await page.setViewportSize(paper);
      await page.emulateMedia({ forcedColors: "none", media: "print", colorScheme: "dark" });
      await page.waitForTimeout(150);
      const ink = await page.evaluate(() => getComputedStyle(document.body).color);
      check(lightness(ink) < 0.2, `${name}, printed from a dark screen: ink ${ink}`);
      await check_fits(page, `${name}, printed`);
      check_equal(await page.locator("button:not(.text):visible").count(), 0, `buttons on paper, ${name}`);
      await browser.screenshot(`${name}-printed`);
      await page.emulateMedia({ media: null, colorScheme: "light" });
      await page.setViewportSize(wide);
    }
  } finally {
    await page.emulateMedia({ media: null, forcedColors: null, colorScheme: "light" });
    await page.setViewportSize(wide);
  }
}
