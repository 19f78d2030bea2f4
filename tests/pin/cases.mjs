// The cases: what is run, and which numbers it leaves. A case with `file` is one of those that are compared with
// numbers/; cases that must give the same numbers, as with 1 and 2 threads, share the file. One that `repeats` another,
// or is `long`, is left to --all.
import { add_json } from "./numbers.mjs";

const thread_counts = [1, 2];
const study = { seed: 1, problems_of_a_case: 10 };
// Problems of the study, drawn with this seed, that take a few seconds each.
const short_study = { seed: 1, numbers: [36, 37] };

// Machines may be busy: no trial of an FMU may end because it took long.
const patient = ["--fmu-sandbox", "none", "--fmu-step-timeout", 300, "--fmu-trial-timeout", 3000];

const extrapolations = [
  ...["0", "1", "2", "3", "4", "i1", "i2", "least_squares", "smooth_c0", "smooth", "hermite", "adaptive"],
];
const schemes = ["jacobi", "gauss_seidel", "iterative"];
const corrections = ["none", "energy", "nepce", "model_based", "linearly_implicit"];

// --- searches --------------------------------------------------------------------------------------

const search_cases = (name, file, job) =>
  thread_counts.map((threads) => ({
    name: `search ${name}, ${threads} thread${threads > 1 ? "s" : ""}`,
    file: `search_${file}`,
    repeats: threads > 1,
    run: (program) =>
      program.search(typeof job === "string" ? job : program.json_file("job.json", job), "--threads", threads),
  }));

const built_in = (problems) => problems.flatMap((problem) => search_cases(problem, problem, problem));

// What the default jobs of the built-in problems leave alone.
const other_jobs = {
  "every extrapolation": {
    problem: "n_mass_oscillator",
    search: { extrapolation: extrapolations, macro_step: { initial_s: 1e-3, increment_s: 1e-3, maximum_s: 0.1 } },
    tests: [{ name: "step", kind: "step", duration_s: 2 }],
  },
  "schemes and orders": {
    problem: "coupled_pendula",
    search: {
      schemes,
      orders: [["m1", "m2"], ["m2", "m1"]],
      extrapolation: ["0", "1"],
      couplings: ["force_displacement"],
      macro_step: { initial_s: 2e-3, increment_s: 2e-3, maximum_s: 0.1 },
    },
    tests: [{ name: "impulse", kind: "impulse", duration_s: 2, width_s: 0.2 }],
  },
  corrections: {
    problem: "linear_oscillator",
    search: {
      corrections,
      schemes: ["jacobi", "gauss_seidel"],
      extrapolation: ["0", "1"],
      couplings: ["force_displacement"],
      macro_step: { initial_s: 1e-3, increment_s: 1e-3, maximum_s: 0.1 },
    },
    tests: [{ name: "step", kind: "step", duration_s: 2 }],
  },
  "adaptive scan, accuracy": {
    problem: "single_actuator_crane",
    search: {
      accuracy: 0.05,
      validate_unseen: true,
      extrapolation: ["0", "1"],
      integrators: { mechanics: ["i3al"], hydraulics: ["trapezoidal"] },
      linear_region: { scan: "adaptive" },
    },
    tests: [{ name: "ramp" }],
  },
  "arithmetic scan, tangent": {
    problem: "stiff_oscillator",
    search: {
      extrapolation: ["1", "2"],
      couplings: ["force_displacement"],
      stability_check: "none",
      linear_region: { scan: "arithmetic", rule: "tangent" },
      macro_step: { initial_s: 1e-4, increment_s: 1e-4, maximum_s: 5e-3 },
    },
    tests: [{ name: "sine", kind: "sine", frequency_hz: 2, duration_s: 1, amplitude: 500 }],
  },
  "preset of the paper": {
    problem: "single_actuator_crane",
    search: { preset: "rahikainen2019" },
  },
  "local power law, allowed steps": {
    problem: "nonlinear_oscillator",
    search: {
      extrapolation: ["1", "2"],
      couplings: ["force_displacement"],
      stability_check: "identified",
      allowed_macro_steps_s: [5e-4, 1e-3, 2e-3, 5e-3],
      linear_region: { rule: "local_power_law" },
      macro_step: { initial_s: 1e-3, increment_s: 1e-3, maximum_s: 0.05 },
    },
    tests: [{ name: "record", kind: "recorded", time_s: [0, 0.5, 1, 2], value: [0, 300, -200, 0] }],
  },
  "own problem": {
    problem: {
      subsystems: [
        {
          name: "m1",
          state_space: {
            A: [[0, 1], [-1010, -1.1]],
            B: [[0, 0, 0], [1000, 1, 1]],
            C: [[1000, 1]],
            D: [[-1000, -1, 0]],
            inputs: [{ name: "x", unit: "m" }, { name: "v", unit: "m/s" }, { name: "w", unit: "N" }],
            outputs: [{ name: "f", unit: "N", nominal: 10 }],
          },
        },
        {
          name: "m2",
          state_space: {
            A: [[0, 1], [-1000, -1]],
            B: [[0], [1]],
            C: [[1, 0], [0, 1]],
            inputs: [{ name: "f", unit: "N" }],
            outputs: [{ name: "x", unit: "m", nominal: 0.01 }, { name: "v", unit: "m/s", nominal: 0.1 }],
          },
        },
      ],
      connections: [
        { from: "m2.x", to: "m1.x" },
        { from: "m2.v", to: "m1.v" },
        { from: "m1.f", to: "m2.f", delay_macro_steps: 1 },
      ],
      power_bonds: [{ effort: "m1.f", flow: "m2.v" }],
      external_inputs: [{ to: "m1.w", initial: 0, minimum: -10, maximum: 10 }],
    },
    micro_steps: { m1: 1e-4, m2: 1e-4 },
    substeps: { m2: 2 },
    search: {
      extrapolation: ["0", "1", "2"],
      macro_step: { initial_s: 1e-3, increment_s: 1e-3, maximum_s: 0.05 },
    },
    tests: [{ name: "step", kind: "step", duration_s: 2 }],
  },
};
const others = Object.entries(other_jobs).flatMap(([name, job]) =>
  search_cases(name, name.replace(/\W+/g, "_"), job),
);

// The trials of a chunked search run in processes of their own; its numbers are those of a search in one process.
const chunked = ["n_mass_oscillator", "single_actuator_crane"].map((problem) => ({
  name: `search ${problem}, in chunks`,
  file: `search_${problem}`,
  repeats: problem.endsWith("crane"),
  run: (program) =>
    program.search(
      ...[problem, "--executor", "command", "--threads", 2, "--chunk-minutes", 0.001],
      ...["--chunk-folder", program.path("chunks")],
    ),
}));

// --- FMUs ------------------------------------------------------------------------------------------

async function export_pair(program, versions) {
  for (const [i, version] of versions.entries()) {
    const unit = `m${i + 1}`;
    await program.must(
      ...["fmu", "export", "linear_oscillator", unit, "--fmi", version, "--out", program.path(`${unit}.fmu`)],
    );
  }
  return program.json_file("pair.json", {
    problem: {
      subsystems: [
        { name: "m1", fmu: "m1.fmu", parameters: { m: 2 } },
        { name: "m2", fmu: "m2.fmu" },
      ],
      connections: [
        { from: "m2.x", to: "m1.x_in" },
        { from: "m2.v", to: "m1.v_in" },
        { from: "m1.f", to: "m2.f_in" },
      ],
      power_bonds: [{ effort: "m1.f", flow: "m2.v" }],
      external_inputs: [{ to: "m1.f_ext", initial: 0, minimum: -1000, maximum: 1000 }],
    },
    micro_steps: { m1: 1e-3, m2: 1e-3 },
    search: {
      extrapolation: ["0", "1"],
      integrators: { m1: ["fmu", "rk4"], m2: ["fmu"] },
      macro_step: { initial_s: 5e-3, increment_s: 5e-3, maximum_s: 0.1 },
    },
    tests: [{ name: "step", kind: "step", duration_s: 1 }],
  });
}

const fmu_pairs = [
  [2, 3],
  [3, 2],
].map((versions) => ({
  name: `search a pair of FMUs, FMI ${versions.join(" and ")}`,
  file: `search_fmus_${versions.join("_")}`,
  run: async (program) => {
    const job = await export_pair(program, versions);
    await program.search(job, "--threads", 2, ...patient);
    const run = ["run", job, "--macro-step", 0.01, "--extrapolation", 1, "--csv", program.path("run.csv")];
    await program.answer("run", ...run, ...patient);
    program.csv("run", "run.csv");
  },
}));

// --- runs and analyses -----------------------------------------------------------------------------

async function run(program, name, problem, macro_step_s, extrapolation, ...options) {
  const file = `${name}.csv`;
  const args = ["run", problem, "--macro-step", macro_step_s, "--extrapolation", extrapolation, ...options];
  const result = await program.answer(name, ...args, "--csv", program.path(file));
  if (result?.macro_steps !== undefined) program.csv(name, file);
}

// Without these a correction cannot be had.
const correction_options = {
  energy: ["--set", "correction.mu=0.5", "--set", "correction.nu=0.1"],
  linearly_implicit: ["--integrator", "m1=trapezoidal", "--integrator", "m2=trapezoidal"],
};

const runs = [
  {
    name: "run every scheme with every correction",
    file: "run_corrections",
    run: async (program) => {
      for (const scheme of schemes) {
        for (const correction of corrections) {
          const options = ["--scheme", scheme, "--correction", correction, "--test", "step", "--until", 2];
          const extrapolation = correction === "linearly_implicit" ? 0 : 1;
          const problem = ["linear_oscillator", 1e-3, extrapolation];
          const name = `${scheme} ${correction}`;
          await run(program, name, ...problem, ...options, ...(correction_options[correction] ?? []));
        }
      }
    },
  },
  {
    name: "run every extrapolation",
    file: "run_extrapolations",
    run: async (program) => {
      for (const extrapolation of extrapolations) {
        const problem = ["n_mass_oscillator", 2e-3, extrapolation, "--test", "step", "--until", 2];
        await run(program, `masses ${extrapolation}`, ...problem);
        await run(program, `crane ${extrapolation}`, "single_actuator_crane", 5e-4, extrapolation, "--until", 1);
      }
    },
  },
  {
    name: "reference of a crane",
    file: "reference",
    run: async (program) => {
      const csv = ["--csv", program.path("reference.csv")];
      await program.must(
        ...["reference", "single_actuator_crane", "--interval", 0.02, "--test", "step", ...csv],
      );
      program.csv("reference", "reference.csv");
    },
  },
  {
    name: "analyse",
    file: "analyse",
    run: async (program) => {
      for (const extrapolation of ["0", "1", "2"]) {
        const linear = ["linear_oscillator", "--extrapolation", extrapolation, "--threads", 2];
        await program.answer(`linear ${extrapolation}`, "analyse", ...linear);
      }
      const nonlinear = ["nonlinear_oscillator", "--extrapolation", 1, "--at", 2, "--threads", 2];
      await program.answer("nonlinear", "analyse", ...nonlinear);
      const pipe = ["pipe_volume", "--extrapolation", 0, "--macro-steps", "1e-6:2e-5:3", "--threads", 2];
      await program.answer("pipe", "analyse", ...pipe, "--nyquist", program.path("nyquist.csv"));
      program.csv("nyquist", "nyquist.csv");
    },
  },
  {
    name: "map stability and accuracy",
    file: "map",
    run: async (program) => {
      const map = (more) =>
        program.json_file("map.json", {
          kind: "map",
          problem: "stiff_oscillator",
          search: { couplings: ["force_displacement"], extrapolation: ["0", "1"] },
          map: {
            x: { parameter: "coupling.c_k", minimum: 1, maximum: 1e10, count: 6 },
            y: { parameter: "coupling.d_k", minimum: 1, maximum: 1e7, count: 5 },
            ...more,
          },
        });
      const stability = map({ macro_steps_s: { minimum_s: 1e-6, maximum_s: 1e-3, count: 4 } });
      await program.answer("stability", "map", stability, "--threads", 2);
      const accuracy = map({ macro_steps_s: [1e-3], quantity: "accuracy", test: "step" });
      await program.answer("accuracy", "map", accuracy, "--threads", 2);
    },
  },
  {
    name: "tune the energy correction",
    file: "tune",
    run: (program) =>
      program.answer(
        ...["tune", "tune", "linear_oscillator", "--macro-step", 0.01, "--extrapolation", 0],
        ...["--test", "step", "--until", 1, "--threads", 2],
      ),
  },
];

// --- what the problems are, and the study ------------------------------------------------------------

const models = {
  name: "the built-in problems",
  file: "models",
  run: async (program) => {
    for (const problem of JSON.parse(await program.must("models", "--json")).problems) {
      const { parameters, external_inputs } = problem;
      add_json(program.numbers, problem.name, { parameters, external_inputs });
    }
  },
};

const short_studies = short_study.numbers.map((number) => ({
  name: `study, problem ${number} of seed ${short_study.seed}`,
  file: `study_${number}`,
  long: true,
  run: (program) =>
    program.answer(
      ...["study", "study", "--all-rules", "--seed", short_study.seed, "--first", number, "--count", 1, "--threads", 1],
    ),
}));

function long_studies(count) {
  const cases = [];
  for (let first = 0; first < count; first += study.problems_of_a_case) {
    const problems = Math.min(study.problems_of_a_case, count - first);
    cases.push({
      name: `study, problems ${first} to ${first + problems - 1}`,
      run: (program) =>
        program.answer(
          ...["study", "study", "--all-rules", "--seed", study.seed, "--first", first, "--count", problems, "--threads", 1],
        ),
    });
  }
  return cases;
}

/** All cases; `problems` are the names of the built-in ones, `study_problems` a number. */
export function all_cases(problems, study_problems) {
  return [
    models,
    ...built_in(problems),
    ...others,
    ...chunked,
    ...fmu_pairs,
    ...runs,
    ...short_studies,
    ...long_studies(study_problems),
  ];
}
