// One search read from the page, REST, the CSV export and the SQL views: the same numbers, all of them.
import { readFileSync } from "node:fs";
import { check, check_close, check_equal } from "../chapters.mjs";
import { number_of, seconds_of, shown_step } from "../page_text.mjs";
import { has_sqlite } from "../server.mjs";
import { answer_limit_ms } from "../limits.mjs";

const double_digits = 14; // sqlite3 prints 15
const shown_digits = 3; // of a residual on the page

/** Rows as objects; every value is text. */
export function parse_csv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replace(/""/g, '"'));
    if (end !== ",") rows.push([]);
  }
  const [names, ...all] = rows.filter((row) => row.length > 1);
  return all.map((row) => Object.fromEntries(names.map((name, n) => [name, row[n]])));
}

const number = (text) => (text === "" ? null : Number(text));
const key_of = (curve, macro_step_s) => `${curve} ${macro_step_s.toPrecision(12)}`;

/** Every point by its curve and H, and by its trial; every curve by its number. */
function from_rest(curves) {
  const points = new Map();
  const trials = new Map();
  for (const curve of curves)
    for (const point of curve.points) {
      points.set(key_of(curve.id, point.macro_step_s), point);
      trials.set(point.trial_id, { curve: curve.id, point });
    }
  return { points, trials, curves: new Map(curves.map((one) => [one.id, one])) };
}

/** Checks rows with one point each, as the CSV file and the view have them. */
function check_rows(rows, wanted, what) {
  check_equal(rows.length, wanted.points.size, `points in ${what}`);
  for (const row of rows) {
    const point = wanted.points.get(key_of(row.curve_id, row.macro_step_s));
    const where = `${what}, curve ${row.curve_id} at ${row.macro_step_s} s`;
    check(point !== undefined, `${where}: not in REST`);
    check_equal(row.status, point.status, `${where}: state`);
    for (const member of ["residual_J", "relative_residual"])
      check_close(row[member], point[member], double_digits, `${where}: ${member}`);
    for (const member of ["bend_s", "cliff_s"])
      check_close(
        row[member],
        wanted.curves.get(row.curve_id)[member],
        double_digits,
        `${where}: ${member}`,
      );
  }
}

/** What the tables of a figure hold; a cell's link names its trial. */
async function check_figure(figure, wanted, seen) {
  await figure.getByText("Data of this figure").click();
  await figure.locator(".scroll.tall tbody tr").first().waitFor();
  const { cells, lines } = await figure.evaluate((one) => {
    const [curves, points] = one.querySelectorAll(".data table");
    const texts = (row) => [...row.cells].map((cell) => cell.textContent);
    const cells = [...points.tBodies[0].rows].flatMap((row) =>
      [...row.querySelectorAll("td a")].map((link) => ({
        column: link.closest("td").cellIndex - 1,
        address: link.getAttribute("href"),
        step: row.cells[0].textContent,
        text: link.textContent,
      })),
    );
    return { cells, lines: [...curves.tBodies[0].rows].map(texts) };
  });
  const curve_of_column = new Map();
  for (const { column, address, step, text } of cells) {
    const query = new URLSearchParams(address.slice(2));
    const trial = wanted.trials.get(Number(query.get("trial")));
    check(trial !== undefined, `${address}, at ${step} on the page: not in REST`);
    const { curve, point } = trial;
    const h = point.macro_step_s;
    curve_of_column.set(column, curve);
    const key = key_of(curve, h);
    const where = `curve ${curve} at ${h} s on the page`;
    check(!seen.has(key), `${where}: twice`);
    seen.add(key);
    check_close(seconds_of(step), h, 5, `${where}: H`);
    if (point.status === "complete")
      check_close(number_of(text), point.residual_J, shown_digits, `${where}: E`);
    else check(/^[a-z]/.test(text), `${where}: ${text} for ${point.status}`);
  }
  for (const [row, [label, bend, cliff, limit, rejected, slope]] of lines.entries()) {
    const curve = wanted.curves.get(curve_of_column.get(row));
    check(curve !== undefined, `${label} has no points`);
    const steps = {
      bend_s: bend,
      cliff_s: cliff,
      stability_limit_s: limit,
      rejected_from_s: rejected,
    };
    for (const [member, text] of Object.entries(steps)) {
      const value = curve[member] ?? null;
      check_equal(seconds_of(text), value && shown_step(value), `${member} of ${label}`);
    }
    if (curve.slope === null) check_equal(slope, "–", `slope of ${label}`);
    else check_close(Number(slope.replace("−", "-")), curve.slope, 3, `slope of ${label}`);
  }
  await figure.getByText("Data of this figure").click();
  return lines.length;
}

/** What both answers say, from the rows of the CSV file alone. */
function check_answers(search, rows) {
  const counting = search.table
    .filter((row) => !row.flags.includes("too_few_macro_steps"))
    .map((row) => row.test);
  const text = (one) => JSON.stringify(Object.entries(one).sort());
  for (const answer of [search.recommendation, search.paper_rule]) {
    const own = rows.filter(
      (row) =>
        counting.includes(row.test) &&
        row.extrapolation === answer.extrapolation &&
        row.coupling === answer.coupling &&
        text(JSON.parse(row.integrators)) === text(answer.integrators) &&
        Math.abs(row.macro_step_s / answer.macro_step_s - 1) < 1e-9,
    );
    const where = `the answer by ${answer.rule} in the CSV file`;
    check(own.length > 0, `${where} is missing`);
    check(own.every((row) => row.status === "complete"), `${where} has trials that failed`);
    const of_rule = answer.rule === "max_min" ? own : own.filter((row) => row.bend_s === answer.bend_s);
    const largest = Math.max(...of_rule.map((row) => row.relative_residual));
    check_close(largest, answer.relative_residual, double_digits, `${where}: relative residual`);
    const bends = of_rule.map((row) => row.bend_s);
    check(bends.includes(answer.bend_s), `${where}: bend ${answer.bend_s}, not in ${bends}`);
    const cliffs = of_rule.map((row) => row.cliff_s);
    check(cliffs.includes(answer.cliff_s), `${where}: cliff ${answer.cliff_s}, not in ${cliffs}`);
  }
}

/** The card of the answer and the one of the paper's rule. */
async function check_cards(page, { recommendation: answer, paper_rule: rule }) {
  const card = await page.locator(".card.answer").innerText();
  const headline = await page.locator(".answer .headline").innerText();
  check_close(seconds_of(headline), shown_step(answer.macro_step_s), 4, "H");
  const cliff = seconds_of(/the cliff is at .*/i.exec(card)?.[0] ?? "");
  check_equal(cliff, shown_step(answer.cliff_s), "the cliff of the answer");
  const bend = /below the bend at (.*?)(?:;|\.?$)/im.exec(card);
  if (bend) check_equal(seconds_of(bend[1]), shown_step(answer.bend_s), "the bend of the answer");
  else check_close(answer.bend_s, answer.macro_step_s, 9, "an H that is said to be the bend");
  const residual = Number(/up to ([\d.]+)\s*%/.exec(card)?.[1]) / 100;
  check_close(residual, answer.relative_residual, 2, "the relative residual of the answer");
  const error = Number(/off by ([\d.]+)\s*%/.exec(card)?.[1]) / 100;
  check_close(error, answer.error.nrmse, 2, "the error of the answer");
  const aside = page.locator(".card.aside");
  check_equal(
    seconds_of(await aside.locator(".figure").innerText()),
    shown_step(rule.macro_step_s),
    "H by the paper's rule",
  );
  const [by_rule, share] = await aside.locator("dd").allInnerTexts();
  check_equal(seconds_of(by_rule), shown_step(rule.cliff_s), "the cliff by the paper's rule");
  check_close(Number(/[\d.]+/.exec(share)[0]) / 100, rule.relative_residual, 2, "its residual");
}

export async function same_everywhere({ browser, server, story }) {
  const { page } = browser;
  await page.goto(`${server.url}/?search=${story.id}`);
  await page.locator("figure.residual .line").first().waitFor();
  const { curves } = await server.get(`/searches/${story.id}/curves`);
  const wanted = from_rest(curves);
  check(wanted.points.size > 100, "hardly any points");

  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: answer_limit_ms }),
    page.locator(".export-links").getByRole("link", { name: "CSV" }).click(),
  ]);
  const file = parse_csv(readFileSync(await download.path(), "utf8")).map((row) => ({
    ...row,
    curve_id: Number(row.curve_id),
    ...Object.fromEntries(
      ["macro_step_s", "residual_J", "relative_residual", "bend_s", "cliff_s"].map((name) => [
        name,
        number(row[name]),
      ]),
    ),
  }));
  check_rows(file, wanted, "the CSV file");
  check_answers(story.search, file);
  if (has_sqlite()) {
    const rows = server.sql(`SELECT * FROM v_residual_curves WHERE search_id = '${story.id}'`);
    check_rows(rows, wanted, "the SQL view");
  }
  await check_cards(page, story.search);
  const seen = new Set();
  let lines = 0;
  for (const figure of await page.locator("figure.residual").all())
    lines += await check_figure(figure, wanted, seen);
  check_equal(seen.size, wanted.points.size, "points on the page");
  check_equal(lines, curves.length, "curves on the page");
}
