// Single trials of the mock server: their list, their course over time, a second run; and a search
// with as many trials as one may have, for measuring the page.
import * as fixture from "./fixture.mjs";

const test_s = 1;
const columns = [
  "t",
  "mechanics.s_1",
  "mechanics.s_dot_1",
  "hydraulics_1.f",
  "residual_power_W",
  "hydraulics_1.u_ref",
];
const outputs = columns.slice(1, columns.indexOf("residual_power_W"));
const most_points = 20_000;
const finest = 1e-6; // its error stands for that of a monolithic solution
const large_curve_points = 139; // × 144 curves: 20,016 trials
const million = 1_000_000;

/** All points of all curves, numbered. */
export function trials_of(search) {
  if (search.curves.length === 0) return [];
  return numbered(search.curves).flatMap((curve) =>
    curve.points.map((point) => {
      const macro_steps = Math.ceil(test_s / point.macro_step_s - 1e-9);
      return { curve, point, macro_steps };
    }),
  );
}

function trial_json(search, id) {
  const found = trials_of(search).find((one) => one.point.trial_id === id);
  if (!found) return null;
  const { curve, point, macro_steps } = found;
  return {
    id,
    curve_id: curve.id,
    test: curve.test,
    configuration: curve.configuration,
    macro_step_s: point.macro_step_s,
    status: point.status,
    reason:
      {
        diverged: "mechanics.s_1 exceeds 10 000 times its nominal value at 0.71 s",
        solver_failed: "the augmented Lagrangian iteration did not converge at 0.8184 s",
      }[point.status] ?? null,
    residual_J: point.residual_J,
    startup_residual_J: point.residual_J === null ? null : point.residual_J * 1e-6,
    relative_residual: point.relative_residual,
    macro_steps,
    rhs_evaluations: evaluations(curve, macro_steps),
    wall_s: macro_steps * 3.2e-7,
    event_delay_s: 0,
  };
}

function evaluations(curve, macro_steps) {
  const { mechanics, hydraulics } = curve.configuration.integrators;
  return (
    macro_steps * (mechanics === "i3al" ? 6 : 5) + (hydraulics === "trapezoidal" ? 42_000 : 10_000)
  );
}

function trials_csv(search) {
  const header =
    "search_id,trial_id,curve_id,macro_step_s,status,relative_residual,nrmse,rhs_evaluations";
  const lines = trials_of(search).map(({ curve, point, macro_steps }) =>
    [
      search.id,
      point.trial_id,
      curve.id,
      point.macro_step_s,
      point.status,
      point.relative_residual ?? "",
      "",
      evaluations(curve, macro_steps),
    ].join(","),
  );
  return `${[header, ...lines].join("\r\n")}\r\n`;
}

/** A damped swing after a step, with an error that grows with H. */
function row(t, h) {
  const u = t < test_s / 2 ? 0 : 10;
  const since = Math.max(0, t - test_s / 2);
  const swing = Math.exp(-6 * since) * Math.sin(60 * since + h * 4e3);
  const s = 0.5 + 0.04 * since + 1e-3 * swing;
  const v = since > 0 ? 0.04 + 0.06 * swing : 0;
  return [t, s, v, 8829 + 4e4 * v, h * 4e5 * v * swing, u];
}

/** The connections of a crane: the force is held, whatever the extrapolation. */
function connections(extrapolation) {
  const order = "01234".includes(extrapolation) ? Number(extrapolation) : null;
  const connection = (from, to, extrapolate) => ({
    from,
    to,
    extrapolate,
    order: extrapolate ? order : 0,
    delay_macro_steps: 0,
  });
  return [
    connection("mechanics.s_1", "hydraulics_1.s", true),
    connection("mechanics.s_dot_1", "hydraulics_1.s_dot", true),
    connection("hydraulics_1.f", "mechanics.f_1", false),
  ];
}

/** Root mean square of the error over the standard deviation. */
function nrmse(rows, output) {
  const exact = (one) => one[columns.length + output];
  const mean = rows.reduce((sum, one) => sum + exact(one), 0) / rows.length;
  const sum = (square) => rows.reduce((total, one) => total + square(one) ** 2, 0);
  return Math.sqrt(sum((one) => one[1 + output] - exact(one)) / sum((one) => exact(one) - mean));
}

/** The monolithic solution as further columns, and how far the trial is from it. */
function with_reference(trace) {
  const rows = trace.rows.map((one) => [
    ...one,
    ...row(one[0], finest).slice(1, 1 + outputs.length),
  ]);
  const errors = outputs.map((_, n) => (trace.status === "complete" ? nrmse(rows, n) : null));
  const known = errors.every((one) => one !== null);
  const all = Math.sqrt(errors.reduce((sum, one) => sum + one ** 2, 0) / errors.length);
  return {
    ...trace,
    columns: [...columns, ...outputs.map((name) => `reference.${name}`)],
    rows,
    reference: {
      nrmse: known ? all : null,
      max: known ? 3 * all : null,
      outputs: Object.fromEntries(outputs.map((name, n) => [name, errors[n]])),
    },
  };
}

function trace_json(search, id, wanted, reference) {
  const found = trials_of(search).find((one) => one.point.trial_id === id);
  const { curve, point, macro_steps } = found;
  const h = search.million_points ? test_s / (million - 1) : point.macro_step_s;
  const ends = point.status === "complete" ? 1 : 0.7;
  const total = search.million_points ? million : Math.floor(macro_steps * ends) + 1;
  const stride = search.million_points ? 1 : Math.max(1, Math.ceil(total / wanted));
  const rows = [];
  for (let n = 0; n < total; n += stride) rows.push(row(n * h, h));
  // Noise that only a drawing of every point shows, and that no thinning may lose.
  if (search.million_points) for (let n = 5; n < total; n += 9973) rows[n][1] += 0.004;
  const trace = {
    search_id: search.id,
    trial_id: id,
    macro_step_s: h,
    test: curve.test,
    status: point.status,
    reason: null,
    points_total: total,
    points: rows.length,
    connections: connections(curve.configuration.extrapolation),
    reference: null,
    reference_reason: null,
    columns,
    rows,
  };
  if (!reference) return trace;
  return search.million_points
    ? {
        ...trace,
        reference_reason: "there is no reference here for a million communication points",
      }
    : with_reference(trace);
}

/** As the server answers them: every point with the number of its trial. */
export function numbered(curves) {
  let id = 0;
  return curves.map((curve) => ({
    ...curve,
    points: curve.points.map((point) => ({ trial_id: id++, ...point })),
  }));
}

function rerun_json(search, id) {
  const { test, configuration, curve_id, ...outcome } = trial_json(search, id);
  const more = { transmitted_J: 160, bond_residuals_J: [outcome.residual_J], cost: 12_345 };
  const stored = { ...outcome, ...more };
  return {
    search_id: search.id,
    trial_id: id,
    macro_step_s: outcome.macro_step_s,
    identical: true,
    differing: [],
    same_build: true,
    same_math_class: true,
    stored,
    rerun: { ...stored, wall_s: outcome.wall_s * 1.1 },
  };
}

/** What is answered below /searches/{id}: {status, body} or {status, text, type}; null: not here. */
export function answer(search, method, parts, query) {
  const [kind, number, what] = parts;
  if (kind === "export") {
    return { status: 200, text: trials_csv(search), type: "text/csv; charset=utf-8" };
  }
  if (kind !== "trials" || number === undefined) return null;
  const trial = trial_json(search, Number(number));
  if (!trial) return { status: 404 };
  if (what === undefined) return { status: 200, body: trial };
  if (what === "trace") {
    const points = Math.min(most_points, Number(query.get("points") ?? 2000));
    return {
      status: 200,
      body: trace_json(search, trial.id, points, query.get("reference") === "true"),
    };
  }
  if (what === "rerun" && method === "POST")
    return { status: 200, body: rerun_json(search, trial.id) };
  return null;
}

/** As the server measures them for the best configurations. */
export function step_times() {
  const rows = [];
  for (const extrapolation of ["2", "i2"]) {
    const curve = fixture.curves().find((one) => one.configuration.extrapolation === extrapolation);
    for (const h of [2e-4, 4e-4, 6e-4, 8e-4, 1e-3, 1.2e-3, 1.4e-3, 1.6e-3, 1.8e-3]) {
      const median_s = (4 + 6000 * h) * 1e-6 * (extrapolation === "2" ? 1 : 1.2);
      rows.push({
        configuration: curve.configuration,
        macro_step_s: h,
        macro_steps: Math.round(1 / h),
        median_s,
        p999_s: median_s * 2.6 + 7e-6,
        worst_s: median_s * 4 + 6e-5,
      });
    }
  }
  return rows;
}

/** The curves of the fixture, each as long as those of a search with 20,000 trials. */
export function large_curves() {
  return fixture.curves().map((curve) => {
    const last = curve.points[curve.points.length - 1];
    const points = Array.from({ length: large_curve_points }, (_, n) => {
      const macro_step_s = Number((2e-4 * (1 + n / 10)).toFixed(9));
      const inside_linear_region = macro_step_s <= curve.bend_s * (1 + 1e-9);
      const near = curve.points.find((one) => one.macro_step_s >= macro_step_s) ?? last;
      const scale = near.residual_J === null ? null : macro_step_s / near.macro_step_s;
      return {
        ...near,
        macro_step_s,
        inside_linear_region,
        residual_J: scale === null ? null : near.residual_J * scale,
        relative_residual: scale === null ? null : near.relative_residual * scale,
      };
    });
    return { ...curve, points };
  });
}
