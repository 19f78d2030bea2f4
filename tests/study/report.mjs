// Counts how often recommendations are wrong and writes what it finds into engine/README.md, between
// the marks there, and into the pictures of engine/study/report. Takes about an hour on two cores;
// interrupted, it goes on where it was, from what build/study keeps: remove that folder when the
// program has changed.
//
//   node tests/study/report.mjs [MACROSTEP]     default: build/release/server/macrostep
//
// By hand: the counts of engine/recommendation/confidence.cpp (a test tells what they must be), "Choosing H" in
// README.md, and why the failures are what they are, below the marks.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { plot } from "../joystick/plot.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = process.argv[2] ?? join(root, "build/release/server/macrostep");
const kept = join(root, "build/study");
const pictures = join(root, "engine/study/report");
const readme = join(root, "engine/README.md");
const marks = ["<!-- study: written by tests/study/report.mjs -->", "<!-- study: end -->"];
const seed = 4; // seeds 1 to 3 were looked at before the rules were as they are
const count = 600;
const output_limit_bytes = 256 << 20;
const longest_list = 30; // failures of one rule

const percent = (share) => `${Number((100 * share).toPrecision(2))} %`;
const number = (value) => (value === null ? "–" : String(Number(value.toPrecision(2))));
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The study as JSON, and the seconds that it has taken in all its runs. */
function run_study() {
  mkdirSync(kept, { recursive: true });
  const clock = join(kept, "seconds");
  const before_s = existsSync(clock) ? Number(readFileSync(clock, "utf8")) : 0;
  const started = Date.now();
  const rows = join(kept, "rows.jsonl");
  const args = ["study", "--seed", seed, "--count", count, "--all-rules", "--results", rows, "--json"];
  const ended = spawnSync(binary, args, {
    encoding: "utf8",
    maxBuffer: output_limit_bytes,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seconds = before_s + (Date.now() - started) / 1000;
  writeFileSync(clock, String(seconds));
  if (ended.status !== 0) {
    process.exit(ended.status ?? 1);
  }
  return { study: JSON.parse(ended.stdout), seconds };
}

// --- tables -----------------------------------------------------------------------------------------

const score_of = (study, problems, criterion) =>
  study.scores.find((score) => score.problems === problems && score.criterion === criterion);

const rule_in = (score, name) => score.rules.find(({ rule }) => rule === name);

/** How many answers of one rule in a group are wrong: "2 of 600 (0.1 – 1.2 %)". */
function wrong(score, name) {
  const rule = score && rule_in(score, name);
  if (!rule) {
    return "–";
  }
  const [low, high] = rule.unsafe_rate_95_percent;
  return `${rule.unsafe} of ${rule.recommended} (${percent(low)} – ${percent(high)})`;
}

/** In how many problems of a group it recommends nothing, which is not wrong but 0 of the limit. */
function silent(score, name) {
  const rule = score && rule_in(score, name);
  return rule ? rule.problems - rule.recommended : "–";
}

function rule_table(study) {
  const stable = score_of(study, "all", "stability");
  const accurate = score_of(study, "all", "accuracy_5");
  const nonlinear = score_of(study, "not linear", "stability");
  const rows = stable.rules.map(({ rule, efficiency, rank, relative_cost }) => [
    rule === study.default_rule ? `**${rule}**` : rule,
    wrong(stable, rule),
    number(efficiency),
    number(rule_in(nonlinear, rule).efficiency),
    number(rank),
    wrong(accurate, rule),
    number(rule_in(accurate, rule).efficiency),
    silent(accurate, rule),
    number(relative_cost),
  ]);
  const head = ["rule", "not stable (95 %)", "H / limit", "of those not linear", "rank"];
  return table([...head, "NRMSE above 5 % (95 %)", "H / that limit", "no answer", "cost"], rows);
}

function family_table(study, accurate_rule) {
  const families = [...new Set(study.problems.map(({ family }) => family))].sort();
  const rows = families.map((family) => {
    const stable = score_of(study, family, "stability");
    const accurate = score_of(study, family, "accuracy_5");
    const of = (score, rule) => number(rule_in(score, rule)?.efficiency ?? null);
    return [
      `\`${family}\``,
      wrong(stable, study.default_rule),
      of(stable, study.default_rule),
      silent(stable, study.default_rule),
      stable.without_limit,
      wrong(accurate, accurate_rule),
      of(accurate, accurate_rule),
      silent(accurate, accurate_rule),
      accurate.without_limit,
    ];
  });
  const stable_head = ["not stable (95 %)", "H / limit", "no answer", "without a stable H"];
  const accurate_head = ["NRMSE above 5 % (95 %)", "H / that limit", "no answer", "without such an H"];
  return table(["family", ...stable_head, ...accurate_head], rows);
}

const outcome_of = (problem, name) => problem.rules.find(({ rule }) => rule === name);

/** What a rule recommends and should not, and what of the configuration is known. */
function failures(study, name, misses, limit_name) {
  const rows = study.problems
    .filter(({ failure }) => !failure)
    .filter(({ configurations }) => configurations.some((one) => one[limit_name] !== null))
    .filter((problem) => {
      const outcome = outcome_of(problem, name);
      return outcome.configuration !== null && misses(outcome);
    })
    .map((problem) => {
      const outcome = outcome_of(problem, name);
      const chosen = problem.configurations[outcome.configuration];
      const limit_s = chosen[limit_name];
      return [
        problem.number,
        problem.description,
        chosen.configuration,
        limit_s === null ? "no limit found" : number(outcome.macro_step_s / limit_s),
        outcome.nrmse === null ? "does not complete" : percent(outcome.nrmse),
        outcome.worst_input,
      ];
    });
  if (rows.length === 0) {
    return "None.";
  }
  const shown = rows.slice(0, longest_list);
  const more = rows.length > shown.length ? `\n\nAnd ${rows.length - shown.length} more.` : "";
  return table(["number", "problem", "recommended", "H / its limit", "NRMSE", "under"], shown) + more;
}

function check_table(study) {
  return table(
    ["check passed", "recommended", "stable (95 %)"],
    study.checks.map(({ check, family, recommended, stable, stable_rate_95_percent: [low, high] }) => [
      family ? `${check}, \`${family}\`` : check,
      recommended,
      `${stable} (${percent(low)} – ${percent(high)})`,
    ]),
  );
}

// --- pictures ---------------------------------------------------------------------------------------

const shown_rules = [
  { rule: "local_power_law", name: "local", colour: "#d95f02" },
  { rule: "baseline_power_law", name: "baseline", colour: "#1b62b5" },
  { rule: "baseline, exact stability", name: "exact", colour: "#888888", dashed: true },
];

/** Share of the problems with at most that value, as steps. */
function distribution(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.flatMap((value, i) => [
    [value, i / sorted.length],
    [value, (i + 1) / sorted.length],
  ]);
}

/** The answers of one rule: H over the limit of stability inside the scan, and the error under unseen inputs. */
function ratios(study, name) {
  const of_limit = [];
  const errors = [];
  for (const problem of study.problems) {
    const outcome = problem.failure ? null : outcome_of(problem, name);
    if (!outcome || outcome.configuration === null) {
      continue;
    }
    const { stable_up_to_s } = problem.configurations[outcome.configuration];
    if (stable_up_to_s !== null && stable_up_to_s < problem.largest_macro_step_s) {
      of_limit.push(outcome.macro_step_s / stable_up_to_s);
    }
    errors.push(Math.min(outcome.nrmse ?? Infinity, 1e6));
  }
  return { of_limit, errors };
}

function draw(study, accurate_rule) {
  const rules = [
    ...shown_rules,
    { rule: study.default_rule, name: "default", colour: "#2a9134" },
    { rule: accurate_rule, name: "accuracy 5 %", colour: "#b5338a" },
  ];
  const lines_of = (which) =>
    rules.map(({ rule, colour, dashed }) => ({
      points: distribution(ratios(study, rule)[which]),
      colour,
      dashed,
    }));
  const share = { label: "share of the recommendations", range: [0, 1] };
  const panels = [
    {
      title: "H over its limit of stability",
      x: {
        label: "H / limit; beyond 1 it or a smaller H is unstable",
        range: [0.1, 3],
        log: true,
        ticks: [0.1, 0.3, 1, 3],
      },
      y: share,
      lines: [
        ...lines_of("of_limit"),
        { points: [[1, 0], [1, 1]], colour: "#000000", dashed: true },
      ],
    },
    {
      title: "error under inputs that no search saw",
      x: { label: "NRMSE", range: [1e-3, 10], log: true, ticks: [1e-3, 1e-2, 1e-1, 1, 10] },
      y: share,
      lines: [
        ...lines_of("errors"),
        { points: [[0.05, 0], [0.05, 1]], colour: "#000000", dashed: true },
      ],
    },
  ];
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, "distributions.svg"), plot(panels, 2, rules));
}

// --- the section of the README ----------------------------------------------------------------------

function write_section(section) {
  const text = readFileSync(readme, "utf8");
  const [begin, end] = marks.map((mark) => text.indexOf(mark));
  if (begin < 0 || end < begin) {
    throw new Error(`${readme} lacks the marks of the section`);
  }
  writeFileSync(readme, `${text.slice(0, begin)}${marks[0]}\n\n${section}\n\n${text.slice(end)}`);
}

const { study, seconds } = run_study();
const accurate_rule = study.accuracy_rule;
draw(study, accurate_rule);

const solved = study.problems.filter(({ failure }) => !failure);
const linear = score_of(study, "linear", "stability");
const stable = score_of(study, "all", "stability");
const accurate = score_of(study, "all", "accuracy_5");
const linear_count = linear.rules[0].problems + linear.without_limit;
const less = solved.filter(({ unseen_share }) => unseen_share < 1);
const failed = study.problems.filter(({ failure }) => failure);

write_section(`\
\`macrostep study --seed ${seed} --count ${count}\`: ${solved.length} problems, of which
${solved.length - linear_count} are not linear. Without a stable macro-step in the scan, or down to a quarter of its first one: ${stable.without_limit};
without one that is accurate to 5 %: ${accurate.without_limit}. Those are counted nowhere else.
The unseen inputs go over less than their range in ${less.length}, as no configuration followed them with the first macro-step,
or they had no solution.${
  failed.length > 0
    ? ` ${failed.length} have no solution under their inputs (${failed.map(({ number: n }) => n).join(", ")}).`
    : ""
}
It took ${Math.round(seconds / 60)} minutes on ${cpus().length} cores.

${rule_table(study)}

Ranges hold the true rate with 95 % (Wilson). H / limit, rank (1: no other configuration has a larger limit) and cost
(right-hand sides of search and checks, over those of the first rule) are medians; where nothing is recommended, H / limit
is 0. No answer: of the problems that have an accurate H.

![Distributions of H over the limit of stability, and of the error](study/report/distributions.svg)

Stability by \`${study.default_rule}\`, accuracy by \`${accurate_rule}\`:

${family_table(study, accurate_rule)}

Checks that the recommendations of the default passed, and how many of these were stable (\`confidence\` is the lower end):

${check_table(study)}

Not stable, by the default:

${failures(study, study.default_rule, ({ stable: is_stable }) => !is_stable, "stable_up_to_s")}

NRMSE above 5 %, by \`${accurate_rule}\`:

${failures(study, accurate_rule, ({ nrmse }) => nrmse === null || nrmse > 0.05, "nrmse_5_percent_up_to_s")}`);
