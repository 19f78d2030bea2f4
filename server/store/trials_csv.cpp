#include "server/store/trials_csv.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/text.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view trials_header =
    "search_id,trial_id,curve_id,test,coupling,scheme,extrapolation,integrators,correction,"
    "macro_step_s,status,reason,residual_J,startup_residual_J,relative_residual,nrmse,macro_steps,"
    "rhs_evaluations,wall_s,inside_linear_region,bend_s,cliff_s,order,substeps,usable_s,limited_"
    "by,event_delay_s\r\n";
constexpr std::string_view curves_header =
    "search_id,curve_id,test,coupling,scheme,extrapolation,integrators,correction,macro_step_s,"
    "residual_J,relative_residual,status,inside_linear_region,bend_s,cliff_s,stability_limit_s,"
    "slope,order,substeps,trial_id,usable_s,limited_by\r\n";
constexpr std::string_view formula_starts = "=+-@\t\r";

std::string cell(double value) {
  return engine::exact_text(value);
}

std::string cell(const std::optional<double>& value) {
  return value ? cell(*value) : "";
}

std::string cell(std::int64_t value) {
  return std::to_string(value);
}

std::string cell(const std::optional<bool>& value) {
  return value ? std::string(*value ? "1" : "0") : "";
}

void append_line(std::string& text, std::span<const std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += (i == 0 ? "" : ",") + cells[i];
  }
  text += "\r\n";
}

}  // namespace

std::string csv_cell(const std::string& text) {
  // A spreadsheet evaluates a cell that begins like a formula, whoever named the test.
  std::string safe = text;
  if (!safe.empty() && formula_starts.find(safe.front()) != formula_starts.npos) {
    safe.insert(0, 1, '\'');
  }
  if (safe.find_first_of(",\"\r\n") == safe.npos) {
    return safe;
  }
  std::string quoted = "\"";
  for (const char c : safe) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

std::string trials_csv(const SearchRows& search) {
  std::vector<const db::TrialRow*> trials;
  for (const auto& trial : search.trials) {
    trials.push_back(&trial);
  }
  std::ranges::sort(trials, {}, &db::TrialRow::id);
  std::string text(trials_header);
  for (const auto* trial : trials) {
    const auto& curve = search.curves.at(static_cast<std::size_t>(trial->curve_id));
    const auto& configuration =
        search.configurations.at(static_cast<std::size_t>(curve.configuration_id));
    const std::array cells = {csv_cell(search.row.summary.id),
                              cell(trial->id),
                              cell(trial->curve_id),
                              csv_cell(curve.test),
                              csv_cell(configuration.coupling),
                              csv_cell(configuration.scheme),
                              csv_cell(configuration.extrapolation),
                              csv_cell(configuration.integrators),
                              csv_cell(configuration.correction),
                              cell(trial->macro_step_s),
                              csv_cell(trial->status),
                              csv_cell(trial->reason.value_or("")),
                              cell(trial->residual_J),
                              cell(trial->startup_residual_J),
                              cell(trial->relative_residual),
                              cell(trial->nrmse),
                              cell(trial->macro_steps),
                              cell(trial->rhs_evaluations),
                              cell(trial->wall_s),
                              cell(trial->inside_linear_region),
                              cell(curve.bend_s),
                              cell(curve.cliff_s),
                              csv_cell(configuration.subsystem_order),
                              csv_cell(configuration.substeps),
                              cell(curve.usable_s),
                              csv_cell(curve.limited_by.value_or("")),
                              cell(trial->event_delay_s)};
    append_line(text, cells);
  }
  return text;
}

std::string curves_csv(const SearchRows& search) {
  std::string text(curves_header);
  for (const auto& curve : search.curves) {
    const auto& configuration =
        search.configurations.at(static_cast<std::size_t>(curve.configuration_id));
    for (const auto* point : points_of(search, curve.id)) {
      append_line(text, std::array{csv_cell(search.row.summary.id),
                                   cell(curve.id),
                                   csv_cell(curve.test),
                                   csv_cell(configuration.coupling),
                                   csv_cell(configuration.scheme),
                                   csv_cell(configuration.extrapolation),
                                   csv_cell(configuration.integrators),
                                   csv_cell(configuration.correction),
                                   cell(point->macro_step_s),
                                   cell(point->residual_J),
                                   cell(point->relative_residual),
                                   csv_cell(point->status),
                                   cell(point->inside_linear_region),
                                   cell(curve.bend_s),
                                   cell(curve.cliff_s),
                                   cell(curve.stability_limit_s),
                                   cell(curve.slope),
                                   csv_cell(configuration.subsystem_order),
                                   csv_cell(configuration.substeps),
                                   cell(point->id),
                                   cell(curve.usable_s),
                                   csv_cell(curve.limited_by.value_or(""))});
    }
  }
  return text;
}

}  // namespace macrostep::server
