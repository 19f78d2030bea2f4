// A problem of one's own made of two FMUs: uploaded, coupled, confirmed, mistaken, corrected, searched.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check, check_equal } from "../chapters.mjs";
import { seconds_of, shown_step } from "../page_text.mjs";
import { compute_limit_ms } from "../limits.mjs";

const names = ["mass2.fmu", "spring_mass2.fmu"];

/** The test FMUs that were built with the program; null where they were not. */
export function test_fmus(binary) {
  const directory = join(dirname(binary), "..", "tests", "fmus");
  const files = names.map((name) => join(directory, name));
  return files.every((file) => existsSync(file)) ? files : null;
}

export async function upload({ browser, story, scratch }) {
  const { page } = browser;
  await page.getByRole("navigation", { name: "Main" }).getByText("FMUs").click();
  await page.getByRole("heading", { name: "No FMUs yet" }).waitFor();
  const wrong = join(scratch, "notes.fmu");
  writeFileSync(wrong, "no archive at all");
  const chooser = page.getByLabel("Upload FMUs").locator("input[type=file]");
  await browser.expecting(/status of 422/, async () => {
    await chooser.setInputFiles([wrong, ...story.fmus]);
    await page.getByRole("row").nth(2).waitFor();
  });
  const refused = await page.getByRole("alert").innerText();
  check(/notes\.fmu.*zip archive/.test(refused), `refused with: ${refused}`);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await uploads.getByText("spring_mass2.fmu is stored").waitFor();
  await browser.screenshot("fmus");

  await page.getByRole("row").getByRole("link", { name: "spring_mass2.fmu" }).click();
  await page.getByRole("heading", { name: "spring_mass2.fmu" }).waitFor();
  const inputs = page.getByRole("region", { name: "Inputs" });
  await inputs.getByRole("row").filter({ hasText: "v_in" }).getByText("m/s").waitFor();
  await browser.screenshot("fmu");
}

async function add(page, fmu, name) {
  await page.getByLabel("FMU", { exact: true }).selectOption({ label: `${fmu} (FMI 2.0)` });
  await page.getByRole("button", { name: "Add as subsystem" }).click();
  const card = page.getByRole("group", { name: "Subsystem" }).last();
  await card.getByText("Integrators").waitFor();
  await card.getByLabel("Name").fill(name);
  return card;
}

export async function compose({ browser }) {
  const { page } = browser;
  await page.getByRole("link", { name: "Use in a new search" }).click();
  const first = page.getByRole("group", { name: "Subsystem" });
  await first.getByLabel("Name").fill("trailer");
  const truck = await add(page, "mass2.fmu", "truck");
  await truck.getByText("Parameters").click();
  await truck.getByLabel("m", { exact: true }).fill("heavy");
  await page.getByRole("button", { name: /Connect what fits/ }).click();
  check_equal(
    await page.getByLabel("Source of trailer.v_in").locator("option:checked").innerText(),
    "truck.v",
    "what v_in follows",
  );
  const position = page.getByLabel("Source of truck.f").locator("option", { hasText: "trailer.x" });
  check((await position.innerText()).includes("m, not N"), "no word about the units");
  check(await position.isDisabled(), "a position can be chosen for a force");
  await page.getByLabel("Source of truck.w").selectOption({ label: "the tests (external input)" });
  await page.getByLabel("Minimum").fill("-10");
  await page.getByText("trailer.f × truck.v").click();
  await page.getByRole("checkbox", { name: "trapezoidal rule" }).first().uncheck();
  await page.getByRole("checkbox", { name: "trapezoidal rule" }).last().uncheck();
  for (const order of ["m = 0", "m = 3", "m = 4"])
    await page.getByRole("checkbox", { name: order }).uncheck();
  for (const test of ["ramp", "impulse"]) await page.getByRole("checkbox", { name: test }).uncheck();
  await page.getByLabel("First H").fill("1");
  await page.getByLabel("Increment of H").fill("1");
  await page.getByLabel("Name").last().fill("Truck and trailer");
  await page.getByText("2 curves").waitFor();
}

export async function mistakes({ browser }) {
  const { page } = browser;
  await browser.expecting(/status of 422/, async () => {
    await page.getByRole("button", { name: "Start search" }).click();
    await page.getByRole("alert").waitFor();
  });
  const words = async (id) => (await page.locator(`[id="error-${id}"]`).innerText()).trim();
  check_equal(await words("subsystem:s2:parameter:m"), "“heavy” is not a number.", "at m");
  check_equal(await words("external:s2.w:maximum"), "A number is needed.", "at the maximum");
  await browser.screenshot("fmu-mistakes");

  await page.reload();
  const parameter = page.locator('[id="subsystem:s2:parameter:m"]');
  await parameter.waitFor({ state: "attached" });
  check_equal(await parameter.inputValue(), "heavy", "the parameter after a reload");
  check_equal(await page.getByLabel("Minimum").inputValue(), "-10", "the minimum after a reload");
  check(
    await page.getByRole("checkbox", { name: "trailer.f × truck.v" }).isChecked(),
    "the bond is no longer confirmed after a reload",
  );
  if (!(await parameter.isVisible()))
    await page.locator("summary", { hasText: "Parameters" }).last().click();
  await parameter.fill("2");
  await page.getByLabel("Maximum").fill("10");
}

export async function search({ browser, server, story }) {
  const { page } = browser;
  await page.getByRole("button", { name: "Start search" }).click();
  await page.getByRole("heading", { name: "Recommendation" }).waitFor({ timeout: compute_limit_ms });
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const id = new URL(page.url()).searchParams.get("search");
  const found = await server.get(`/searches/${id}`);
  const { external_inputs, power_bonds, subsystems } = found.job.problem;
  check_equal(
    subsystems.map((one) => [one.name, one.parameters]),
    [
      ["trailer", {}],
      ["truck", { m: 2 }],
    ],
    "subsystems",
  );
  check_equal(power_bonds, [{ effort: "trailer.f", flow: "truck.v" }], "bonds");
  check_equal([external_inputs[0].to, external_inputs[0].maximum], ["truck.w", 10], "range");

  const answer = found.recommendation;
  const sentence = await page.locator(".answer .headline").innerText();
  check_equal(seconds_of(sentence), shown_step(answer.macro_step_s), `H in: ${sentence}`);
  const roles = page.getByRole("region", { name: "FMUs in the recommended configuration" });
  const row = roles.getByRole("row").filter({ hasText: "truck" });
  const text = await row.innerText();
  check_equal(answer.fmus.truck.inputs, "input_derivatives", "inputs of the truck in REST");
  check(text.includes("derivatives at the start of each step"), `the row reads: ${text}`);
  check(text.includes("mass2.fmu") && text.includes("m = 2"), `the row reads: ${text}`);
  await browser.screenshot("fmu-search");
  story.own = id;
}

/** On from there: changed, searched again, both compared, and everything saved as files. */
export async function analyst({ browser, story }) {
  const { page } = browser;
  await page.getByRole("link", { name: "Duplicate and edit" }).click();
  await page.getByText("2 curves").waitFor();
  check_equal(await page.getByLabel("Maximum").inputValue(), "10", "the range of the form");
  await page.getByRole("checkbox", { name: "m = 3" }).check();
  await page.getByLabel("Name").last().fill("Truck and trailer, m = 3");
  await page.getByText("3 curves").waitFor();
  await page.getByRole("button", { name: "Start search" }).click();
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const id = new URL(page.url()).searchParams.get("search");
  check(id !== story.own, "the changed job made no search of its own");

  await page.getByText("Name, tags and note").click();
  await page.getByLabel("Note", { exact: true }).fill("with one more order");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".written .note", { hasText: "with one more order" }).waitFor();
  await page.getByRole("link", { name: "Compare with another" }).click();
  await page.getByRole("checkbox", { name: "Select Truck and trailer", exact: true }).check();
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("heading", { name: "Compare 2 searches" }).waitFor();
  await page.locator("figure.plot .line").first().waitFor();
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return readFileSync(await download.path(), "utf8");
  };
  const drawing = await saved(page.getByRole("button", { name: /^Save as SVG/ }).first());
  check(drawing.includes("</svg>") && drawing.includes("Macro-step H"), "the saved figure");
  const json = JSON.parse(await saved(page.getByRole("link", { name: "JSON" })));
  check_equal(json.job.map((one) => one.pointer).includes("/search/extrapolation"), true, "JSON");
  const csv = await saved(page.getByRole("button", { name: "Save as CSV" }));
  check(csv.includes("/search/extrapolation"), "the differences as CSV");
  await browser.screenshot("fmu-compared");

  await page.getByRole("link", { name: "Truck and trailer, m = 3" }).click();
  await page.getByRole("heading", { name: "Configurations compared" }).waitFor();
  const heat = await saved(page.getByRole("button", { name: "Save as SVG: Largest H of each configuration, in ms" }));
  check(/<text[^>]*>Configuration</.test(heat) && /<rect[^>]*fill="rgb/.test(heat), "the table as SVG");
  const figures = await page.locator("figure").count();
  check_equal(await page.locator("figure .save-figure").count(), figures, "figures that are saved");
  const links = page.locator(".export-links");
  const search = JSON.parse(await saved(links.getByRole("link", { name: "JSON" })));
  check_equal(search.note, "with one more order", "the note in the exported search");
  const trials = (await saved(links.getByRole("link", { name: "CSV" }))).trim().split("\n");
  check_equal(trials.length - 1, search.progress.trials_done, "exported trials");
  await page.getByRole("link", { name: "Duplicate and edit" }).click();
  await page.getByText("3 curves").waitFor();
}

/** Deleted for good after a second click. */
export async function remove({ browser, server }) {
  const { page } = browser;
  await page.getByRole("navigation", { name: "Main" }).getByText("FMUs").click();
  await page.getByRole("button", { name: "Delete mass2.fmu" }).click();
  await page.getByRole("button", { name: "Keep mass2.fmu" }).click();
  check_equal((await server.get("/fmus")).fmus.length, 2, "FMUs after the first click");
  await page.getByRole("button", { name: "Delete mass2.fmu" }).click();
  await page.getByRole("button", { name: "Delete mass2.fmu for good" }).click();
  await page.getByRole("link", { name: "mass2.fmu", exact: true }).waitFor({ state: "detached" });
  check_equal((await server.get("/fmus")).fmus.length, 1, "FMUs after the second click");
}
