// What the figures of Rodríguez et al. (2022) claim, run: the first tables of README.md.
import { digits, in_scratch, percent, read_csv, reference, run, table } from "./macrostep.mjs";

const nus = [0, 0.25, 1];
const limits = [0.1, 0.25, 0.5, 1];

const oscillator = { coupling: "force_displacement", macro_step_s: 1e-3, extrapolation: "0" };
const linear = { ...oscillator, problem: "linear_oscillator" };
const nonlinear = { ...oscillator, problem: "nonlinear_oscillator" };
const linear_springs = { "m1.n_s": 1, "m2.n_s": 1, "coupling.n_s": 1 };
const dampers = { ...linear_springs, "m1.c": 0.01, "m2.c": 0.01, "coupling.c_c": 0.01 };

const cases = [
  { name: "linear, figs. 9, 20", ...linear, mu: 0.5 },
  { name: "linear, m2 ten times as fast (R = 10), figs. 20, 21", ...linear, substeps: { m2: 10 }, mu: 0.725 },
  { name: "linear, m2 = 0.1 kg, figs. 22–24", ...linear, parameters: { "m2.m": 0.1 }, mu: 0.5 },
  { name: "n = 3, figs. 25, 26", ...oscillator, problem: "n_mass_oscillator", parameters: { n: 3 }, mu: 0.5 },
  { name: "n = 5", ...oscillator, problem: "n_mass_oscillator", parameters: { n: 5 }, mu: 0.5 },
  { name: "nonlinear springs, 50 s, figs. 27–29", ...nonlinear, until_s: 50, mu: 0.5 },
  { name: "nonlinear dampers, 50 s, fig. 30", ...nonlinear, parameters: dampers, until_s: 50, mu: 0.5 },
  { name: "pendula, figs. 32, 33", ...oscillator, problem: "coupled_pendula", mu: 0.5, in_joules: true },
  { name: "pendula, 50 s", ...oscillator, problem: "coupled_pendula", until_s: 50, mu: 0.5, in_joules: true },
];

/** A free motion's energy at the end over that at the start, or less it; and its RMS deviation. */
function energy(job, correction) {
  const more = job.until_s ? ["--until", job.until_s] : [];
  const { status, energy, error } = run(job, "none", correction, more);
  const { initial_J: initial, final_J: final } = energy;
  const of = (end) => (job.in_joules ? end - initial : end / initial);
  const complete = status === "complete";
  return {
    end: complete ? of(final) : null,
    reference: complete ? of(final - error.energy_deviation_J) : null,
    rms: error.energy_rms,
    text: complete ? `${digits(of(final), 4)} (${percent(error.energy_rms)})` : status,
  };
}

function print_case(job) {
  const none = energy(job, null);
  const unit = job.in_joules ? "energy gained in J" : "final over initial energy";
  console.log(
    `\n**${job.name}**: ${unit} (RMS deviation from the monolithic solution), μ = ${job.mu}; ` +
      `uncorrected ${none.text}, monolithic ${digits(none.reference, 4)}`,
  );
  table(
    ["ν", ...limits.map((limit) => `limit ${percent(limit)}`)],
    nus.map((nu) => [nu, ...limits.map((limit) => energy(job, { mu: job.mu, nu, limit }).text)]),
  );
}

/** Fig. 27: other shares without the integral term, and with it. */
function print_shares() {
  const job = { ...nonlinear, until_s: 50 };
  console.log("\n**nonlinear springs, 50 s, other shares, limit 100 %, fig. 27**");
  table(
    ["ν", ...[0.25, 0.5, 0.6, 0.75, 1].map((mu) => `μ = ${mu}`)],
    [0, 0.25].map((nu) => [
      nu,
      ...[0.25, 0.5, 0.6, 0.75, 1].map((mu) => energy(job, { mu, nu, limit: 1 }).text),
    ]),
  );
}

/** Largest and root mean square error of the cylinder's length over a manoeuvre [mm]. */
function length_error(job, test, correction) {
  const [csv, truth] = [in_scratch("trace.csv"), in_scratch("reference.csv")];
  const { status, error } = run(job, test, correction, ["--csv", csv]);
  reference(job, test, truth);
  const lengths = (file) => read_csv(file).map((row) => row["mechanics.s"]);
  const [found, exact] = [lengths(csv), lengths(truth)];
  const errors = found.slice(0, exact.length).map((s, i) => 1e3 * Math.abs(s - exact[i]));
  return {
    status,
    largest: Math.max(...errors),
    rms: Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length),
    nrmse: error.nrmse,
  };
}

function print_manipulator() {
  const job = {
    problem: "hydraulic_manipulator",
    coupling: "force_displacement",
    macro_step_s: 1e-2,
    extrapolation: "1",
  };
  const ways = [
    ["micro-steps of 0.25 ms", { micro_steps: { hydraulics: 2.5e-4 } }],
    ["substeps of 0.25 ms", { substeps: { hydraulics: 40 } }],
  ];
  const corrections = [
    ["none", null],
    ["μ = 0.0125, limit 10 %", { mu: 0.0125, limit: 0.1 }],
    ["μ = 0.0125, limit 100 N", { mu: 0.0125, limit_N: 100 }],
    ["μ = 0.0125, limit 10 N", { mu: 0.0125, limit_N: 10 }],
  ];
  console.log("\n**hydraulic manipulator, H = 10 ms, order 1, manoeuvre m2, fig. 35**");
  table(
    ["hydraulics", "correction", "largest error of s", "RMS error of s", "NRMSE"],
    ways.flatMap(([way, change]) =>
      corrections.map(([name, correction]) => {
        const { status, largest, rms, nrmse } = length_error({ ...job, ...change }, "m2", correction);
        return status === "complete"
          ? [way, name, `${digits(largest, 4)} mm`, `${digits(rms, 4)} mm`, percent(nrmse, 4)]
          : [way, name, status, "–", "–"];
      }),
    ),
  );
}

/** Along the spring: the velocities of both of its ends. */
function end_velocities(row) {
  if (!("m1.v_x" in row)) {
    return [row["m1.v"], row["m2.v"]];
  }
  const [dx, dy] = [row["m2.x"] - row["m1.x"], row["m2.y"] - row["m1.y"]];
  const length = Math.hypot(dx, dy);
  return ["m1", "m2"].map((m) => (row[`${m}.v_x`] * dx + row[`${m}.v_y`] * dy) / length);
}

/** The share of the residual energy that is spurious without a correction, and why (README.md). */
function print_true_shares() {
  const jobs = [
    ["linear", linear],
    ["linear, k_c = 1000 N/m", { ...linear, parameters: { "coupling.k_c": 1000 } }],
    ["linear, k_2 = 10 N/m", { ...linear, parameters: { "m2.k": 10 } }],
    ["the same, v_2 = 50 m/s", { ...linear, parameters: { "m2.k": 10, "m2.v0": 50 } }],
    ["nonlinear springs, 50 s", { ...nonlinear, until_s: 50 }],
    ["pendula", { ...oscillator, problem: "coupled_pendula" }],
  ];
  console.log("\n**The share that is spurious, single rate**");
  table(
    ["problem", "energy gained over Σ δP H", "½⟨v₂²⟩/⟨v₂² − v₁v₂⟩"],
    jobs.map(([name, job]) => {
      const csv = in_scratch("trace.csv");
      const more = job.until_s ? ["--until", job.until_s] : [];
      const { energy } = run(job, "none", null, [...more, "--csv", csv]);
      const rows = read_csv(csv);
      const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
      const residual_j = job.macro_step_s * sum((row) => row.residual_power_W);
      const moved = sum((row) => end_velocities(row)[1] ** 2);
      const together = sum((row) => end_velocities(row)[0] * end_velocities(row)[1]);
      return [
        name,
        digits((energy.final_J - energy.initial_J) / residual_j),
        digits(moved / 2 / (moved - together)),
      ];
    }),
  );
}

export function print_claims() {
  cases.forEach(print_case);
  print_shares();
  print_true_shares();
  print_manipulator();
}
