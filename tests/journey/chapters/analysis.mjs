// Analyses: maps of stability and accuracy, a tuning, their list; the page shows what REST tells.
import { check, check_equal, wait_until } from "../chapters.mjs";
import { look } from "./look.mjs";
import { number_of } from "../page_text.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

const plain = (text) => text.replace(/\u202f/g, "");

const id_of = (page) => new URL(page.url()).searchParams.get("analysis");
const figure = (page, name) => page.getByRole("figure", { name });

async function export_of(server, id) {
  return server.get(`/analyses/${id}/export?format=json`);
}

export async function empty(context) {
  const { page } = context.browser;
  await page.goto(`${context.server.url}/`);
  await page.getByRole("navigation", { name: "Main" }).getByText("Analyses").click();
  await page.getByRole("heading", { name: "No analyses yet" }).waitFor();
  await page.getByRole("link", { name: "Start with a map of the stiff oscillator" }).click();
  await page.getByLabel("Problem").waitFor();
}

export async function stability(context) {
  const { browser, server, story } = context;
  const { page } = browser;
  await page.getByLabel("Name").fill("Stable where?");
  for (const values of await page.getByLabel("Values").all()) await values.fill("20");
  await page.getByLabel("From").first().fill("1");
  await page.getByLabel("To").first().fill("1e10");
  await page.getByLabel("Macro-steps H").selectOption("list");
  await page.getByLabel("All H").fill("0.1 1 10");
  for (const name of ["m = 1", "m = 2"]) await page.getByRole("checkbox", { name }).uncheck();
  await page.getByRole("checkbox", { name: "force–force" }).uncheck();
  await page.getByText("2 configurations × 3 macro-step sizes × 400 points").waitFor();
  check(
    plain(await page.locator(".submit .size").innerText()).includes("= 2400 values"),
    "the number of values",
  );
  await look(context, "analysis-form");
  await page.getByRole("button", { name: "Compute the map" }).click();
  await figure(page, /Largest stable H/).waitFor({ timeout: compute_limit_ms });
  story.map = id_of(page);

  const map = await export_of(server, story.map);
  await page.getByLabel("Macro-step H").selectOption("1");
  await figure(page, /Spectral radius ρ at H = 1/).waitFor();
  check_equal(new URL(page.url()).searchParams.get("h"), "1", "H in the address");
  await check_cells(page, map);
  await check_point(page, map);
  await look(context, "stability-map");
}

/** The keyboard's cursor reads out what the export holds, and marks tell what colours do. */
async function check_cells(page, map) {
  const values = map.configurations[0].layers[1].values;
  const heat = figure(page, /Spectral radius ρ at H/).locator(".cell-map");
  await heat.focus();
  await page.keyboard.press("Home");
  for (const [key, column, row] of [
    ["End", 19, 10],
    ["Shift+ArrowDown", 19, 8],
    ["ArrowLeft", 18, 8],
    ["PageUp", 18, 10],
  ]) {
    await page.keyboard.press(key);
    const value = values[row][column];
    const judged = value > map.limit ? "unstable" : "stable";
    const text = plain(await figure(page, /Spectral radius ρ at H/).locator(".readout").innerText());
    const read = /ρ = ([^,]+), (\w+)/.exec(text);
    check(read !== null, `the readout says: ${text}`);
    const shown = number_of(read[1]);
    check(Math.abs(shown / value - 1) < 1e-3, `${text}, not ${value}`);
    check_equal(read[2], judged, `the judgement of ${value}`);
  }
  await page.keyboard.press("Enter");
  check_equal(new URL(page.url()).searchParams.get("at"), "18,10", "the kept cell");
  check((await page.locator('.cells path[fill*="-bad"]').count()) > 0, "no hatching where unstable");
  check((await page.locator(".cell-border").getAttribute("d")).length > 0, "no border");
}

/** The figure of the kept point, by keyboard and as a table, also after a reload. */
async function check_point(page, map) {
  await page.reload();
  const curves = figure(page, /Spectral radius against H/);
  await curves.waitFor();
  check_equal(await page.getByLabel("Macro-step H").inputValue(), "1", "H after a reload");
  await curves.locator(".limit-line", { hasText: "ρ = 1" }).waitFor();
  await curves.getByText("Data of this figure").click();
  const rows = curves.getByRole("row");
  await rows.first().waitFor();
  check_equal(await rows.count(), 1 + map.configurations.length, "rows of the table");
  await wait_until("the tables are in the address", answer_limit_ms, async () =>
    (new URL(page.url()).searchParams.get("data") ?? "").includes("point"),
  );
  const area = curves.locator(".plot-area");
  await area.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await wait_until("Enter chooses the other configuration", answer_limit_ms, async () => {
    return (await page.getByLabel("Configuration", { exact: true }).inputValue()) === "1";
  });
}

export async function accuracy(context) {
  const { browser, server } = context;
  const { page } = browser;
  const axis = (parameter, minimum, maximum) => ({ parameter, minimum, maximum, count: 3 });
  const { id } = await server.submit_analysis({
    kind: "map",
    name: "Accurate where?",
    problem: "stiff_oscillator",
    search: { couplings: ["force_displacement"], extrapolation: ["0", "1"] },
    tests: [{ name: "step" }],
    map: {
      quantity: "accuracy",
      x: axis("coupling.c_k", 1e4, 1e6),
      y: axis("coupling.d_k", 10, 1e3),
      macro_steps_s: { minimum_s: 5e-5, maximum_s: 1e-3, count: 4 },
    },
  });
  await page.goto(`${server.url}/?analysis=${id}&at=0,0`);
  const curves = figure(page, /Convergence/);
  await curves.waitFor({ timeout: compute_limit_ms });
  check_equal(await curves.locator(".slopes path").count(), 3, "reference slopes");
  const map = await export_of(server, id);
  const [first, second] = map.configurations[0].layers.map((layer) => layer.values[0][0]);
  const [short, long] = map.macro_steps_s;
  const order = Math.log(second / first) / Math.log(long / short);
  const text = await curves.locator(".readout").innerText();
  const shown = Number(/to the power ([\d.]+)/.exec(text)?.[1]);
  check(Math.abs(shown - order) < 0.06, `${text}, not ${order}`);
  await look(context, "accuracy-map");
  await page.getByRole("link", { name: "Duplicate and edit" }).click();
  await page.getByLabel("Largest error (NRMSE)").waitFor();
  check_equal(await page.getByLabel("Name").inputValue(), "Accurate where?", "the name");
  await page.getByText("2 configurations × 4 macro-step sizes × 9 points").waitFor();
}

export async function tuning(context) {
  const { browser, server } = context;
  const { page } = browser;
  await page.goto(`${server.url}/?analyse=linear_oscillator&kind=tune`);
  await page.getByLabel("Macro-step H").fill("5");
  for (const name of ["ramp", "impulse", "sine"])
    await page.getByRole("checkbox", { name }).uncheck();
  await page.getByText("One configuration, tuned in all its tests").waitFor();
  await look(context, "tuning-form");
  await page.getByRole("button", { name: "Start the tuning" }).click();
  const landscape = figure(page, /What is left of the objective/);
  await landscape.waitFor({ timeout: compute_limit_ms });
  const { result } = await server.get(`/analyses/${id_of(page)}`);
  const words = await page.locator(".answer .headline").innerText();
  check(words.includes(String(Number(result.best.mu.toPrecision(3)))), `the answer: ${words}`);
  await page.getByLabel("Test", { exact: true }).selectOption("step");
  await landscape.getByText("Data of this figure").click();
  const grid = result.landscape.slice(0, result.grid_points);
  const limit = Number(await page.getByLabel("Limit of the correction force").inputValue());
  const one = grid.find((point) => point.mu === 0.5 && point.nu === 0 && point.limit === limit);
  const share = one.objective.step / result.uncorrected.objective.step;
  const row = landscape.getByRole("row").last();
  const column = [...new Set(grid.map((point) => point.mu))].sort((a, b) => a - b).indexOf(0.5);
  const cell = Number(await row.getByRole("cell").nth(column).innerText());
  check(Math.abs(cell / share - 1) < 2e-3, `the table has ${cell}, not ${share}`);
  await look(context, "tuning");
}

export async function list(context) {
  const { browser, server, story } = context;
  const { page } = browser;
  const axis = (parameter) => ({ parameter, minimum: 1, maximum: 1e8, count: 200 });
  await server.submit_analysis({
    kind: "map",
    name: "far too much <b>bold</b>",
    problem: "stiff_oscillator",
    search: { extrapolation: ["0"], couplings: ["force_displacement"] },
    tests: [{ name: "step" }],
    map: {
      quantity: "accuracy",
      x: axis("coupling.c_k"),
      y: axis("coupling.d_k"),
      macro_steps_s: [1e-3, 5e-3],
    },
  });
  await page.goto(`${server.url}/?analyses=`);
  const row = page.getByRole("row").filter({ hasText: "far too much <b>bold</b>" });
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await row.locator(".pill.cancelled").waitFor({ timeout: compute_limit_ms });
  await look(context, "analyses");
  await row.getByRole("button", { name: /^Delete/ }).click();
  check(
    await row.getByRole("button", { name: /^Keep/ }).evaluate((one) => one === document.activeElement),
    "the harmless button is not in focus",
  );
  await row.getByRole("button", { name: /for good$/ }).click();
  await row.waitFor({ state: "detached" });
  const { analyses } = await server.get("/analyses");
  check_equal(analyses.length, 3, "analyses after one was deleted");
  check_equal(analyses.at(-1).id, story.map, "the oldest");
}
