// A double-crane search as the server would answer it, made of a formula instead of a simulation:
// E grows linearly with H up to a bend, then steeply, then the runs diverge.

const orders = ["0", "1", "2", "3", "4", "i2"];
const integrators = { mechanics: ["i1al", "i3al"], hydraulics: ["forward_euler", "trapezoidal"] };
const macro_step = { initial_s: 2e-4, increment_s: 2e-4, maximum_s: 0.02 };

const tests = [
  { name: "step", kind: "step", duration_s: 1 },
  { name: "ramp", kind: "ramp", duration_s: 1 },
  { name: "impulse", kind: "impulse", width_s: 0.4, duration_s: 1 },
  { name: "sine_17.5hz", kind: "sine", frequency_hz: 17.5, periods: 1 },
  { name: "sine_35hz", kind: "sine", frequency_hz: 35, periods: 1 },
  { name: "sine_70hz", kind: "sine", frequency_hz: 70, periods: 1 },
];

// Bends in steps of 0.2 ms, by test and order.
const bends = {
  step: [3, 7, 9, 8, 6, 7],
  ramp: [4, 7, 9, 8, 6, 8],
  impulse: [3, 6, 9, 8, 5, 7],
  "sine_17.5hz": [3, 7, 10, 9, 6, 8],
  sine_35hz: [4, 8, 11, 12, 7, 9],
  sine_70hz: [5, 30, 60, 70, 40, 44],
};
const sizes = { step: 9, ramp: 4, impulse: 14, "sine_17.5hz": 1.5, sine_35hz: 0.6, sine_70hz: 0.2 };
const order_factor = [6, 1.9, 0.9, 0.7, 0.8, 1.2];

function grid(step) {
  return Number((step * 2e-4).toFixed(7));
}

function wobble(n) {
  return 1 + 0.05 * Math.sin(n * 12.9898) * Math.cos(n * 4.1);
}

export function job() {
  return {
    kind: "search",
    name: "Double-actuator crane",
    problem: "double_actuator_crane",
    parameters: {},
    micro_steps: { hydraulics: 1e-4 },
    search: {
      couplings: ["force_displacement"],
      schemes: ["jacobi"],
      orders: [],
      extrapolation: orders,
      integrators,
      corrections: ["none"],
      macro_step,
      linear_region: { rule: "local_power_law", tolerance: 0.35, points: 5, scan: "arithmetic" },
      minimum_macro_steps: 20,
    },
    tests,
  };
}

function configurations() {
  const list = [];
  for (const extrapolation of orders) {
    for (const mechanics of integrators.mechanics) {
      for (const hydraulics of integrators.hydraulics) {
        list.push({
          coupling: "force_displacement",
          scheme: "jacobi",
          extrapolation,
          integrators: { mechanics, hydraulics },
          substeps: {},
          correction: "none",
        });
      }
    }
  }
  return list;
}

export function curves() {
  const list = [];
  for (const test of tests) {
    configurations().forEach((configuration, n) => {
      const order = orders.indexOf(configuration.extrapolation);
      const shift = n % 4 === 3 && order !== 2 ? -1 : 0;
      const bend = Math.max(2, bends[test.name][order] + shift);
      const coefficient =
        sizes[test.name] * order_factor[order] * (1 + 0.03 * (n % 4)) * (order > 0 ? 1 : 1.2);
      const cliff = Math.round(bend * 1.3 + 1 + (n % 3));
      const points = [];
      for (let step = 1; step <= Math.min(100, cliff + 6); ++step) {
        const h = grid(step);
        const growth = step <= bend ? 1 : 1 + 0.9 * (step - bend) ** 2.2;
        const diverged = step >= cliff + 1 + (n % 2);
        const failed = diverged && order === 4 && step % 3 === 0;
        const residual = coefficient * h * growth * wobble(step + n * 7) * (step > cliff ? 40 : 1);
        points.push({
          macro_step_s: h,
          residual_J: diverged ? null : residual,
          relative_residual: diverged ? null : residual / (900 * sizes[test.name] ** 0.3),
          status: failed ? "solver_failed" : diverged ? "diverged" : "complete",
          inside_linear_region: step <= bend,
        });
      }
      list.push({
        id: list.length,
        configuration,
        test: test.name,
        bend_s: grid(bend),
        cliff_s: grid(cliff),
        slope: Number((1 + 0.02 * Math.sin(n)).toFixed(3)),
        fit: { coefficient, exponent: 1 },
        reason: `E at ${(grid(bend + 1) * 1e3).toFixed(1)} ms is more than 35 % above the line.`,
        flags: test.name === "sine_70hz" ? ["too_few_macro_steps"] : [],
        counts: test.name !== "sine_70hz",
        usable_s: grid(bend),
        limited_by: "bend",
        points,
      });
    });
  }
  return list;
}

const pick = (n) => configurations()[n];

export function table() {
  const all = curves();
  return tests.map((test) => {
    const own = all.filter((curve) => curve.test === test.name);
    const best = Math.max(...own.map((curve) => curve.bend_s));
    const winners = own.filter((curve) => curve.bend_s === best);
    return {
      test: test.name,
      configurations: winners.map((curve) => curve.configuration),
      macro_step_s: best,
      cliff_s: Math.min(...winners.map((curve) => curve.cliff_s)),
      flags: winners[0].flags,
    };
  });
}

const reasons = [
  {
    code: "largest_linear_step",
    severity: "info",
    subject: "",
    numbers: {},
    sentence:
      "no other configuration may be used up to a larger macro-step in every test that counts",
  },
  {
    code: "limited_by_tests",
    severity: "info",
    subject: "step, ramp, impulse",
    numbers: { macro_step_s: 0.0018 },
    sentence: "limited at 1.8 ms by: step, ramp, impulse",
  },
];

export function recommendation() {
  return {
    ...pick(8),
    macro_step_s: 0.0018,
    bend_s: 0.0018,
    cliff_s: 0.0026,
    relative_residual: 0.3,
    error: { nrmse: 0.79, max: 2.1, test: "sine_35hz", reference: "CVODE BDF" },
    rule: "max_min",
    confidence: null,
    notices: [
      {
        code: "too_few_macro_steps",
        severity: "warning",
        subject: "sine_70hz",
        numbers: { minimum_macro_steps: 20 },
        sentence:
          "not counted, with fewer than 20 macro-steps at the end of the linear region: sine_70hz",
      },
    ],
    reason: reasons.map((one) => one.sentence).join("; "),
    reasons,
    ties: [pick(8), pick(9), pick(10), pick(11)],
  };
}

export const sentence =
  "Use second-order extrapolation with H = 1.8 ms, I1AL for mechanics and forward Euler for hydraulics: the largest macro-step at which runs swing at most twice as far as with a quarter of H and, with a margin of 25 %, no motion grows faster around states that the tests reach, as runs show. That does not promise accuracy; at this H the relative residual is 30 % and the error of the outputs (NRMSE) 79 %.";

export const flag_meanings = {
  bend: "larger H lie beyond the bend",
  too_few_macro_steps:
    "at this H the test has too few macro-steps for a trustworthy curve: shown, not counted",
};

export function paper_rule() {
  return {
    ...pick(8),
    macro_step_s: 0.0018,
    bend_s: 0.0018,
    cliff_s: 0.0026,
    relative_residual: 1.4e-5,
    rule: "paper",
    confidence: null,
    notices: [],
    reason: "the smallest row of the table, that of test step",
    ties: [],
  };
}

export function problems() {
  const parameters = [
    ["hydraulics.c", "N s/m", 1e5, 0, 1e7, "viscous coefficient of the cylinder"],
    ["hydraulics.throttle_diameter_m", "m", 0.006, 1e-4, 0.05, "diameter of the throttle"],
    ["hydraulics.supply_pressure_Pa", "Pa", 7.6e6, 1e5, 5e7, "pressure of the pump"],
    ["mechanics.m_p", "kg", 250, 0, 1e5, "point mass at the end of link 1"],
    ["mechanics.m_h", "kg", 100, 0, 1e5, "point mass at the hook"],
    ["mechanics.penalty", "1", 1e9, 1e3, 1e14, "penalty factor of the augmented Lagrangian"],
  ].map(([path, unit, value, minimum, maximum, description]) => ({
    path,
    unit,
    default: value,
    minimum,
    maximum,
    description,
  }));
  const groups = [
    {
      name: "hydraulics",
      members: ["hydraulics_1", "hydraulics_2"],
      integrators: ["forward_euler", "trapezoidal"],
      micro_step_s: 1e-4,
    },
    {
      name: "mechanics",
      members: ["mechanics"],
      integrators: ["i1al", "i3al"],
      micro_step_s: null,
    },
  ];
  const port = (name, unit) => ({ name, unit });
  const crane = (name, title, actuators) => ({
    name,
    title,
    description: `A crane of two links moved by ${actuators}, coupled to its mechanics through the lengths and forces of the cylinders.`,
    source: "Automatic configuration of non-iterative co-simulation, sections 3 and 4",
    subsystems: [
      {
        name: "hydraulics_1",
        group: "hydraulics",
        inputs: [port("s", "m"), port("s_dot", "m/s")],
        outputs: [port("f", "N")],
      },
    ],
    groups,
    parameters,
    couplings: ["force_displacement"],
    external_inputs: [
      {
        to: "hydraulics_1.u_ref",
        unit: "V",
        initial: 0,
        minimum: -10,
        maximum: 10,
        sampling: "continuous",
      },
    ],
    job: { ...job(), name: title, problem: name },
  });
  return [
    crane("double_actuator_crane", "Double-actuator crane", "two hydraulic cylinders"),
    crane("single_actuator_crane", "Single-actuator crane", "one hydraulic cylinder"),
  ];
}
