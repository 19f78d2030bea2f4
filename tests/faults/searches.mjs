// Jobs to run under attack, and what must be the same after every disturbance.
import { check, check_equal } from "../journey/chapters.mjs";

/** A scan from a far too small H on. */
function fine_job(name, first_s) {
  const macro_step = { initial_s: first_s, increment_s: first_s, maximum_s: 0.02 };
  return { problem: "double_actuator_crane", name, search: { macro_step } };
}

/** About a second of trials on one thread and several of checks; the quick one is half the trials and
    no check. */
export function short_job(name, quick = false) {
  if (!quick) return fine_job(name, 1e-4);
  const job = fine_job(name, 2e-4);
  return { ...job, search: { ...job.search, stability_check: "none" } };
}

/** Some twenty seconds, with a trial every millisecond. */
export const long_job = (name) => fine_job(name, 2e-5);

/** A quarter of an hour: nobody waits for its end. */
export const endless_job = (name) => fine_job(name, 5e-7);

/** Without what may differ: times, names, and numbers of trials, which say what was stored first (a
    search that goes on runs what its curves lack in another order). */
const comparable = (value) => {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !/^wall_s$|_at$|^id$|^trial_id$/.test(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, comparable(inner)]));
};

/** All that a search has found, numbers bit by bit: what REST says of it, and the rows of its trials in
    the order of curves. */
export async function findings(server, id) {
  const search = await server.search(id);
  check_equal(search.status, "succeeded", `search ${id}`);
  check(search.complete && search.recommendation, "the search has no recommendation");
  const { curves } = comparable(await server.get(`/searches/${id}/curves`));
  const rows = server.sql(
    `SELECT t.curve_id, point, t.status, t.reason, quote(macro_step_s) AS h, quote(residual_J) AS e,
       quote(startup_residual_J) AS s, quote(relative_residual) AS r, quote(transmitted_J) AS t,
       bond_residuals_J AS b, quote(nrmse) AS n, macro_steps, rhs_evaluations, quote(cost) AS c,
       macro_step_s <= linear_up_to_s AS i
     FROM searches AS s JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
     JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
     WHERE s.id = '${id}' ORDER BY t.curve_id, point`,
  );
  check(rows.length > 0, "no trial is stored");
  const { recommendation, table, cost, progress } = comparable(search);
  return JSON.stringify({
    recommendation,
    table,
    cost,
    trials: progress.trials_done,
    curves,
    rows,
  });
}

/** Runs a job undisturbed. */
export async function undisturbed(server, job) {
  const { id } = await server.submit(job);
  await server.wait_for(id, ["succeeded", "failed"]);
  return findings(server, id);
}
