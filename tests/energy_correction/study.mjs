// Tuned on one set of initial states and inputs, scored on another: the second table of README.md.
import { digits, percent, run, table, tune } from "./macrostep.mjs";
import { hydraulic, mechanical } from "./problems.mjs";

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Scores of one setting over all states and inputs; null: a run does not complete. */
function scores(job, correction, score_of) {
  return job.states.flatMap((state) =>
    job.inputs.map(({ name, ...input }) => {
      const parameters = { ...job.parameters, ...state };
      const tests = [{ name, ...input }];
      const result = run({ ...job, parameters, tests }, name, correction);
      return result.status === "complete" ? score_of(result) : null;
    }),
  );
}

const settings = (point) => point && { mu: point.mu, nu: point.nu, limit: point.limit };

/** All settings of one problem on what it was not tuned on. */
function score(job, objective, by_formula, score_of) {
  const also = job.tuned_on.states.map((state) => ({
    ...job,
    parameters: { ...job.parameters, ...state },
    tests: job.tuned_on.inputs,
  }));
  const tuned = tune(job, also, ["--objective", objective]);
  const formula = settings(by_formula(tuned));
  const setting = settings(tuned.best ?? tuned.by_formula); // null: no correction
  return {
    name: job.name,
    found: tuned.best !== null,
    setting,
    formula,
    none: scores(job, null, score_of),
    by_formula: scores(job, formula, score_of),
    tuned: scores(job, setting, score_of),
  };
}

/** Compares the settings of one problem: per run the ratio tuned/formula, and the difference. */
function compare({ by_formula, tuned }) {
  const known = tuned.map((score, i) => [score, by_formula[i]]).filter(([, beat]) => beat !== null);
  return {
    ratios: known.map(([score, beat]) => (score === null ? Infinity : score / beat)),
    losses: known.map(([score, beat]) => (score === null ? Infinity : score - beat)),
  };
}

const setting_text = ({ mu, nu, limit }) => `${digits(mu)}, ${digits(nu)}, ${percent(limit)}`;

function print_scores(results) {
  const cells = results.map((result) => {
    const { ratios, losses } = compare(result);
    const { setting, found } = result;
    return [
      result.name,
      !setting ? "no correction" : found ? setting_text(setting) : "the formula's",
      ...[result.none, result.by_formula, result.tuned].map((list) =>
        list.includes(null) ? "–" : percent(mean(list)),
      ),
      digits(mean(result.tuned) / mean(result.by_formula), 2),
      digits(median(ratios), 2),
      digits(Math.max(...ratios), 3),
      `${digits(100 * Math.max(...losses), 2)} %`,
    ];
  });
  table(
    [
      "problem",
      "tuned μ, ν, limit",
      "no correction",
      "formula",
      "tuned",
      "tuned/formula",
      "median of runs",
      "worst run",
      "worst difference",
    ],
    cells,
  );
}

function print_summary(results) {
  const of_problems = results.map(({ tuned, by_formula }) => mean(tuned) / mean(by_formula));
  const runs = results.map(compare);
  const ratios = runs.flatMap((run) => run.ratios);
  const losses = runs.flatMap((run) => run.losses);
  console.log(
    `\nMedian over the problems of the mean score tuned/formula: ${digits(median(of_problems))}; ` +
      `worst problem ${digits(Math.max(...of_problems))}. ` +
      `Over the ${ratios.length} runs: median ${digits(median(ratios))}, ` +
      `${ratios.filter((ratio) => ratio <= 1.01).length} not more than 1 % worse than the formula, ` +
      `worst ${digits(Math.max(...ratios))} times, or by ${digits(100 * Math.max(...losses))} % of the energy.`,
  );
}

export function print_study() {
  console.log("\nScored by the RMS deviation of the energy over its largest:");
  const results = mechanical.map((job) =>
    score(job, "energy_deviation", ({ by_formula }) => by_formula, ({ error }) => error.energy_rms),
  );
  print_scores(results);
  print_summary(results);
}

export function print_hydraulics() {
  console.log("\nScored by the NRMSE of the exchanged outputs:");
  const of_hydraulics = hydraulic.map((job) =>
    score(
      job,
      "interface_energy",
      () => ({ mu: job.mu, nu: 0, limit: 1 }),
      ({ error }) => error.nrmse,
    ),
  );
  print_scores(of_hydraulics);
}
