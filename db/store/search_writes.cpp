#include "db/store/search_writes.hpp"

#include <algorithm>

#include "db/schema/error.hpp"
#include "db/store/fmus.hpp"
#include "db/store/search_reads.hpp"

namespace macrostep::db {
namespace {

[[noreturn]] void no_search(std::string_view search) {
  throw Error(ErrorKind::not_found, "no search " + std::string(search));
}

void update_one(Connection& connection, Statement& statement, std::string_view search) {
  statement.run();
  if (connection.changes() != 1) {
    no_search(search);
  }
}

Sequences insert_events(Connection& connection, std::string_view search, const Events& events) {
  auto insert = connection.prepare(
      "INSERT INTO events (search_id, name, data, first_trial, trials) VALUES (?1, ?2, ?3, ?4, "
      "?5)");
  Sequences sequences;
  for (const EventText& event : events) {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> count;
    if (event.trials) {
      first = event.trials->first;
      count = event.trials->count;
    }
    insert.bind(search, event.name, event.data, first, count).run();
    sequences.push_back(connection.last_insert_rowid());
  }
  return sequences;
}

void prune_events(Connection& connection) {
  connection
      .prepare(R"(
DELETE FROM events WHERE sequence <= ?1 AND (SELECT status FROM searches WHERE id = search_id)
  IN ('succeeded', 'failed', 'cancelled'))")
      .bind(last_event_sequence(connection) - events_kept)
      .run();
}

void put_configurations(Connection& connection, std::string_view search,
                        std::span<const ConfigurationRow> rows) {
  auto put = connection.prepare(R"(
INSERT INTO configurations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT DO UPDATE SET coupling = excluded.coupling, scheme = excluded.scheme,
  extrapolation = excluded.extrapolation, integrators = excluded.integrators,
  substeps = excluded.substeps, correction = excluded.correction,
  configuration = excluded.configuration, subsystem_order = excluded.subsystem_order)");
  for (const ConfigurationRow& row : rows) {
    put.bind(search, row.id, row.coupling, row.scheme, row.extrapolation, row.integrators,
             row.substeps, row.correction, row.json, row.subsystem_order)
        .run();
  }
}

void put_curves(Connection& connection, std::string_view search, std::span<const CurveRow> rows) {
  auto put = connection.prepare(R"(
INSERT INTO curves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
  ?15, ?16, ?17, ?18)
ON CONFLICT DO UPDATE SET configuration_id = excluded.configuration_id, test = excluded.test,
  bend_s = excluded.bend_s, cliff_s = excluded.cliff_s, slope = excluded.slope,
  fit_coefficient = excluded.fit_coefficient, fit_exponent = excluded.fit_exponent,
  reason = excluded.reason, flags = excluded.flags,
  weighted_rhs_evaluations = excluded.weighted_rhs_evaluations, counts = excluded.counts,
  stability_limit_s = excluded.stability_limit_s, rejected_from_s = excluded.rejected_from_s,
  linear_up_to_s = excluded.linear_up_to_s, usable_s = excluded.usable_s,
  limited_by = excluded.limited_by)");
  for (const CurveRow& row : rows) {
    put.bind(search, row.id, row.configuration_id, row.test, row.bend_s, row.cliff_s, row.slope,
             row.fit_coefficient, row.fit_exponent, row.reason, row.flags,
             row.weighted_rhs_evaluations, row.counts, row.stability_limit_s, row.rejected_from_s,
             row.linear_up_to_s, row.usable_s, row.limited_by)
        .run();
  }
}

/// Throws Error(constraint) if the search has no such curve: what a reference of every trial would
/// look up anew.
void require_curves(Connection& connection, std::string_view search,
                    std::span<const TrialRow> rows) {
  std::vector<std::int64_t> curves;
  for (const TrialRow& row : rows) {
    curves.push_back(row.curve_id);
  }
  std::ranges::sort(curves);
  curves.erase(std::unique(curves.begin(), curves.end()), curves.end());
  auto query = connection.prepare("SELECT 1 FROM curves WHERE search_id = ?1 AND curve_id = ?2");
  for (const auto curve : curves) {
    query.bind(search, curve);
    if (!query.step()) {
      throw Error(ErrorKind::constraint,
                  "search " + std::string(search) + " has no curve " + std::to_string(curve));
    }
  }
}

/// Whether nothing but numbers and null can stand there: a look at what is written by ourselves
/// only, as SQLite takes longer to parse the list than to insert the row.
bool looks_like_numbers(std::string_view list) {
  return list.size() >= 2 && list.front() == '[' && list.back() == ']' &&
         list.find_first_not_of("0123456789.,+-eEnul", 1) == list.size() - 1;
}

// A plain insert: a trial reported twice is a mistake to be told, not to be covered up. That rolls
// the transaction back at once, so that SQLite keeps no journal of the statement.
std::string insert_of(std::size_t rows) {
  std::string sql = "INSERT OR ROLLBACK INTO trials VALUES ";
  for (std::size_t row = 0; row < rows; ++row) {
    sql += row == 0 ? "" : ", ";
    sql += "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  }
  return sql;
}

constexpr int trial_columns = 17;
/// So many rows go in by one statement, which saves a third of the time; what is left, one by one.
constexpr std::size_t rows_at_once = 8;

void bind_trial(Statement& insert, std::size_t place, std::int64_t search_number,
                const TrialRow& row) {
  if (row.id < 0 || row.id >= trials_per_search) {
    throw Error(ErrorKind::constraint, "no trial has the id " + std::to_string(row.id));
  }
  if (!looks_like_numbers(row.bond_residuals_J)) {
    throw Error(ErrorKind::constraint,
                "bond residuals are no list of numbers: " + row.bond_residuals_J);
  }
  insert.bind_after(static_cast<int>(place) * trial_columns,
                    search_number * trials_per_search + row.id, row.curve_id, row.point,
                    row.macro_step_s, Lasting{row.status}, row.reason, row.residual_J,
                    row.startup_residual_J, row.relative_residual, row.transmitted_J,
                    Lasting{row.bond_residuals_J}, row.nrmse, row.macro_steps, row.rhs_evaluations,
                    row.cost, row.wall_s, row.event_delay_s);
}

void insert_trials(Connection& connection, std::int64_t search_number,
                   std::span<const TrialRow> rows) {
  static const std::string several = insert_of(rows_at_once);
  static const std::string one = insert_of(1);
  const std::size_t in_groups = rows.size() - rows.size() % rows_at_once;
  auto insert_group = connection.prepare(several);
  for (std::size_t i = 0; i < in_groups; i += rows_at_once) {
    for (std::size_t place = 0; place < rows_at_once; ++place) {
      bind_trial(insert_group, place, search_number, rows[i + place]);
    }
    insert_group.run();
  }
  auto insert_one = connection.prepare(one);
  for (const TrialRow& row : rows.subspan(in_groups)) {
    bind_trial(insert_one, 0, search_number, row);
    insert_one.run();
  }
}

void forget_recommendations(Connection& connection, std::string_view search) {
  connection.prepare("DELETE FROM recommendations WHERE search_id = ?1").bind(search).run();
}

void insert_recommendations(Connection& connection, std::string_view search,
                            std::span<const RecommendationRow> rows) {
  auto insert = connection.prepare(
      "INSERT INTO recommendations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
      "?14, ?15, ?16, ?17, ?18)");
  for (const RecommendationRow& row : rows) {
    insert
        .bind(search, row.rule, row.configuration_id, row.macro_step_s, row.bend_s, row.cliff_s,
              row.relative_residual, row.confidence, row.reason, row.json, row.reasons,
              row.sentence, row.nrmse, row.error_test, row.stability_limit_s, row.growth_per_s,
              row.verdict, row.accuracy)
        .run();
  }
}

/// Those of an earlier end are forgotten.
void put_step_times(Connection& connection, std::string_view search,
                    std::span<const StepTimesRow> rows) {
  connection.prepare("DELETE FROM step_times WHERE search_id = ?1").bind(search).run();
  auto insert = connection.prepare("INSERT INTO step_times VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const StepTimesRow& row : rows) {
    insert
        .bind(search, row.configuration_id, row.macro_step_s, row.macro_steps, row.median_s,
              row.p999_s, row.worst_s)
        .run();
  }
}

/// The tags of the search are these and no others.
void put_tags(Connection& connection, std::string_view search, std::span<const std::string> tags) {
  connection.prepare("DELETE FROM search_tags WHERE search_id = ?1").bind(search).run();
  auto insert = connection.prepare(
      "INSERT INTO search_tags SELECT id, ?2, created_at FROM searches WHERE id = ?1");
  for (const std::string& tag : tags) {
    insert.bind(search, tag).run();
  }
}

}  // namespace

Sequences create_search(Connection& connection, const NewSearch& search, const Events& events) {
  connection
      .prepare(R"(
INSERT INTO searches (id, number, name, problem, status, created_at, linear_region_rule,
  curves_total, note, priority, queued_at)
VALUES (?1, (SELECT ifnull(max(number), 0) + 1 FROM searches), ?2, ?3, 'queued', ?4, ?5, ?6, ?7, ?8,
  ?4))")
      .bind(search.id, search.name, search.problem, search.created_at, search.linear_region_rule,
            search.curves_total, search.note, search.priority)
      .run();
  put_tags(connection, search.id, search.tags);
  connection
      .prepare("INSERT INTO documents (search_id, provenance, job, plan) VALUES (?1, ?2, ?3, ?4)")
      .bind(search.id, search.provenance, search.job, search.plan)
      .run();
  require_fmus(connection, search.fmus);
  if (search.idempotency_key) {
    connection.prepare("INSERT INTO idempotency_keys VALUES (?1, ?2)")
        .bind(*search.idempotency_key, search.id)
        .run();
  }
  return insert_events(connection, search.id, events);
}

Sequences start_search(Connection& connection, std::string_view search, const SearchStart& start,
                       const Events& events) {
  auto update = connection.prepare(R"(
UPDATE searches SET status = 'running', started_at = coalesce(started_at, ?2), finished_at = NULL,
  reason = NULL, complete = 0, curves_done = ?3, curves_total = ?4, trials_done = ?5,
  cost_trials = NULL, cost_rhs_evaluations = NULL, cost_wall_s = NULL
WHERE id = ?1)");
  update.bind(search, start.started_at, start.progress.curves_done, start.progress.curves_total,
              start.progress.trials_done);
  update_one(connection, update, search);
  connection.prepare("UPDATE documents SET result_table = NULL WHERE search_id = ?1")
      .bind(search)
      .run();
  if (start.plan) {
    connection.prepare("UPDATE documents SET plan = ?2 WHERE search_id = ?1")
        .bind(search, *start.plan)
        .run();
  }
  if (start.provenance) {
    connection.prepare("UPDATE documents SET provenance = ?2 WHERE search_id = ?1")
        .bind(search, *start.provenance)
        .run();
  }
  forget_recommendations(connection, search);
  put_step_times(connection, search, {});
  put_configurations(connection, search, start.configurations);
  put_curves(connection, search, start.curves);
  return insert_events(connection, search, events);
}

Sequences append_results(Connection& connection, std::string_view search, const ResultBatch& batch,
                         const Events& events) {
  auto update = connection.prepare(
      "UPDATE searches SET curves_done = ?2, curves_total = ?3, trials_done = ?4 WHERE id = ?1 "
      "RETURNING number");
  update.bind(search, batch.progress.curves_done, batch.progress.curves_total,
              batch.progress.trials_done);
  if (!update.step()) {
    no_search(search);
  }
  std::int64_t number = 0;
  update.read(number);
  update.run();
  require_curves(connection, search, batch.trials);
  insert_trials(connection, number, batch.trials);
  return insert_events(connection, search, events);
}

Sequences finish_search(Connection& connection, std::string_view search, const SearchEnd& end,
                        const Events& events) {
  auto update = connection.prepare(R"(
UPDATE searches SET status = ?2, complete = ?3, finished_at = ?4, reason = ?5, curves_done = ?6,
  curves_total = ?7, trials_done = ?8, cost_trials = ?9, cost_rhs_evaluations = ?10,
  cost_wall_s = ?11
WHERE id = ?1)");
  update.bind(search, end.status, end.complete, end.finished_at, end.reason,
              end.progress.curves_done, end.progress.curves_total, end.progress.trials_done,
              end.cost.trials, end.cost.rhs_evaluations, end.cost.wall_s);
  update_one(connection, update, search);
  connection.prepare("UPDATE documents SET result_table = ?2 WHERE search_id = ?1")
      .bind(search, end.table)
      .run();
  put_curves(connection, search, end.curves);
  forget_recommendations(connection, search);
  insert_recommendations(connection, search, end.recommendations);
  put_step_times(connection, search, end.step_times);
  auto sequences = insert_events(connection, search, events);
  prune_events(connection);
  return sequences;
}

Sequences set_status(Connection& connection, std::string_view search, const StatusChange& change,
                     const Events& events) {
  auto update = connection.prepare(R"(
UPDATE searches SET status = ?2, reason = ?3, finished_at = ?4, queued_at = coalesce(?5, queued_at)
WHERE id = ?1)");
  update.bind(search, change.status, change.reason, change.finished_at, change.queued_at);
  update_one(connection, update, search);
  return insert_events(connection, search, events);
}

Sequences change_search(Connection& connection, std::string_view search, const SearchChange& change,
                        const Events& events) {
  auto update = connection.prepare(R"(
UPDATE searches SET name = coalesce(?2, name), note = coalesce(?3, note),
  priority = coalesce(?4, priority)
WHERE id = ?1)");
  update.bind(search, change.name, change.note, change.priority);
  update_one(connection, update, search);
  if (change.tags) {
    put_tags(connection, search, *change.tags);
  }
  return insert_events(connection, search, events);
}

std::vector<std::string> mark_interrupted(Connection& connection) {
  auto update = connection.prepare(
      "UPDATE searches SET status = 'interrupted' WHERE status = 'running' RETURNING id");
  std::vector<std::string> ids;
  while (update.step()) {
    ids.push_back(update.text(0));
  }
  connection.prepare("UPDATE analyses SET status = 'interrupted' WHERE status = 'running'").run();
  prune_events(connection);
  return ids;
}

bool delete_disposable_search(Connection& connection, const DisposableSearch& search) {
  connection
      .prepare(R"(
DELETE FROM searches WHERE id = ?1 AND end_key = ?2 AND end_key < '~' AND tagged = 0)")
      .bind(search.id, search.finished_at)
      .run();
  return connection.changes() == 1;
}

bool delete_search(Connection& connection, std::string_view search) {
  connection.prepare("DELETE FROM searches WHERE id = ?1").bind(search).run();
  return connection.changes() == 1;
}

}  // namespace macrostep::db
