// Every block and every command of the documentation: run, or listed with the reason why not.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { not_run, prepared, run_otherwise } from "./exceptions.mjs";
import { block_name, dead_links, first_line, pages_of, read_page } from "./markdown.mjs";
import { PageRunner } from "./page_runner.mjs";

const [root, binary, scratch, ...options] = process.argv.slice(2);
const all = options.includes("--all");
const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : null;

const counts = { passed: 0, failed: 0, skipped: 0 };
const lines_of_pages = new Map(); // page → what is printed of it, once it is through

function tell(page, result, text, seconds = null) {
  const time = seconds === null ? "        " : `${seconds.toFixed(1).padStart(6)} s`;
  lines_of_pages.get(page).push(`${result.padEnd(6)} ${time}  ${text}`);
}
function fail(page, text, why, seconds = null) {
  counts.failed += 1;
  tell(page, "FAILED", `${text}\n${String(why).replace(/^/gm, "       | ")}`, seconds);
}

const used = new Set();
/** The entry of a table for a block, if there is one. */
function entry_of(table, block) {
  const line = first_line(block);
  const begins = (entry) => (entry.line === undefined ? line.startsWith(entry.begins) : line === entry.line);
  const fits = (entry) => begins(entry) && block.text.includes(entry.holds ?? "");
  const found = table.find((entry) => entry.page === block.page && fits(entry));
  if (found !== undefined) used.add(found);
  return found;
}

// --- commands inside lines: they name commands and options that there are ---------------------------
const help_texts = new Map();
function help_of(words) {
  const command = words.join(" ");
  if (!help_texts.has(command)) {
    const asked = spawnSync(binary, [...words, "--help"], { encoding: "utf8", timeout: 60_000 });
    help_texts.set(command, asked.status === 0 ? asked.stdout : null);
  }
  return help_texts.get(command);
}

/** Why the command cannot be what the program understands, or null. */
function command_mistake(text) {
  const words = text.split(/\s+/).slice(1);
  let help = help_of([]);
  const command = [];
  while (words.length > 0 && /^[a-z][a-z-]*$/.test(words[0])) {
    const deeper = new RegExp(`^  ${words[0]} `, "m").test(help.slice(help.indexOf("\nCommands:")));
    if (!help.includes("\nCommands:") || !deeper) break;
    command.push(words.shift());
    help = help_of(command);
    if (help === null) return `macrostep ${command.join(" ")} has no help`;
  }
  if (command.length === 0 && words.length > 0 && !words[0].startsWith("--")) return `there is no command ${words[0]}`;
  const unknown = [...text.matchAll(/(?<=\s)--[a-z][a-z-]*/g)]
    .map((found) => found[0])
    .find((option) => !new RegExp(`(^|\\s|,)${option}(?![a-z-])`, "m").test(help));
  return unknown === undefined ? null : `macrostep ${command.join(" ")} has no ${unknown}`;
}

// --- words of the page: what a page of documentation calls it stands on it ---------------------------
const page_folder = join(root, "web/app");
const page_text = readdirSync(page_folder, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(page_folder, name), "utf8"))
  .join("\n");
// Titles of problems come from the server.
const server_text = readFileSync(join(root, "engine/benchmarks/crane.cpp"), "utf8");

/** The bold words of a tutorial that are nowhere on the page. */
function missing_words(path) {
  const text = readFileSync(join(root, path), "utf8");
  const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map((found) => found[1].replaceAll(/\s+/g, " "));
  return [...new Set(bold)].filter((word) => !page_text.includes(word) && !server_text.includes(word));
}

/** Whether a further block of the page runs the job that this one saves. */
function is_searched_later(block, blocks) {
  const further = blocks.slice(blocks.indexOf(block) + 1);
  return block.file !== null && further.some((one) => one.language === "sh" && one.text.includes(` ${block.file}`));
}

// --- a page -----------------------------------------------------------------------------------------
async function run_page(page, number, sandbox) {
  const { path, blocks, commands, mistakes } = page;
  for (const mistake of mistakes) fail(path, mistake, "cannot be run");
  const dead = dead_links(root, path);
  if (dead.length === 0) counts.passed += 1;
  else fail(path, `${path}: links`, `lead nowhere: ${dead.join(", ")}`);
  for (const command of commands) {
    const mistake = command_mistake(command.text);
    if (mistake === null) counts.passed += 1;
    else fail(path, `${path}:${command.line} ${command.text}`, mistake);
  }

  if (path === "web/TUTORIAL.md") {
    const missing = missing_words(path);
    if (missing.length === 0) counts.passed += 1;
    else fail(path, `${path}: words of the page`, `nowhere on it: ${missing.join(", ")}`);
  }

  const to_run = [];
  blocks.forEach((block, index) => {
    const left_out = entry_of(not_run, block);
    if (left_out !== undefined) {
      const gone = left_out.covered.find((file) => !existsSync(join(root, file)));
      if (gone === undefined) counts.passed += 1;
      else fail(path, block_name(block), `is said to be covered by ${gone}, which is not there`);
      tell(path, "listed", `${block_name(block)}: ${left_out.why}`);
      return;
    }
    // What commands print stands after them, and is held against them there.
    const output = block.language === "text" && blocks[index - 1]?.language === "sh";
    if (!output) to_run.push({ block, next: blocks[index + 1] ?? null, entry: entry_of(run_otherwise, block) ?? {} });
  });
  if (to_run.length === 0) return;

  const folder = join(scratch, String(number));
  mkdirSync(folder);
  const runner = new PageRunner(root, binary, folder, sandbox);
  try {
    await runner.start();
    if (path in prepared) await runner.prepare(prepared[path]);
    for (const { block, next, entry } of to_run) {
      if (entry.slow && !all && block.language !== "json") {
        tell(path, "later", `${block_name(block)}: slow, with --all`);
        continue;
      }
      const begin = performance.now();
      let why = null;
      try {
        why = await runner.run(block, { ...entry, only_cost: is_searched_later(block, blocks) || (entry.slow && !all) }, next);
      } catch (error) {
        why = error.message;
      }
      const seconds = (performance.now() - begin) / 1e3;
      if (why === null) {
        counts.passed += 1;
        tell(path, "ok", block_name(block), seconds);
      } else {
        fail(path, block_name(block), why, seconds);
      }
    }
  } catch (error) {
    fail(path, path, error.message);
  } finally {
    await runner.stop();
  }
}

// FMUs of the documentation are macrostep's own: where no sandbox works they run without one.
function sandbox_works() {
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"], { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

const sandbox = sandbox_works();
if (!sandbox) console.log("There is no sandbox here: FMUs run without one.");
const pages = pages_of(resolve(root))
  .filter((path) => only === null || path.includes(only))
  .map((path) => read_page(root, path));
for (const page of pages) lines_of_pages.set(page.path, []);
// Those with most to do first, two at a time: a search uses all processors only for a while.
const queue = pages.map((page, number) => ({ page, number }));
queue.sort((a, b) => b.page.blocks.length - a.page.blocks.length);
const worker = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    await run_page(next.page, next.number, sandbox);
    const lines = lines_of_pages.get(next.page.path);
    if (lines.length > 0) console.log(`${next.page.path}\n${lines.join("\n")}`);
  }
};
await Promise.all(Array.from({ length: Math.min(2, cpus().length) }, worker));

if (only === null) {
  for (const entry of [...not_run, ...run_otherwise].filter((one) => !used.has(one))) {
    counts.failed += 1;
    console.log(`FAILED exceptions.mjs: no block of ${entry.page} begins with "${entry.begins ?? entry.line}"`);
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
