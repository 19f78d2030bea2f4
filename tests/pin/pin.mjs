// Compares the numbers of a binary with those of another one, or with the files in numbers/.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { all_cases } from "./cases.mjs";
import { condensed, shown } from "./numbers.mjs";
import { Program } from "./program.mjs";

const at_once = 2; // cases, or with --against both binaries of one
const most_shown = 50; // differences

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    binary: { type: "string" },
    against: { type: "string" },
    scratch: { type: "string" },
    only: { type: "string" },
    study: { type: "string" },
    write: { type: "boolean" },
    all: { type: "boolean" },
  },
});

// --- one case ----------------------------------------------------------------------------------------

let folders = 0;
/** The numbers of a case of one binary. */
async function numbers_of(one, binary) {
  folders += 1;
  const program = new Program(binary, join(options.scratch, String(folders)));
  try {
    await one.run(program);
    return program.numbers;
  } finally {
    rmSync(program.folder, { recursive: true, force: true });
  }
}

/** Messages, one for each name of `before` that is missing or different in `now`. */
function differences(before, now, show) {
  const found = [];
  for (const [name, value] of before) {
    const other = now.get(name);
    if (!Object.is(value, other)) found.push(`${name}: ${show(value)}, now ${show(other)}`);
  }
  return found;
}

// --- all of them -------------------------------------------------------------------------------------

const counts = { passed: 0, failed: 0, numbers: 0, differences: 0 };

function tell(one, started, compared, found) {
  const time = `${((performance.now() - started) / 1e3).toFixed(1)} s`;
  console.log(`${found.length === 0 ? "ok    " : "FAILED"} ${time.padStart(8)}  ${one.name}: ${compared} numbers`);
  const room = Math.max(0, most_shown - counts.differences);
  for (const message of found.slice(0, room)) console.log(`    | ${message}`);
  counts.numbers += compared;
  counts.differences += found.length;
  counts[found.length === 0 ? "passed" : "failed"] += 1;
}

async function judge(one, compare) {
  const started = performance.now();
  try {
    const { compared, found } = await compare(one);
    tell(one, started, compared, found);
  } catch (error) {
    tell(one, started, 0, [String(error.message ?? error)]);
  }
}

async function in_parallel(cases, width, action) {
  const waiting = [...cases];
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await action(one);
  };
  await Promise.all(Array.from({ length: width }, next));
}

const wanted = (cases) => cases.filter(({ name }) => !options.only || name.includes(options.only));

async function problems_of(binary) {
  const program = new Program(binary, join(options.scratch, "models"));
  return JSON.parse(await program.must("models", "--json")).problems.map(({ name }) => name);
}

async function against(other) {
  const cases = wanted(all_cases(await problems_of(other), Number(options.study)));
  await in_parallel(cases, 1, (one) =>
    judge(one, async () => {
      const [before, now] = await Promise.all([other, options.binary].map((binary) => numbers_of(one, binary)));
      return { compared: before.size, found: differences(before, now, shown) };
    }),
  );
}

// --- files -------------------------------------------------------------------------------------------

async function math_class() {
  const program = new Program(options.binary, join(options.scratch, "class"));
  const job = {
    problem: "n_mass_oscillator",
    search: { extrapolation: ["0"], stability_check: "none", macro_step: { initial_s: 0.02, maximum_s: 0.1 } },
    tests: [{ name: "step", kind: "step", duration_s: 0.5 }],
  };
  const answer = await program.must("search", program.json_file("job.json", job), "--no-reference", "--json");
  return JSON.parse(answer).provenance.math_class;
}

function read_numbers(file) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const space_of = (line) => line.lastIndexOf(" ");
  return new Map(lines.map((line) => [line.slice(0, space_of(line)), line.slice(space_of(line) + 1)]));
}

// Values hold no spaces in a file, so that the last space ends the name.
const one_word = (text) => (text === "" ? "-" : text.replaceAll(" ", ","));
const words = (numbers) => new Map([...condensed(numbers)].map(([name, text]) => [name, one_word(text)]));

const filed = (problems) => wanted(all_cases(problems, 0).filter(({ file }) => file !== undefined));

async function with_files(folder) {
  const cases = filed(await problems_of(options.binary));
  const compared = cases.filter(({ repeats, long }) => options.all || options.only || !(repeats || long));
  await in_parallel(compared, at_once, (one) =>
    judge(one, async () => {
      const now = words(await numbers_of(one, options.binary));
      const file = join(folder, `${one.file}.txt`);
      if (!existsSync(file)) throw new Error(`no ${one.file}.txt: write it with --write`);
      const before = read_numbers(file);
      return { compared: before.size, found: differences(before, now, (text) => text ?? "missing") };
    }),
  );
  if (options.only) return;
  const known = new Set(cases.map(({ file }) => `${file}.txt`));
  for (const file of readdirSync(folder).filter((name) => !known.has(name))) {
    await judge({ name: file }, async () => {
      throw new Error("no case has this file");
    });
  }
}

// Where cases share a file, the first writes it and the others must agree.
async function write(folder) {
  if (!options.only) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const written = new Map();
  await in_parallel(filed(await problems_of(options.binary)), at_once, (one) =>
    judge(one, async () => {
      const now = words(await numbers_of(one, options.binary));
      const before = written.get(one.file);
      if (before !== undefined) return { compared: before.size, found: differences(before, now, String) };
      written.set(one.file, now);
      const lines = [...now].map(([name, text]) => `${name} ${text}\n`).sort();
      writeFileSync(join(folder, `${one.file}.txt`), lines.join(""));
      return { compared: now.size, found: [] };
    }),
  );
}

// -----------------------------------------------------------------------------------------------------

if (options.against) {
  await against(options.against);
} else {
  const name = await math_class();
  const folder = join(here, "numbers", name);
  if (options.write) {
    await write(folder);
  } else if (existsSync(folder)) {
    await with_files(folder);
  } else {
    console.log(`no pinned numbers for math class ${name}, only for ${readdirSync(dirname(folder)).join(", ")}`);
    counts.passed += 1;
  }
}
if (counts.differences > most_shown) console.log(`    | … ${counts.differences} differences in all`);
const what = options.write ? "written" : "compared";
const cases = counts.passed + counts.failed;
console.log(`${counts.numbers} numbers ${what} in ${cases} cases, ${counts.differences} differences`);
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
