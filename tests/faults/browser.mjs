// Pages of other sites and names that would like to be markup, in a real Chromium.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { check, check_equal, wait_until } from "../journey/chapters.mjs";
import { endless_job, short_job } from "./searches.mjs";
import { Skip } from "./suite.mjs";

const launch_limit_ms = 60_000;
const page_limit_ms = 30_000;
const opened_in_quick = 2; // pages of names that are markup
const foreign_host = "rebound.example";
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=MAP ${foreign_host} 127.0.0.1`,
];

async function with_browser(executable, action) {
  if (!executable) throw new Skip("no chromium here");
  const journey = new URL("../journey/package.json", import.meta.url);
  const { chromium } = createRequire(journey)("playwright-core");
  const browser = await chromium.launch({
    executablePath: executable,
    headless: true,
    args: flags,
    timeout: launch_limit_ms,
  });
  try {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(page_limit_ms);
    return await action(page);
  } finally {
    await browser.close();
  }
}

/** A page of another origin on this machine, as a tab that somebody has open. */
async function with_foreign_page(action) {
  const site = http.createServer((_request, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!doctype html><title>elsewhere</title><p>elsewhere");
  });
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  try {
    return await action(site.address().port);
  } finally {
    site.closeAllConnections();
    site.close();
  }
}

/** What anybody could see of the server. */
async function state(server, id) {
  const { searches } = await server.get("/searches");
  const { name, note, tags, priority, status } = await server.search(id);
  const ids = searches.map((one) => one.id);
  return { ids, name, note, tags, priority, status };
}

/** Everything a page may send to another origin without being asked back. */
async function attack_by_fetch(page, origin, id, job) {
  return page.evaluate(
    async ([target, search, body]) => {
      const send = (path, options) =>
        fetch(target + path, options).then(
          (answer) => answer.status,
          () => "refused",
        );
      const results = [];
      for (const mode of ["no-cors", "cors"]) {
        for (const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "application/json",
        ]) {
          const headers = { "Content-Type": type };
          const post = { method: "POST", mode, headers, body, credentials: "include" };
          results.push(await send("/api/v1/searches", post));
          results.push(await send(`/api/v1/searches/${search}/cancel`, post));
        }
        const empty = { method: "POST", mode, credentials: "include" };
        results.push(await send(`/api/v1/searches/${search}/cancel`, empty));
        results.push(await send("/api/v1/session", empty));
        results.push(await send("/api/v1/searches", { mode, credentials: "include" }));
      }
      for (const method of ["DELETE", "PATCH"]) {
        results.push(await send(`/api/v1/searches/${search}`, { method, body: '{"name": "a"}' }));
      }
      results.push(navigator.sendBeacon(`${target}/api/v1/searches/${search}/cancel`, body));
      return results;
    },
    [origin, id, job],
  );
}

/** Forms need no script's permission; the answer takes the page's place. */
async function attack_by_forms(page, site, origin, id, job) {
  let tries = 0;
  for (const enctype of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ]) {
    for (const path of ["/api/v1/searches", `/api/v1/searches/${id}/cancel`]) {
      await page.goto(site);
      const answered = page.waitForResponse((one) => one.url() === `${origin}${path}`);
      await page.evaluate(
        ([action, type, text]) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", action, enctype: type });
          const field = document.createElement("input");
          // As text/plain the body reads {"problem": …, "note": "="}.
          Object.assign(field, { name: `${text.slice(0, -1)}, "note": "`, value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        [`${origin}${path}`, enctype, job],
      );
      check_equal((await answered).status(), 403, `a form as ${enctype} to ${path}`);
      await page.waitForURL(`${origin}${path}`);
      tries += 1;
    }
  }
  return tries;
}

export const cross_site =
  (browser) =>
  (server, { quick }) =>
    with_browser(browser, (page) =>
      with_foreign_page(async (port) => {
        const { id } = await server.submit(endless_job("mine"));
        await server.wait_for(id, ["running"]);
        const before = await state(server, id);
        const job = '{"problem": "linear_oscillator", "name": "theirs"}';
        let tries = 0;
        // Another port of the same host is the same site, but another origin.
        const hosts = ["127.0.0.1", foreign_host, "localhost"];
        for (const host of quick ? hosts.slice(0, 2) : hosts) {
          const site = `http://${host}:${port}/`;
          const origin = `http://${server.host}`;
          await page.goto(site);
          const results = await attack_by_fetch(page, origin, id, job);
          check(!results.includes(200), `a page of ${site} reads answers: ${results}`);
          tries += results.length + (await attack_by_forms(page, site, origin, id, job));
        }
        check_equal(await state(server, id), before, "what pages of other sites have changed");
        await server.request("POST", `/api/v1/searches/${id}/cancel`);
        await server.wait_for(id, ["cancelled"]);
        return { tries };
      }),
    );

/** The name of another site that resolves to this machine a moment later. */
export const rebinding = (browser) => (server) =>
  with_browser(browser, async (page) => {
    const { id } = await server.submit(endless_job("mine"));
    await server.wait_for(id, ["running"]);
    const before = await state(server, id);
    const origin = `http://${foreign_host}:${server.port}`;
    const answer = await page.goto(`${origin}/`);
    check_equal(answer.status(), 421, "the dashboard under another name");
    // The page has the server's origin now: nothing but the Host header tells.
    const statuses = await page.evaluate(async (search) => {
      const headers = { "Content-Type": "application/json" };
      const body = '{"problem": "linear_oscillator", "name": "theirs"}';
      const requests = [
        ["/api/v1/searches", {}],
        ["/api/v1/searches", { method: "POST", headers, body }],
        [`/api/v1/searches/${search}/cancel`, { method: "POST" }],
        [`/api/v1/searches/${search}`, { method: "DELETE" }],
        [`/api/v1/searches/${search}`, { method: "PATCH", headers, body: '{"name": "theirs"}' }],
        ["/api/v1/events", {}],
        ["/metrics", {}],
        ["/healthz", {}],
      ];
      const all = requests.map(([path, options]) => fetch(path, options));
      return (await Promise.all(all)).map((one) => one.status);
    }, id);
    for (const status of statuses) check_equal(status, 421, "a request under another name");
    const port = server.port;
    const hosts = [`${foreign_host}:${port}`, "evil.example", `127.0.0.1.evil.example:${port}`];
    hosts.push(
      `localhost.:${port}`,
      "127.0.0.1:1",
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      "127.0.0.1",
    );
    hosts.push(`2130706433:${port}`, `[::ffff:127.0.0.1]:${port}`, `a@127.0.0.1:${port}`);
    for (const host of hosts) {
      const { status } = await server.request("GET", "/api/v1/searches", {
        headers: { Host: host },
      });
      check_equal(status, 421, `a request for ${host}`);
    }
    check_equal(await state(server, id), before, "what was changed under another name");
    await server.request("POST", `/api/v1/searches/${id}/cancel`);
    await server.wait_for(id, ["cancelled"]);
    return { tries: 1 + statuses.length + hosts.length };
  });

const payloads = [
  "<script>globalThis.owned = 1</script>",
  "<img src=x onerror=owned=1>",
  '"><svg onload=owned=1>',
  "'-alert(1)-'",
  "</title><script>owned=1</script>",
  "<iframe srcdoc='<script>parent.owned=1</script>'>",
  "{{constructor.constructor('owned=1')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the payload is the template
  "${alert(1)}",
  "javascript:owned=1",
  "&lt;b&gt; &#60;b&#62;",
  "<a href=javascript:owned=1>here</a>",
  "\u202e<b>",
];

/** Watches for anything that runs or becomes an element. */
async function watch(page) {
  const findings = [];
  page.on("dialog", (dialog) => {
    findings.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("pageerror", (error) => findings.push(`uncaught: ${error.message}`));
  await page.exposeFunction("report_violation", (text) => findings.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      globalThis.report_violation(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return findings;
}

async function check_page(page, findings, what, texts) {
  let missing = texts;
  const all_there = async () => {
    const shown = await page.locator("body").innerText();
    const inputs = page.locator("input, textarea");
    const fields = await inputs.evaluateAll((all) => all.map((one) => one.value));
    missing = texts.filter((text) => !shown.includes(text) && !fields.includes(text));
    return missing.length === 0;
  };
  await wait_until(`${what} shows all texts`, page_limit_ms, all_there).catch((error) => {
    throw new Error(`${error.message}: ${missing}`);
  });
  const found = await page.evaluate(() => ({
    owned: globalThis.owned,
    elements: document.querySelectorAll("img[src=x], iframe, [onload], [onerror], body script")
      .length,
    links: [...document.links].filter((one) => one.protocol === "javascript:").length,
  }));
  check_equal(found, { elements: 0, links: 0 }, `${what}: what a name has become`);
  check_equal(findings, [], what);
}

export const names_as_markup =
  (browser) =>
  (server, { binary, directory, quick }) =>
    with_browser(browser, async (page) => {
      const findings = await watch(page);
      const archive = join(directory, "mass.fmu");
      const made = spawnSync(
        binary,
        ["fmu", "export", "linear_oscillator", "m1", "--fmi", "2", "--out", archive],
        { encoding: "utf8" },
      );
      check_equal(made.status, 0, `an FMU: ${made.stderr}`);
      const fmu = await server.request(
        "POST",
        `/api/v1/fmus?name=${encodeURIComponent(payloads[1])}`,
        {
          body: readFileSync(archive),
          headers: { "Content-Type": "application/octet-stream" },
        },
      );
      check_equal(fmu.status, 201, `an FMU of that name: ${fmu.body}`);
      const tests = payloads.map((name) => ({ name, kind: "step", duration_s: 0.2 }));
      const label = (text) => ({ note: text, tags: [text.replaceAll(",", ";")] });
      const ids = [];
      for (const name of payloads) {
        const job = { ...short_job(name, true), ...label(name) };
        ids.push((await server.submit(ids.length === 0 ? { ...job, tests } : job)).id);
      }
      await server.wait_for(ids[0], ["succeeded"]);
      const origin = `http://${server.host}`;
      await page.goto(`${origin}/`);
      await check_page(page, findings, "the list", payloads);
      const opened = payloads.slice(0, quick ? opened_in_quick : payloads.length);
      for (const [i, text] of opened.entries()) {
        await page.goto(`${origin}/?search=${ids[i]}`);
        await check_page(page, findings, `the page of ${text}`, [text]);
      }
      await page.goto(`${origin}/?search=${ids[0]}`);
      await page.locator("figure.plot").first().waitFor();
      await check_page(page, findings, "a result", payloads);
      // Addresses are somebody else's text, too.
      for (const text of opened) {
        await page.goto(
          `${origin}/?search=${encodeURIComponent(text)}#${encodeURIComponent(text)}`,
        );
        await page.locator("h1, h2, [role=alert]").first().waitFor();
        await check_page(page, findings, "a search that is not there", [""]);
      }
      await page.goto(`${origin}/?fmus`);
      await check_page(page, findings, "the list of FMUs", [payloads[1]]);
      await page.goto(`${origin}/?fmu=${JSON.parse(fmu.body).sha256}`);
      await check_page(page, findings, "the page of an FMU", [payloads[1]]);
      for (const id of ids) await server.request("POST", `/api/v1/searches/${id}/cancel`);
      return { tries: payloads.length + 2 * opened.length + 3 };
    });
