#include "server/traces/replay_text.hpp"

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/base/text.hpp"
#include "server/json/json_text.hpp"
#include "server/searches/search_run.hpp"
#include "server/store/trials_csv.hpp"
#include "server/traces/trace_connections.hpp"

namespace macrostep::server {

namespace {

using json::ObjectText;

constexpr std::string_view build_member = "build_id";

/// What one trial comes to, but for the time it took: the same wherever arithmetic is.
nlohmann::ordered_json deterministic_json(const db::TrialRow& row) {
  using json::number;
  return {{"status", row.status},
          {"reason", row.reason ? nlohmann::ordered_json(*row.reason) : nullptr},
          {"residual_J", number(row.residual_J)},
          {"startup_residual_J", number(row.startup_residual_J)},
          {"relative_residual", number(row.relative_residual)},
          {"transmitted_J", number(row.transmitted_J)},
          {"bond_residuals_J", nlohmann::ordered_json::parse(row.bond_residuals_J)},
          {"macro_steps", row.macro_steps},
          {"rhs_evaluations", row.rhs_evaluations},
          {"cost", number(row.cost)},
          {"event_delay_s", row.event_delay_s.value_or(0)}};
}

/// Whether the stored results come from the same, as far as the search tells: one of several builds
/// does not tell which a trial is of.
nlohmann::ordered_json same_provenance(const std::optional<std::string>& stored,
                                       std::string_view member, const std::string& now) {
  if (!stored) {
    return nullptr;
  }
  const auto json = nlohmann::json::parse(*stored);
  const bool of_several = member == build_member && json.contains(earlier_builds_member);
  return json.contains(member) && !of_several ? nlohmann::ordered_json(json.at(member) == now)
                                              : nullptr;
}

}  // namespace

std::string trace_json(const StoredTrial& trial, const ReplayedTrial& replayed) {
  const std::size_t columns = replayed.columns.size();
  const std::size_t rows = replayed.rows.size() / columns;
  std::string text;
  {
    ObjectText object(text);
    object.text("search_id", trial.search.summary.id)
        .integer("trial_id", trial.row.id)
        .number("macro_step_s", trial.row.macro_step_s)
        .text("test", trial.test)
        .text("status", replayed.row.status)
        .text_or_null("reason", replayed.row.reason)
        .integer("points_total", replayed.points_total)
        .integer("points", static_cast<std::int64_t>(rows))
        .json("connections", connections_json(trial))
        .json_or_null("reference", replayed.reference)
        .text_or_null("reference_reason", replayed.reference_reason);
    json::append_list(
        object.member("columns"), replayed.columns,
        [](std::string& out, const std::string& name) { json::append_string(out, name); });
    std::string& out = object.member("rows");
    out += '[';
    for (std::size_t row = 0; row < rows; ++row) {
      out += row == 0 ? "" : ",";
      const auto values = std::span(replayed.rows).subspan(row * columns, columns);
      json::append_list(out, values,
                        [](std::string& list, double value) { json::append_number(list, value); });
    }
    out += ']';
  }
  return text;
}

std::string trace_csv(const ReplayedTrial& replayed) {
  const std::size_t columns = replayed.columns.size();
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    // Names of the user's own must not become formulas in a spreadsheet.
    text += (i == 0 ? "" : ",") + csv_cell(replayed.columns[i]);
  }
  for (std::size_t i = 0; i < replayed.rows.size(); ++i) {
    const double value = replayed.rows[i];
    text += i % columns == 0 ? "\r\n" : ",";
    text += std::isfinite(value) ? engine::exact_text(value) : "";
  }
  return text + "\r\n";
}

std::string rerun_json(const StoredTrial& trial, const ReplayedTrial& replayed) {
  auto stored = deterministic_json(trial.row);
  auto rerun = deterministic_json(replayed.row);
  nlohmann::ordered_json differing = nlohmann::ordered_json::array();
  for (const auto& [name, value] : stored.items()) {
    if (rerun.at(name) != value) {
      differing.push_back(name);
    }
  }
  stored["wall_s"] = json::number(trial.row.wall_s);
  rerun["wall_s"] = json::number(replayed.row.wall_s);
  const auto now = engine::provenance();
  const nlohmann::ordered_json answer{
      {"search_id", trial.search.summary.id},
      {"trial_id", trial.row.id},
      {"macro_step_s", trial.row.macro_step_s},
      {"identical", differing.empty()},
      {"differing", differing},
      {"same_build", same_provenance(trial.search.provenance, build_member, now.build_id)},
      {"same_math_class", same_provenance(trial.search.provenance, "math_class", now.math_class)},
      {"stored", std::move(stored)},
      {"rerun", std::move(rerun)}};
  return answer.dump();
}

}  // namespace macrostep::server
