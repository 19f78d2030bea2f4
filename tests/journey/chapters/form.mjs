// Forms of new searches: the job as JSON beside them, what it will cost, problems of matrices.
import { check, check_equal, wait_until } from "../chapters.mjs";
import { look } from "./look.mjs";
import { answer_limit_ms, compute_limit_ms } from "../limits.mjs";

const json = (page) => page.getByRole("textbox", { name: "Job as JSON" });
const job_of = async (page) => JSON.parse(await json(page).inputValue());
const size = (page) => page.locator(".submit .size");
const plain = (text) => text.replace(/\u202f/g, "");

async function estimate(server, job) {
  const response = await fetch(`${server.url}/api/v1/searches?dry_run=true`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(job),
  });
  check_equal(response.status, 200, "status of the dry run");
  return response.json();
}

/** The page shows the numbers that REST tells of the job beside the form. */
async function check_estimate(page, server) {
  const found = await estimate(server, await job_of(page));
  const wanted = `${found.curves} curve`;
  await wait_until(`the size reads ${wanted}, with trials`, answer_limit_ms, async () => {
    const text = plain(await size(page).innerText());
    return text.includes(wanted) && text.includes(`about ${found.estimate.trials_expected} trials`);
  });
  const text = plain(await size(page).innerText());
  check(text.includes(`at most ${found.estimate.trials_max}`), `the size reads ${text}`);
  check(/about [0-9.]+(s|ms|min)/.test(text), `no time in ${text}`);
}

/** Counts dry runs under way until it is asked for the most at once, and how many there were. */
function watch_checks(page) {
  const state = { under_way: 0, most: 0, all: 0 };
  const is_check = (request) => request.url().includes("dry_run=true");
  const start = (request) => {
    if (!is_check(request)) return;
    state.under_way += 1;
    state.all += 1;
    state.most = Math.max(state.most, state.under_way);
  };
  const end = (request) => {
    if (is_check(request)) state.under_way -= 1;
  };
  page.on("request", start);
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return () => {
    page.off("request", start);
    page.off("requestfinished", end);
    page.off("requestfailed", end);
    return state;
  };
}

export async function both_ways({ browser, server }) {
  const { page } = browser;
  const watched = watch_checks(page);
  await page.goto(`${server.url}/?new=linear_oscillator`);
  await check_estimate(page, server);

  await page.getByRole("checkbox", { name: "m = 2" }).uncheck();
  check_equal((await job_of(page)).search.extrapolation, ["0", "1"], "extrapolation in the JSON");
  await check_estimate(page, server);

  const job = await job_of(page);
  job.search.macro_step.maximum_s = 0.05;
  job.search.schemes = ["jacobi", "gauss_seidel"];
  job.parameters = { "m1.m": 2 };
  job.note = "kept though the form has no field for it";
  job.tests = [{ name: "mine", kind: "step", duration_s: 1.5 }];
  await json(page).fill(JSON.stringify(job));
  check_equal(await page.getByLabel("Largest H").inputValue(), "50", "largest H in the form");
  check(await page.getByRole("checkbox", { name: "Gauss–Seidel" }).isChecked(), "the scheme");
  check(await page.getByRole("checkbox", { name: "mine" }).isChecked(), "the test of one's own");
  check_equal(await page.locator('[id="parameter:m1.m"]').inputValue(), "2", "m1.m in the form");
  check_equal(await json(page).inputValue(), JSON.stringify(job), "what was typed stays as it is");
  await check_estimate(page, server);

  await page.getByLabel("Name").fill("both ways");
  const { name, ...others } = await job_of(page);
  check_equal(name, "both ways", "the name in the JSON");
  check_equal(others, job, "the rest of the JSON after the form changed");

  await json(page).fill('{"kind": "search",\n  problem}');
  check((await page.locator("#error-job").innerText()).includes("line 2"), "no line of the mistake");
  check(await page.getByRole("button", { name: "Start search" }).isDisabled(), "it can be sent");
  await page.getByLabel("Largest H").fill("40");
  check_equal((await job_of(page)).search.macro_step.maximum_s, 0.04, "the form goes on");

  await json(page).fill('{"problem": "coupled_pendula"}');
  check_equal(await page.getByLabel("Problem").inputValue(), "coupled_pendula", "the problem");
  check_equal(new URL(page.url()).searchParams.get("new"), "coupled_pendula", "the address");

  for (let digit = 1; digit <= 9; ++digit) {
    await page.getByLabel("Largest H").fill(String(100 + digit));
    await page.waitForTimeout(100); // as one types
  }
  await check_estimate(page, server);
  const { most, all } = watched();
  check_equal(most, 1, "dry runs at once");
  check(all < 20, `${all} dry runs for a few pauses`);
}

export async function mistakes_while_typing({ browser, server }) {
  const { page } = browser;
  await page.goto(`${server.url}/?new=linear_oscillator`);
  await check_estimate(page, server);
  await browser.expecting(/status of 422/, async () => {
    const job = await job_of(page);
    job.parameters = { "m1.m": -1, nonsense: 1 };
    job.search.macro_step.initial_s = -1;
    await json(page).fill(JSON.stringify(job));
    await page.locator("#error-initial").waitFor();
    const mass = await page.locator('[id="error-parameter:m1.m"]').innerText();
    check(mass.includes("outside"), `m1.m: ${mass}`);
    const other = await page.locator("#error-job").innerText();
    check(other.includes("/parameters/nonsense"), `beside the JSON: ${other}`);
    check((await size(page).innerText()).includes("3 mistakes"), "the number of mistakes");
    await browser.screenshot("form-mistakes");
  });
}

export async function duplicate({ browser, server }) {
  const { page } = browser;
  const job = {
    name: "first of two",
    note: "duplicated",
    tags: ["journey"],
    problem: "linear_oscillator",
    search: {
      couplings: ["force_displacement"],
      extrapolation: ["0"],
      minimum_macro_steps: 10,
      macro_step: { maximum_s: 0.02 },
    },
    tests: [{ name: "step", kind: "step", duration_s: 0.5 }],
  };
  const { id } = await server.submit(job);
  await page.goto(`${server.url}/?new=linear_oscillator&from=${id}`);
  await page.getByText("1 configuration × 1 test = 1 curve").waitFor();
  check_equal(await page.getByLabel("Name").inputValue(), job.name, "the name");
  await page.getByLabel("Name").fill("second of two");
  await page.getByRole("checkbox", { name: "m = 1" }).check();
  await check_estimate(page, server);
  await page.getByRole("button", { name: "Start search" }).click();
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const other = await server.get(`/searches/${new URL(page.url()).searchParams.get("search")}`);
  check_equal([other.note, other.tags], [job.note, job.tags], "note and tags");
  check_equal(other.job.search.extrapolation, ["0", "1"], "extrapolation");
  check_equal(other.job.search.minimum_macro_steps, 10, "a member without a field");
  check_equal(other.job.search.macro_step.maximum_s, 0.02, "largest H");
}

/** Two masses given by their matrices, composed by keyboard alone where that is quick to say. */
export async function matrices(context) {
  const { browser, server } = context;
  const { page } = browser;
  await page.goto(`${server.url}/?own=`);
  const add = page.getByRole("button", { name: "Add one given by matrices" });
  await add.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /Connect what fits/ }).click();
  await page
    .getByLabel("Source of linear_1.w")
    .selectOption({ label: "the tests (external input)" });
  await page.getByLabel("Minimum").fill("-10");
  await page.getByLabel("Maximum").fill("10");
  await page.getByText("linear_1.f × linear_2.v").click();
  await check_estimate(page, server);

  const matrix = page.getByRole("textbox", { name: "A of linear_2" });
  await matrix.fill("0 1\n-1000");
  check((await page.getByText(/rows of different lengths, not 2 × 2/).count()) === 1, "its size");
  await matrix.fill("0 1\n-2000 -2");
  check_equal(
    (await job_of(page)).problem.subsystems[1].state_space.A,
    [
      [0, 1],
      [-2000, -2],
    ],
    "A in the JSON",
  );
  for (const order of ["m = 2", "m = 3", "m = 4"])
    await page.getByRole("checkbox", { name: order }).uncheck();
  for (const test of ["ramp", "impulse"]) await page.getByRole("checkbox", { name: test }).uncheck();
  const job = await job_of(page);
  job.problem.connections[0].extrapolate = false;
  await json(page).fill(JSON.stringify(job));
  await page.getByLabel("Name").last().fill("Two masses");
  check_equal((await job_of(page)).problem.connections[0].extrapolate, false, "a member is kept");
  await check_estimate(page, server);
  await page.reload();
  await check_estimate(page, server);
  check_equal(await matrix.inputValue(), "0 1\n-2000 -2", "A after a reload");
  await look(context, "matrices");
  await page.getByRole("button", { name: "Start search" }).click();
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const id = new URL(page.url()).searchParams.get("search");
  const found = await server.get(`/searches/${id}`);
  check_equal(found.job.problem.subsystems[1].state_space.A[1], [-2000, -2], "A of the search");
}
