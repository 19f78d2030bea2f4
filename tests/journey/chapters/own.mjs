// A search of a problem that the job brings along, without a name.
import { check, check_equal } from "../chapters.mjs";
import { look } from "./look.mjs";
import { compute_limit_ms } from "../limits.mjs";

/** A mass on a spring and a damper that is driven by its velocity, nobody's name for either. */
function own_job() {
  const port = (name, unit) => ({ name, unit });
  const spring = {
    A: [
      [0, 1],
      [-100, -1],
    ],
    B: [
      [0, 0],
      [1, 1],
    ],
    C: [[0, 1]],
    D: [[0, 0]],
    x0: [0, 0],
    inputs: [port("f", "N"), port("w", "N")],
    outputs: [port("v", "m/s")],
  };
  const damper = {
    A: [[-50]],
    B: [[50]],
    C: [[-2]],
    D: [[0]],
    x0: [0],
    inputs: [port("v", "m/s")],
    outputs: [port("f", "N")],
  };
  return {
    problem: {
      subsystems: [
        { name: "spring", state_space: spring },
        { name: "damper", state_space: damper },
      ],
      connections: [
        { from: "spring.v", to: "damper.v" },
        { from: "damper.f", to: "spring.f" },
      ],
      power_bonds: [{ effort: "damper.f", flow: "spring.v" }],
      external_inputs: [{ to: "spring.w", initial: 0, minimum: -10, maximum: 10 }],
    },
    micro_steps: { spring: 1e-3, damper: 1e-3 },
    search: { macro_step: { initial_s: 2e-3, increment_s: 2e-3, maximum_s: 0.2 } },
    tests: [{ name: "step", kind: "step", duration_s: 2 }],
  };
}

export async function own_problem(context) {
  const { browser, server } = context;
  const { page } = browser;
  const { id } = await server.submit(own_job());
  await page.goto(`${server.url}/?search=${id}`);
  await page.locator(".pill.succeeded").waitFor({ timeout: compute_limit_ms });
  const title = "Own problem (damper, spring)";
  check_equal((await page.locator("h1").innerText()).trim(), title, "title");
  const under = (await page.locator(".page-head p.muted").innerText()).trim();
  check(/^succeeded/.test(under), `under the title: ${under}`);
  await page.locator("figure.residual path.fit").first().waitFor();
  const label = await page.locator(".answer .at-cliff").innerText();
  check(/limit\s[0-9.]+$/s.test(label), `the ruler names no exact limit: ${label}`);
  await look(context, "own-problem");
  await page.getByRole("navigation", { name: "Main" }).getByText("Searches").click();
  await page.getByRole("row").filter({ hasText: title }).waitFor();
}
