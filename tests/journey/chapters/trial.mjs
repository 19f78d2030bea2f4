// One trial: its course over time with the numbers of REST, zoomed by keyboard, and run again.
import { check, check_close, check_equal, wait_until } from "../chapters.mjs";
import { number_of } from "../page_text.mjs";
import { run_script } from "../server.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

async function trials(server, id) {
  const list = [];
  let after = "";
  do {
    const part = await server.get(`/searches/${id}/trials?limit=1000${after}`);
    list.push(...part.trials);
    after = part.next === null ? null : `&after=${encodeURIComponent(part.next)}`;
  } while (after !== null);
  return list;
}

async function open(page, server, id, trial, more = "") {
  await page.goto(`${server.url}/?search=${id}&trial=${trial}${more}`);
  await page.locator(".time-chart canvas").first().waitFor({ timeout: compute_limit_ms });
}

export async function course({ browser, server, story }) {
  const { page } = browser;
  const all = await trials(server, story.id);
  const { macro_step_s } = story.search.recommendation;
  story.trial = all.find((one) => one.status === "complete" && one.macro_step_s === macro_step_s);
  check(story.trial, "no complete trial at the recommended H");
  await open(page, server, story.id, story.trial.id);
  await page.getByText("Difference, on the same axis").waitFor({ timeout: compute_limit_ms });
  const figures = await page.locator("figure.over-time h2").allInnerTexts();
  check_equal(
    figures,
    ["Output over time", "Input as applied", "Residual power", "Energy balance of the coupling", "Test input"],
    "figures",
  );

  // The monolithic solution is what it is compared with, and the error is the one of the answer.
  const path = `/searches/${story.id}/trials/${story.trial.id}/trace?points=20000&reference=true`;
  const trace = await server.get(path);
  const output = page.locator("figure.over-time").filter({ hasText: "Output over time" });
  check((await output.innerText()).includes("monolithic solution"), "no monolithic solution");
  const nrmse = /NRMSE of this output ([\d.]+)\s%/.exec(await output.innerText());
  check(nrmse, "the page does not tell the NRMSE");
  check_close(Number(nrmse[1]) / 100, trace.reference.outputs[trace.columns[1]], 2, "NRMSE");
  await page.getByLabel("Compared with").selectOption("smallest");
  await output.getByText("which is not the monolithic solution").waitFor({ timeout: compute_limit_ms });
  check(new URL(page.url()).searchParams.get("against") === "smallest", "the choice has no address");
  await page.getByLabel("Compared with").selectOption("reference");

  // Inputs have the names of the connections; the crane's forces are held.
  const held = trace.connections.find((one) => !one.extrapolate);
  const inputs = page.locator("figure.over-time").filter({ hasText: "Input as applied" });
  await inputs.getByLabel("Input", { exact: true }).selectOption(held.to);
  await inputs.getByText(`What ${held.to} is over each macro-step: held`).waitFor();

  // The last value of the table is E, as REST has it, up to the digits that are shown.
  const energy = page.locator("figure.over-time").filter({ hasText: "Energy balance" });
  await page.locator(".time-chart").first().focus();
  for (let n = 0; n < 7; ++n) await page.keyboard.press("+");
  await page.keyboard.press("End");
  await wait_until("the address keeps the stretch of time", answer_limit_ms, () =>
    new URL(page.url()).searchParams.has("t"),
  );
  await energy.getByText("Data of this figure").click();
  const last = energy.locator("tbody tr").last();
  await last.waitFor();
  const shown = number_of((await last.locator("td").last().innerText()).replace("−", "-"));
  check_close(shown, story.trial.residual_J, 4, "E at the end of the figure");
  await browser.screenshot("trial");

  const before = new URL(page.url()).searchParams.get("t");
  await page.locator(".time-chart").first().focus();
  await page.keyboard.press("ArrowLeft");
  await wait_until("a key pans", answer_limit_ms, () => {
    return new URL(page.url()).searchParams.get("t") !== before;
  });
  const kept = new URL(page.url()).searchParams.get("t");
  await page.reload();
  await page.locator(".time-chart canvas").first().waitFor({ timeout: compute_limit_ms });
  check_equal(new URL(page.url()).searchParams.get("t"), kept, "the stretch after a reload");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all" }).click();
  await wait_until("all is shown", answer_limit_ms, () => !new URL(page.url()).searchParams.has("t"));
}

export async function pointer({ browser, server, story }) {
  const { page } = browser;
  await open(page, server, story.id, story.trial.id, "&t=0.4,0.6");
  await page.getByText("Difference, on the same axis").waitFor({ timeout: compute_limit_ms });
  const over = page.locator(".time-chart .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  const readout = page.locator(".over-time .readout").first();
  await wait_until("the pointer reads out", answer_limit_ms, async () => {
    return (await readout.innerText()).startsWith("t = ");
  });
  await page.mouse.down();
  await page.mouse.move(x + box.width / 4, y, { steps: 5 });
  await page.mouse.up();
  const range = () => (new URL(page.url()).searchParams.get("t") ?? "").split(",").map(Number);
  await wait_until("dragging pans", answer_limit_ms, () => Math.abs(range()[0] - 0.35) < 2e-3);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await wait_until("Ctrl and the wheel zoom", answer_limit_ms, () => range()[1] - range()[0] < 0.19);
}

export async function rerun({ browser, server, story }) {
  const { page } = browser;
  await open(page, server, story.id, story.trial.id);
  // Its reference is run before: one trial at a time.
  await page.getByText("Difference, on the same axis").waitFor({ timeout: compute_limit_ms });
  await page.getByRole("button", { name: "Run this trial again" }).click();
  await page.getByText("The result is identical to the stored one.").waitFor({
    timeout: compute_limit_ms,
  });
  const rows = await page.locator("table.outcome tbody tr").allInnerTexts();
  check(rows.length > 5, `the outcome reads: ${rows}`);
}

/** Held inputs let the crane's solver fail soon beyond its cliff. */
export async function failed({ browser, server }) {
  const { page } = browser;
  const { id } = await server.submit({
    problem: "double_actuator_crane",
    name: "Fails",
    search: {
      extrapolation: ["0"],
      integrators: { mechanics: ["i1al"], hydraulics: ["forward_euler"] },
      macro_step: { initial_s: 2e-4, increment_s: 2e-4, maximum_s: 2e-3 },
    },
    tests: [{ name: "step", kind: "step", duration_s: 1 }],
  });
  await wait_until("the search has ended", compute_limit_ms, async () => {
    return (await server.get(`/searches/${id}`)).status === "succeeded";
  });
  const one = (await trials(server, id)).find((trial) => trial.status !== "complete");
  check(one, "no trial failed");
  await open(page, server, id, one.id);
  const words = await page.getByRole("alert").innerText();
  check(words.includes(one.reason.slice(1, 30)), `“${words}” does not say: ${one.reason}`);
  await browser.screenshot("failed-trial");
}

export async function no_such_trial({ browser, server, story }) {
  const { page } = browser;
  await browser.expecting(/status of 404/, async () => {
    await page.goto(`${server.url}/?search=${story.id}&trial=99999999`);
    await page.getByRole("heading", { name: "Trial not found" }).waitFor();
  });
  for (const point of ["trial=first", "curve=0&h=123"]) {
    await page.goto(`${server.url}/?search=${story.id}&${point}`);
    await page.getByRole("heading", { name: "Trial not found" }).waitFor();
    await page.getByRole("link", { name: "Back to the search" }).click();
    await page.getByRole("heading", { name: "Largest H per test input, as measured" }).waitFor();
  }
}

/** What the page of a trial copies, run as it is. */
export async function command_line({ browser, server, story, binary }) {
  const { page } = browser;
  await open(page, server, story.id, story.trial.id);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("Command line", { exact: true }).click();
  await page.getByRole("button", { name: "Copy as command line" }).click();
  await page.getByText("Copied as command line", { exact: true }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const result = JSON.parse(run_script(text.replace(" - ", " - --json --no-reference "), binary));
  const stored = await server.get(`/searches/${story.id}/trials/${story.trial.id}`);
  for (const name of ["status", "residual_J", "relative_residual", "macro_steps"])
    check_equal(result[name], stored[name], `${name} of the command line`);
}
