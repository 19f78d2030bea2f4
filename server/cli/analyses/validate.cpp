#include "server/cli/analyses/validate.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/studies/validation.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/results/result_json.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

/// One with its default job, and one with a limit.
constexpr std::size_t searches_per_problem = 2;
/// The limit of the relative residual in the second table.
constexpr double accurate_relative_residual = 0.01;

constexpr const char* legend_begin =
    "recommended  coupling and extrapolation; none: no H that was tried suits all tests\n"
    "H            recommended macro-step: the largest that is stable, and within the limit\n"
    "bend         where the linear region ends; -: not within the scan\n"
    "cliff        ";
constexpr const char* legend_end =
    "; -: not within the scan\n"
    "limit        exact limit of stability, where all is linear:\n"
    "             oscillations grow by less than a tenth below it\n"
    "residual     energy that the coupling adds or removes, of the energy that it transmits\n"
    "jacobi, gauss_seidel, iterative\n"
    "             error of the recommended configuration with that scheme at this H: NRMSE of the\n"
    "             exchanged outputs against the monolithic solution, the largest over the tests;\n"
    "             100 %: as far off as an output that stands still at its mean\n";

struct ValidateOptions {
  int threads = 0;
  bool json = false;
};

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json validation_json(const engine::Validation& row) {
  Json errors = Json::object();
  for (const auto& error : row.errors) {
    errors[std::string(to_string(error.scheme))] = {
        {"nrmse", optional_number(error.nrmse)},
        {"reason", error.reason.empty() ? Json() : Json(error.reason)}};
  }
  return {
      {"problem", row.problem},
      {"configuration", row.configuration ? json::configuration_json(*row.configuration) : Json()},
      {"macro_step_s", optional_number(row.macro_step_s)},
      {"bend_s", optional_number(row.bend_s)},
      {"cliff_s", optional_number(row.cliff_s)},
      {"stability_limit_s", row.stability ? optional_number(row.stability->limit_s()) : Json()},
      {"stable_up_to_s",
       row.stability ? Json(row.stability->limit_s().value_or(row.stability->largest_tried_s))
                     : Json()},
      {"no_stability_reason",
       row.no_stability_reason.empty() ? Json() : Json(row.no_stability_reason)},
      {"relative_residual", optional_number(row.relative_residual)},
      {"errors", errors},
      {"reason", row.reason.empty() ? Json() : Json(row.reason)}};
}

std::string milliseconds(const std::optional<double>& time_s) {
  return time_s ? engine::macro_step_text(*time_s) : "-";
}

std::string limit_text(const engine::Validation& row) {
  if (!row.stability) {
    return "-";
  }
  const auto limit_s = row.stability->limit_s();
  return (limit_s ? "" : "> ") + milliseconds(limit_s.value_or(row.stability->largest_tried_s));
}

std::string configuration_text(const engine::Validation& row) {
  if (!row.configuration) {
    return "none";
  }
  return row.configuration->coupling + ", order " +
         std::string(to_string(row.configuration->extrapolation));
}

std::string validation_text(const std::vector<engine::Validation>& rows) {
  using enum Table::Align;
  Table table({left, left, right, right, right, right, right, right, right, right});
  table.add({"problem", "recommended", "H", "bend", "cliff", "limit", "residual", "jacobi",
             "gauss_seidel", "iterative"});
  std::string notes;
  for (const auto& row : rows) {
    std::vector<std::string> cells{
        row.problem,
        configuration_text(row),
        milliseconds(row.macro_step_s),
        milliseconds(row.bend_s),
        milliseconds(row.cliff_s),
        limit_text(row),
        row.relative_residual ? engine::percent_text(*row.relative_residual) : "-"};
    if (!row.reason.empty()) {
      notes += "  " + wrapped(row.problem + ": " + row.reason, 4) + "\n";
    }
    for (const auto& error : row.errors) {
      cells.push_back(error.nrmse ? engine::percent_text(*error.nrmse) : "-");
      if (!error.reason.empty()) {
        notes +=
            "  " +
            wrapped(row.problem + ", " + std::string(to_string(error.scheme)) + ": " + error.reason,
                    4) +
            "\n";
      }
    }
    cells.resize(10);
    table.add(std::move(cells));
  }
  return table.text(2) + (notes.empty() ? "" : "\n  Not there:\n" + notes);
}

using Validations = std::vector<engine::Validation>;

/// Up to where it was interrupted.
Validations validate_all(const ValidateOptions& options,
                         std::optional<double> relative_residual_max, const Interrupt& interrupt,
                         ProgressLine& progress, std::size_t done) {
  Validations rows;
  const auto problems = engine::catalogue();
  for (const auto& problem : problems) {
    progress.show(done + rows.size(), searches_per_problem * problems.size(),
                  "searches, now " + problem.name);
    auto row =
        engine::validate(problem, relative_residual_max, options.threads, &interrupt.requested());
    if (!row) {
      break;
    }
    rows.push_back(std::move(*row));
  }
  return rows;
}

Json validations_json(const Validations& rows) {
  Json list = Json::array();
  for (const auto& row : rows) {
    list.push_back(validation_json(row));
  }
  return list;
}

int run_validation(const ValidateOptions& options) {
  Validations stable;
  Validations accurate;
  bool complete = false;
  {
    const Interrupt interrupt;
    ProgressLine progress;
    stable = validate_all(options, std::nullopt, interrupt, progress, 0);
    if (!interrupt.requested()) {
      accurate =
          validate_all(options, accurate_relative_residual, interrupt, progress, stable.size());
    }
    complete = !interrupt.requested();
  }
  const auto ended = [&] {
    return complete
               ? exit_success
               : interrupted(std::to_string(stable.size() + accurate.size()) + " of " +
                             std::to_string(searches_per_problem * engine::catalogue().size()) +
                             " searches were finished");
  };
  if (options.json) {
    print(Json{{"problems", validations_json(stable)},
               {"relative_residual_max", accurate_relative_residual},
               {"limited", validations_json(accurate)}}
              .dump() +
          "\n");
    return ended();
  }
  print(bold("The largest stable macro-step: default searches") + "\n\n" + validation_text(stable) +
        "\n" + bold("With relative_residual_max 0.01") + "\n\n" + validation_text(accurate) + "\n" +
        legend_begin + std::string(engine::cliff_meaning) + legend_end);
  return ended();
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Search every built-in problem and compare with its monolithic solution");
  add_threads(*command, options->threads);
  command->add_flag("--json", options->json, "Write JSON");
  command->footer(
      "Takes some seconds on an idle machine, a minute on a busy one.\n"
      "\n"
      "Example:\n"
      "  macrostep validate");
  command->callback(
      [options, &action] { action = [options] { return run_validation(*options); }; });
}

}  // namespace macrostep::server
