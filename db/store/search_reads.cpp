#include "db/store/search_reads.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "db/rows/page.hpp"

namespace macrostep::db {
namespace {

// CROSS JOIN fixes the order: from the search to the range of its trials. Which columns are read
// stands in read_row().
constexpr const char* trial_select = R"(
SELECT t.id & 4294967295, t.curve_id, t.point, t.macro_step_s, t.status, t.reason, t.residual_J,
  t.startup_residual_J, t.relative_residual, t.transmitted_J, t.bond_residuals_J, t.nrmse,
  t.macro_steps, t.rhs_evaluations, t.cost, t.wall_s, t.event_delay_s,
  t.macro_step_s <= k.linear_up_to_s
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
WHERE s.id = ?1 )";

void read_row(const Statement& statement, TrialRow& row) {
  statement.read(row.id, row.curve_id, row.point, row.macro_step_s, row.status, row.reason,
                 row.residual_J, row.startup_residual_J, row.relative_residual, row.transmitted_J,
                 row.bond_residuals_J, row.nrmse, row.macro_steps, row.rhs_evaluations, row.cost,
                 row.wall_s, row.event_delay_s, row.inside_linear_region);
}

void read_row(const Statement& statement, ConfigurationRow& row) {
  statement.read(row.id, row.coupling, row.scheme, row.extrapolation, row.integrators, row.substeps,
                 row.correction, row.json, row.subsystem_order);
}

void read_row(const Statement& statement, CurveRow& row) {
  statement.read(row.id, row.configuration_id, row.test, row.bend_s, row.cliff_s, row.slope,
                 row.fit_coefficient, row.fit_exponent, row.reason, row.flags,
                 row.weighted_rhs_evaluations, row.counts, row.stability_limit_s,
                 row.rejected_from_s, row.linear_up_to_s, row.usable_s, row.limited_by);
}

void read_row(const Statement& statement, RecommendationRow& row) {
  statement.read(row.rule, row.configuration_id, row.macro_step_s, row.bend_s, row.cliff_s,
                 row.relative_residual, row.confidence, row.reason, row.json, row.reasons,
                 row.sentence, row.nrmse, row.error_test, row.stability_limit_s, row.growth_per_s,
                 row.verdict, row.accuracy);
}

void read_row(const Statement& statement, StepTimesRow& row) {
  statement.read(row.configuration_id, row.macro_step_s, row.macro_steps, row.median_s, row.p999_s,
                 row.worst_s);
}

void read_row(const Statement& statement, EventRow& row) {
  std::optional<std::int64_t> first;
  TrialRange trials;
  statement.read(row.sequence, row.search, row.name, row.data, first, trials.count);
  if (first) {
    trials.first = *first;
    row.trials = trials;
  }
}

template <class Row>
std::vector<Row> read_rows(Statement& statement) {
  std::vector<Row> rows;
  while (statement.step()) {
    read_row(statement, rows.emplace_back());
  }
  return rows;
}

/// Reads one row more than the page holds, to know whether there is a next page.
template <class Row, class Cursor>
Page<Row> read_page(Statement& statement, std::int64_t limit, const Cursor& cursor) {
  Page<Row> page{.rows = read_rows<Row>(statement), .next = {}};
  if (static_cast<std::int64_t>(page.rows.size()) > limit) {
    page.rows.pop_back();
    page.next = cursor(page.rows.back());
  }
  return page;
}

std::int64_t parse_trial_cursor(const std::optional<std::string>& text) {
  if (!text) {
    return -1;
  }
  std::int64_t id = 0;
  const char* end = text->data() + text->size();
  const auto result = std::from_chars(text->data(), end, id);
  if (result.ec != std::errc() || result.ptr != end || id < 0) {
    refuse_cursor();
  }
  return id;
}

template <class Row>
std::vector<Row> all_rows(Connection& connection, std::string_view sql, std::string_view search) {
  auto query = connection.prepare(sql);
  query.bind(search);
  return read_rows<Row>(query);
}

}  // namespace

std::optional<std::string> search_submitted_as(Connection& connection,
                                               std::string_view idempotency_key) {
  auto query =
      connection.prepare("SELECT search_id FROM idempotency_keys WHERE idempotency_key = ?1");
  query.bind(idempotency_key);
  return query.step() ? std::optional(query.text(0)) : std::nullopt;
}

std::optional<SearchRow> get_search(Connection& connection, std::string_view search) {
  auto query = connection.prepare(R"(
SELECT s.id, s.name, s.problem, s.status, s.complete, s.created_at, s.started_at, s.finished_at,
  s.reason, s.linear_region_rule, s.curves_done, s.curves_total, s.trials_done,
  iif(r.search_id IS NULL, p.recommendation, r.recommendation),
  s.note, (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id),
  s.priority, s.queued_at, p.recommendation, iif(r.search_id IS NULL, p.reasons, r.reasons),
  s.cost_trials, s.cost_rhs_evaluations, s.cost_wall_s,
  d.provenance, d.result_table, d.job, d.plan,
  iif(r.search_id IS NULL, p.configuration_id, r.configuration_id),
  iif(r.search_id IS NULL, p.macro_step_s, r.macro_step_s),
  iif(r.search_id IS NULL, p.sentence, r.sentence)
FROM searches AS s
JOIN documents AS d ON d.search_id = s.id
LEFT JOIN recommendations AS r ON r.search_id = s.id AND r.rule = 'max_min'
LEFT JOIN recommendations AS p ON p.search_id = s.id AND p.rule = 'paper'
WHERE s.id = ?1)");
  query.bind(search);
  if (!query.step()) {
    return std::nullopt;
  }
  SearchRow row;
  SearchSummary& summary = row.summary;
  std::optional<std::int64_t> cost_trials;
  Cost cost;
  query.read(summary.id, summary.name, summary.problem, summary.status, summary.complete,
             summary.created_at, summary.started_at, summary.finished_at, summary.reason,
             summary.linear_region_rule, summary.progress.curves_done,
             summary.progress.curves_total, summary.progress.trials_done, summary.recommendation,
             summary.note, summary.tags, summary.priority, summary.queued_at,
             row.paper_recommendation, row.reasons_of_none, cost_trials, cost.rhs_evaluations,
             cost.wall_s, row.provenance, row.table, row.job, row.plan,
             summary.recommended_configuration, summary.recommended_macro_step_s,
             summary.recommended_sentence);
  if (cost_trials) {
    cost.trials = *cost_trials;
    row.cost = cost;
  }
  return row;
}

std::vector<ConfigurationRow> configurations(Connection& connection, std::string_view search) {
  return all_rows<ConfigurationRow>(connection, R"(
SELECT configuration_id, coupling, scheme, extrapolation, integrators, substeps, correction,
  configuration, subsystem_order
FROM configurations WHERE search_id = ?1 ORDER BY configuration_id)",
                                    search);
}

std::vector<CurveRow> curves(Connection& connection, std::string_view search) {
  return all_rows<CurveRow>(connection, R"(
SELECT curve_id, configuration_id, test, bend_s, cliff_s, slope, fit_coefficient, fit_exponent,
  reason, flags, weighted_rhs_evaluations, counts, stability_limit_s, rejected_from_s,
  linear_up_to_s, usable_s, limited_by
FROM curves WHERE search_id = ?1 ORDER BY curve_id)",
                            search);
}

std::vector<StepTimesRow> step_times(Connection& connection, std::string_view search) {
  return all_rows<StepTimesRow>(connection, R"(
SELECT configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s
FROM step_times WHERE search_id = ?1 ORDER BY configuration_id, macro_step_s)",
                                search);
}

std::vector<RecommendationRow> recommendations(Connection& connection, std::string_view search) {
  return all_rows<RecommendationRow>(connection, R"(
SELECT rule, configuration_id, macro_step_s, bend_s, cliff_s, relative_residual, confidence, reason,
  recommendation, reasons, sentence, nrmse, error_test, stability_limit_s, growth_per_s, verdict,
  accuracy
FROM recommendations WHERE search_id = ?1 ORDER BY rule)",
                                     search);
}

Page<TrialRow> trials(Connection& connection, std::string_view search, std::int64_t limit,
                      const std::optional<std::string>& after) {
  const std::int64_t last = parse_trial_cursor(after);
  auto query = connection.prepare(std::string(trial_select) +
                                  "AND t.id > (s.number << 32) + ?2 ORDER BY t.id LIMIT ?3");
  query.bind(search, last, page_rows(limit) + 1);
  return read_page<TrialRow>(query, page_rows(limit),
                             [](const TrialRow& row) { return std::to_string(row.id); });
}

std::optional<TrialRow> trial(Connection& connection, std::string_view search, std::int64_t id) {
  auto query = connection.prepare(std::string(trial_select) + "AND t.id = (s.number << 32) + ?2");
  query.bind(search, id);
  // What is no id of this search may be one of the next.
  if (id < 0 || id >= trials_per_search || !query.step()) {
    return std::nullopt;
  }
  TrialRow row;
  read_row(query, row);
  return row;
}

std::vector<TrialRow> trials_of_event(Connection& connection, const EventRow& event) {
  const TrialRange range = event.trials.value_or(TrialRange{});
  auto query = connection.prepare(
      std::string(trial_select) +
      "AND t.id >= (s.number << 32) + ?2 AND t.id < (s.number << 32) + ?3 ORDER BY t.id");
  query.bind(event.search, range.first, range.first + range.count);
  return read_rows<TrialRow>(query);
}

std::vector<TrialRow> trials_of_search(Connection& connection, std::string_view search) {
  return all_rows<TrialRow>(connection, trial_select, search);
}

// Here, as no index holds them in this order.
void sort_by_point(std::vector<TrialRow>& trials) {
  std::ranges::sort(trials, {},
                    [](const TrialRow& row) { return std::pair(row.curve_id, row.point); });
}

std::vector<EventRow> events_after(Connection& connection, std::int64_t sequence,
                                   std::int64_t limit, const std::optional<std::string>& search) {
  auto query = connection.prepare(
      search ? "SELECT sequence, search_id, name, data, first_trial, trials FROM events "
               "WHERE sequence > ?1 AND search_id = ?3 ORDER BY sequence LIMIT ?2"
             : "SELECT sequence, search_id, name, data, first_trial, trials FROM events "
               "WHERE sequence > ?1 ORDER BY sequence LIMIT ?2");
  search ? query.bind(sequence, page_rows(limit), *search) : query.bind(sequence, page_rows(limit));
  return read_rows<EventRow>(query);
}

std::int64_t last_event_sequence(Connection& connection) {
  auto query = connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  std::int64_t sequence = 0;
  if (query.step()) {
    query.read(sequence);
  }
  return sequence;
}

}  // namespace macrostep::db
