// The problems of the study. Each is tuned on its default job and on four more initial states
// (`tuned_on`), and scored on other initial states and other inputs (`states`, `inputs`).

const sine = (frequency_hz, amplitude, periods) => ({
  name: "sine",
  kind: "sine",
  frequency_hz,
  amplitude,
  periods,
});
const impulse = (duration_s, width_s) => ({ name: "impulse", kind: "impulse", duration_s, width_s });
const ramp = (duration_s) => ({ name: "ramp", kind: "ramp", duration_s });
const free = (duration_s) => ({ name: "free", kind: "none", duration_s });

/** Positions and velocities at the start, of m1 and m2. */
const start = (x1, v1, x2, v2) => ({ "m1.x0": x1, "m1.v0": v1, "m2.x0": x2, "m2.v0": v2 });

/** Starts of m1, m2 and the last mass, for parts of unequal motion. */
const parts_start = (x1, v1, x2, v2, x, v) => ({
  ...start(x1, v1, x2, v2),
  "last.x0": x,
  "last.v0": v,
});
const angles = (theta1, theta2) => ({ "m1.theta": theta1, "m2.theta": theta2 });

const oscillators = {
  tuned_on: {
    states: [start(3, -60, 0, 10), start(0, 90, -2, 60), start(-4, 0, 1, -50), start(6, 30, 2, 0)],
    inputs: [free(5), sine(2.7, 350, 8), impulse(2, 0.25)],
  },
  states: [start(2, 40, -1, 80), start(5, 0, -3, 0)],
  inputs: [free(8), sine(5, 400, 12), impulse(3, 0.5), ramp(3)],
};
const stiff_oscillators = {
  tuned_on: {
    states: [
      start(9e-4, -0.6, 0, 0.1),
      start(0, 0.9, -6e-4, 0.6),
      start(-1.2e-3, 0, 3e-4, -0.5),
      start(1.8e-3, 0.3, 6e-4, 0),
    ],
    inputs: [free(0.2), sine(90, 1000, 15), impulse(0.2, 0.04)],
  },
  states: [start(0.001, 0.5, 0, 1), start(0.002, 0, -0.001, 0)],
  inputs: [free(0.25), sine(80, 1500, 20), impulse(0.3, 0.05), ramp(0.2)],
};
const masses = {
  tuned_on: {
    ...oscillators.tuned_on,
    states: [
      parts_start(3, -60, 0, 20, 0, 10),
      parts_start(0, 90, 1, 40, -2, 60),
      parts_start(-4, 0, 4, 0, 1, -50),
      parts_start(6, 30, -3, 10, 2, 0),
    ],
  },
  states: [parts_start(2, 40, 0, 90, -1, 80), parts_start(6, 0, 1, -30, -3, 20)],
  inputs: oscillators.inputs,
};
const pendulum_pairs = {
  tuned_on: {
    states: [angles(0.7, 0.3), angles(-0.5, 0.3), angles(0.2, -0.6), angles(-0.3, -0.5)],
    inputs: [free(5), sine(0.7, 2.5, 4), impulse(5, 1)],
  },
  states: [angles(0.3, 0.5), angles(-0.6, -0.2)],
  inputs: [free(8), sine(0.8, 3, 8), impulse(8, 2), ramp(8)],
};

const oscillator = {
  coupling: "force_displacement",
  macro_step_s: 1e-3,
  extrapolation: "0",
  ...oscillators,
};
const linear = { ...oscillator, problem: "linear_oscillator" };
const nonlinear = { ...oscillator, problem: "nonlinear_oscillator" };
const pendula = { ...oscillator, ...pendulum_pairs, problem: "coupled_pendula" };
const parts = { ...oscillator, ...masses, problem: "n_mass_oscillator" };
const dampers = {
  "m1.n_s": 1,
  "m2.n_s": 1,
  "coupling.n_s": 1,
  "m1.c": 0.01,
  "m2.c": 0.01,
  "coupling.c_c": 0.01,
};

/** All subsystems tell their energy: scored by its deviation. */
export const mechanical = [
  { name: "linear", ...linear },
  { name: "linear, R = 10", ...linear, substeps: { m2: 10 } },
  { name: "linear, R = 10, order 1", ...linear, substeps: { m2: 10 }, extrapolation: "1" },
  { name: "linear, R = 1/10", ...linear, substeps: { m1: 10 } },
  { name: "linear, R = 1/10, order 1", ...linear, substeps: { m1: 10 }, extrapolation: "1" },
  { name: "linear, m2 = 0.1 kg", ...linear, parameters: { "m2.m": 0.1 } },
  { name: "n = 3", ...parts, parameters: { n: 3 } },
  { name: "n = 5", ...parts, parameters: { n: 5 } },
  { name: "nonlinear springs", ...nonlinear },
  { name: "nonlinear springs, R = 10", ...nonlinear, substeps: { m2: 10 } },
  { name: "nonlinear dampers", ...nonlinear, parameters: dampers },
  { name: "nonlinear dampers, R = 10", ...nonlinear, parameters: dampers, substeps: { m2: 10 } },
  {
    name: "stiff",
    ...oscillator,
    problem: "stiff_oscillator",
    macro_step_s: 5e-5,
    integrators: { m1: "symplectic_euler", m2: "symplectic_euler" },
    ...stiff_oscillators,
  },
  { name: "pendula", ...pendula },
  { name: "pendula, R = 10", ...pendula, substeps: { m2: 10 } },
];

const crane = {
  coupling: "force_displacement",
  extrapolation: "2",
  integrators: { mechanics: "i1al", hydraulics: "forward_euler" },
  tuned_on: { states: [], inputs: [] },
  states: [{}],
  inputs: [sine(10, 5, 10), impulse(1, 0.2), { name: "joystick" }],
};

/**
 * Hydraulics, which tell no energy: tuned by the energy of the interface, scored by the error of the
 * outputs. mu: by eq. 21 with R = micro-step over H, as if that were where they communicate.
 */
export const hydraulic = [
  { name: "single crane", problem: "single_actuator_crane", ...crane, macro_step_s: 1e-3, mu: 0.05 },
  { name: "double crane", problem: "double_actuator_crane", ...crane, macro_step_s: 8e-4, mu: 0.0625 },
  {
    name: "manipulator",
    problem: "hydraulic_manipulator",
    coupling: "force_displacement",
    extrapolation: "1",
    macro_step_s: 5e-3,
    mu: 0.02,
    tuned_on: { states: [], inputs: [] },
    states: [{}],
    inputs: [sine(1, 0.1, 4), impulse(4, 1), ramp(5)],
  },
];
