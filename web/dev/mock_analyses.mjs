// Analyses with made-up numbers: a map of stability and a tuning; what is submitted is one of these.

const rows = new Map();
let created = 0;

const decades = (from, to, count) =>
  Array.from({ length: count }, (_, n) =>
    Number((10 ** (from + ((to - from) * n) / (count - 1))).toPrecision(6)),
  );
const steps = [1e-4, 1e-3, 1e-2];
const limit = 1 + 1e-9;

/** Stable where stiffness and damping are small for H; nothing where both are huge. */
function radius(order, step, stiffness, damping) {
  if (stiffness > 1e9 && damping > 1e5) return null;
  const load = (step * step * stiffness) / 10 + (step * damping) / 10;
  return load < 1 ? 1 - 0.2 * load * step ** 0.25 : load ** (0.1 * (order + 1));
}

function map() {
  const x = decades(0, 10, 60);
  const y = decades(0, 6, 50);
  const axis = (parameter, unit, values) => ({ parameter, unit, scale: "log", values });
  return {
    problem: "stiff_oscillator",
    quantity: "stability",
    limit,
    test: null,
    x: axis("coupling.c_k", "N/m", x),
    y: axis("coupling.d_k", "N s/m", y),
    macro_steps_s: steps,
    configurations: [0, 1].map((order) => {
      const layers = steps.map((step) => {
        const values = y.map((damping) => x.map((one) => radius(order, step, one, damping)));
        const all = values.flat();
        const missing = all.filter((value) => value === null).length;
        return {
          macro_step_s: step,
          points_within_limit: all.filter((value) => value !== null && value <= limit).length,
          points_without_value: [{ reason: "the matrix is not finite", points: missing }],
          values,
        };
      });
      const within = (row, column) => (layer) => {
        const value = layer.values[row][column];
        return value !== null && value <= limit;
      };
      return {
        label: `extrapolation ${order}`,
        configuration: { extrapolation: String(order), integrators: {}, substeps: {} },
        layers,
        largest_macro_step_s: y.map((_, row) =>
          x.map((_, column) => layers.findLast(within(row, column))?.macro_step_s ?? null),
        ),
      };
    }),
  };
}

function tuning() {
  const point = (mu, nu, share) => ({
    mu,
    nu,
    limit: share,
    objective: { step: 0.01 + (mu - 0.6) ** 2 + 0.1 * nu + 0.02 * (1 - share) },
    ratio: null,
  });
  const landscape = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((mu) =>
    [0, 0.25, 0.5, 1].flatMap((nu) => [0.25, 1].map((share) => point(mu, nu, share))),
  );
  return {
    objective: "energy_deviation",
    best: point(0.6, 0, 1),
    by_formula: point(0.5, 0, 1),
    no_formula: null,
    uncorrected: point(0, 0, 1),
    left_out_ratio: 0.5,
    reason: null,
    grid_points: landscape.length,
    landscape,
  };
}

function add(job) {
  const id = `a${(++created).toString(16).padStart(11, "0")}`;
  const now = new Date().toISOString();
  const summary = {
    id,
    kind: job.kind,
    name: job.name ?? job.problem,
    problem: job.problem,
    status: "succeeded",
    queue_position: null,
    created_at: now,
    started_at: now,
    finished_at: now,
    points_done: 3000,
    points_total: 3000,
    wall_s: 2.1,
    reason: null,
  };
  rows.set(id, { summary, job, result: job.kind === "tune" ? tuning() : map() });
  return summary;
}

add({ kind: "tune", problem: "linear_oscillator", tune: { macro_step_s: 0.005 } });
add({ kind: "map", problem: "stiff_oscillator" });

/** [status, body] */
export function answer(method, id, action, is_dry_run, text) {
  if (method === "POST" && id === undefined) {
    const job = JSON.parse(text);
    if (!is_dry_run) return [202, add(job)];
    const estimate = { values: 18000, macro_steps_max: null };
    if (job.kind === "tune") return [200, { configuration: {}, job }];
    return [200, { configurations: 2, points: 3000, estimate, job }];
  }
  if (id === undefined) {
    return [200, { analyses: [...rows.values()].map((one) => one.summary).reverse(), next: null }];
  }
  const found = rows.get(id);
  if (!found) return [404, { title: "No such analysis", detail: id }];
  if (method === "DELETE") {
    rows.delete(id);
    return [204, null];
  }
  if (action === "export") return [200, found.result];
  if (action === "cancel") return [200, found.summary];
  return [200, { ...found.summary, job: found.job, result: found.result }];
}
