// Searches that do not end undisturbed: cancelled by the user, or with the server killed.
import { check, check_equal, wait_until } from "../chapters.mjs";
import { trials_of } from "../page_text.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

const trials_before = 20; // that something is there to be kept or lost

/** Far too fine a scan: nobody waits for its end. */
function long_job(name) {
  const macro_step = { initial_s: 2e-5, increment_s: 1e-6, maximum_s: 0.02 };
  return { problem: "double_actuator_crane", name, search: { macro_step } };
}

/** As the page tells now; null where it tells none (yet), without waiting for it. */
async function trials_shown(page) {
  const [text] = await page.locator(".live [role=status]").allTextContents();
  return text === undefined ? null : trials_of(text);
}

export async function cancel({ browser, server }) {
  const { page } = browser;
  const { id } = await server.submit(long_job("Too fine"));
  const waiting = await server.submit(long_job("Waits"));
  await page.goto(`${server.url}/`);
  const row = page.getByRole("row").filter({ hasText: "Waits" });
  await row.locator(".pill.queued").waitFor();
  await page.getByRole("row").filter({ hasText: "Too fine" }).locator(".pill.running").waitFor();
  await row.getByRole("button", { name: "Cancel Waits" }).click();
  await row.locator(".pill.cancelled").waitFor();
  await browser.screenshot("list-running");
  check_equal((await server.get(`/searches/${waiting.id}`)).status, "cancelled", "the waiting one");

  await page.getByRole("link", { name: "Too fine" }).click();
  let shown = 0;
  await wait_until("trials are shown", compute_limit_ms, async () => {
    shown = await trials_shown(page);
    return shown >= trials_before;
  });
  await wait_until("the progress goes on", compute_limit_ms, async () => {
    return (await trials_shown(page)) > shown;
  });
  await page.getByRole("button", { name: "Cancel search" }).click();
  await page.locator(".pill.cancelled").waitFor({ timeout: answer_limit_ms });
  await page.locator(".message.warning").first().waitFor();
  check_equal(await page.locator(".live").count(), 0, "progress after the end");
  const stored = await server.get(`/searches/${id}`);
  check_equal(stored.status, "cancelled", "state");
  check_equal(stored.complete, false, "complete");
  check(stored.progress.trials_done >= trials_before, "trials were lost");
  await browser.screenshot("cancelled");
}

export async function killed({ browser, server }) {
  const { page } = browser;
  const macro_step = { initial_s: 1e-4, increment_s: 1e-4, maximum_s: 0.02 };
  const { id } = await server.submit({
    problem: "double_actuator_crane",
    name: "Survives",
    search: { macro_step },
  });
  await page.goto(`${server.url}/?search=${id}`);
  await wait_until("trials are shown", compute_limit_ms, async () => {
    return (await trials_shown(page)) >= trials_before;
  });
  let shown = 0;
  await browser.expecting(/ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)/, async () => {
    await server.end("SIGKILL");
    await page.getByText("The live connection is lost").waitFor();
    shown = await trials_shown(page);
    check(shown >= trials_before, `${shown} trials are shown after ${trials_before} or more`);
    await browser.screenshot("server-gone");
    await server.start();
    const stored = await server.get(`/searches/${id}`);
    check(
      stored.progress.trials_done >= shown,
      `${shown} trials were reported, ${stored.progress.trials_done} are stored`,
    );
    await wait_until("the page is live again", compute_limit_ms, async () => {
      return (await page.getByText("The live connection is lost").count()) === 0;
    });
  });
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  await page.getByRole("heading", { name: "Recommendation" }).waitFor();
  await wait_until("messages of errors that are over go away", answer_limit_ms, async () => {
    return (await page.getByRole("alert").count()) === 0;
  });
  const stored = await server.get(`/searches/${id}`);
  check_equal(stored.complete, true, "complete");
  check(stored.progress.trials_done >= shown, "trials were lost");
  check_equal(await page.locator("figure.residual").count(), stored.job.tests.length, "figures");
  await browser.screenshot("all-tests");
}

export async function ended({ server }) {
  check_equal(await server.end("SIGTERM"), 0, "exit code");
}
