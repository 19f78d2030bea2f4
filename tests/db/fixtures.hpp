// What the store's tests share: a directory that goes away again, and a small search of two
// configurations under two test inputs, filled as the server would.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "db/schema/error.hpp"
#include "db/schema/file_care.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/sqlite.hpp"
#include "db/store/store.hpp"

namespace macrostep::db::testing {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "macrostep_db_XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path file(const std::string& name = "store.db") const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// The database of a script of tests/db.
inline void write_old(const std::filesystem::path& file, const std::string& name) {
  std::ifstream script(std::string(MACROSTEP_SOURCE_DIR "/tests/db/") + name);
  REQUIRE(script.good());
  std::stringstream text;
  text << script.rdbuf();
  Connection(file, OpenMode::write_create).execute(text.str());
}

/// A chain of one step more than today's, as the next version will have one.
inline constexpr const char* next_step = "ALTER TABLE searches ADD COLUMN next TEXT;";

inline std::vector<const char*> steps_to_the_next(const char* step = next_step) {
  const auto today = schema_steps();
  std::vector<const char*> steps(today.begin(), today.end());
  steps.push_back(step);
  return steps;
}

inline std::string time_at(int second) {
  // Two digits from one number: 100 + 7 gives "107", whose tail is "07".
  std::string time = "2025-01-31T12:00:";
  return time.append(std::to_string(100 + second), 1).append(".000Z");
}

inline std::string numbered(std::string name, int number) {
  return name.append(std::to_string(number));
}

inline NewSearch new_search(const std::string& id, int second = 0) {
  return {.id = id,
          .name = "search " + id,
          .problem = "double_actuator_crane",
          .created_at = time_at(second),
          .linear_region_rule = "local_power_law",
          .job = R"({"problem":"double_actuator_crane"})",
          .plan = R"({"tests":[]})",
          .provenance = R"({"version":"0.1.0"})",
          .curves_total = 4,
          .note = "before the new valve",
          .tags = {"rig 2", "crane"}};
}

constexpr std::int64_t curves_of_fixture = 4;

inline SearchStart search_start() {
  SearchStart start{.started_at = time_at(1), .progress = {.curves_total = curves_of_fixture}};
  for (std::int64_t id = 0; id < 2; ++id) {
    start.configurations.push_back(
        {.id = id,
         .coupling = "force_displacement",
         .scheme = "jacobi",
         .extrapolation = std::to_string(id + 1),
         .integrators = R"({"mechanics":"i1al","hydraulics":"forward_euler"})",
         .json = R"({"extrapolation":")" + std::to_string(id + 1) + "\"}"});
  }
  for (std::int64_t id = 0; id < curves_of_fixture; ++id) {
    start.curves.push_back(
        {.id = id, .configuration_id = id / 2, .test = id % 2 == 0 ? "step" : "ramp"});
  }
  return start;
}

/// Trials first … first + count - 1, dealt to the curves in turn, residual 0.01 J · (H / 1 ms)².
inline std::vector<TrialRow> trial_rows(std::int64_t first, std::int64_t count) {
  std::vector<TrialRow> rows;
  for (std::int64_t id = first; id < first + count; ++id) {
    const double macro_step_ms = 0.2 * static_cast<double>(id / curves_of_fixture + 1);
    rows.push_back({.id = id,
                    .curve_id = id % curves_of_fixture,
                    .point = id / curves_of_fixture,
                    .macro_step_s = 1e-3 * macro_step_ms,
                    .status = "complete",
                    .residual_J = 0.01 * macro_step_ms * macro_step_ms,
                    .startup_residual_J = 1e-6,
                    .relative_residual = 1e-5,
                    .transmitted_J = 1e3 * macro_step_ms,
                    .bond_residuals_J = "[0.001,0.002]",
                    .macro_steps = 5000,
                    .rhs_evaluations = 20000,
                    .cost = 60000 * macro_step_ms,
                    .wall_s = 0.001});
  }
  return rows;
}

inline SearchEnd search_end(std::int64_t trials) {
  SearchEnd end{
      .status = "succeeded",
      .complete = true,
      .finished_at = time_at(30),
      .curves = search_start().curves,
      .recommendations = {{.rule = "max_min",
                           .configuration_id = 1,
                           .macro_step_s = 1.8e-3,
                           .bend_s = 1.8e-3,
                           .cliff_s = 2.4e-3,
                           .relative_residual = 1e-5,
                           .reason = "largest smallest bend",
                           .json = R"({"macro_step_s":0.0018,"warnings":["little margin"],)"
                                   R"("notices":[{"code":"little_margin","severity":"warning",)"
                                   R"("subject":"","numbers":{"cliff_s":0.0019},)"
                                   R"("sentence":"little margin"}],"reasons":[{"code":)"
                                   R"("largest_linear_step","severity":"info","subject":"step",)"
                                   R"("numbers":{},"sentence":"largest"}]})",
                           .sentence = "Use it.",
                           .nrmse = 0.04,
                           .error_test = "step",
                           .stability_limit_s = 2.3e-3,
                           .growth_per_s = -0.5,
                           .verdict = "verified",
                           .accuracy = 0.05},
                          {.rule = "paper",
                           .configuration_id = 0,
                           .macro_step_s = 1.6e-3,
                           .reason = "smallest row of the table",
                           .json = R"({"macro_step_s":0.0016})"}},
      .step_times = {{1, 9e-4, 5000, 2e-6, 4e-6, 3e-5}, {1, 1.8e-3, 5000, 3e-6, 5e-6, 4e-5}},
      .table = R"([{"test":"step","macro_step_s":0.0018}])",
      .progress = {.curves_done = curves_of_fixture,
                   .curves_total = curves_of_fixture,
                   .trials_done = trials},
      .cost = {.trials = trials, .rhs_evaluations = 20000 * trials, .wall_s = 0.5}};
  const double middle_ms = 0.2 * static_cast<double>(trials / 2 / curves_of_fixture);
  for (CurveRow& curve : end.curves) {
    curve.bend_s = 1.8e-3;
    curve.cliff_s = 2.4e-3;
    curve.slope = 2.0;
    curve.fit_coefficient = 1e4;
    curve.fit_exponent = 2.0;
    curve.weighted_rhs_evaluations = 1e6;
    curve.counts = true;
    curve.linear_up_to_s = 1e-3 * middle_ms;
    curve.usable_s = 1.6e-3;
    curve.limited_by = "cut_at_checks";
  }
  end.curves.back().flags = R"(["too_few_macro_steps"])";
  end.curves.back().counts = false;
  return end;
}

/// A finished search of 40 trials.
inline void fill(Store& store, const std::string& id, int second = 0) {
  constexpr std::int64_t trials = 40;
  store.create_search(new_search(id, second), {{.name = "status"}});
  store.start_search(id, search_start(), {{.name = "status"}});
  const auto rows = trial_rows(0, trials);
  store.append_results(
      id, {.trials = rows, .progress = {.curves_total = curves_of_fixture, .trials_done = trials}},
      {{.name = "points", .trials = TrialRange{.first = 0, .count = trials}}});
  store.finish_search(id, search_end(trials), {{.name = "finished"}});
}

/// A finished map of 3 × 2 points, of one configuration at two macro-steps; the last point of the
/// larger one has a reason instead of a value.
inline void fill_map(Store& store, const std::string& id, int second = 0) {
  store.create_analysis({.id = id,
                         .kind = "map",
                         .name = "map " + id,
                         .problem = "stiff_oscillator",
                         .created_at = time_at(second),
                         .job = R"({"kind":"map"})",
                         .plan = R"({"kind":"map","map":{}})",
                         .points_total = 6});
  store.start_analysis(id, time_at(second + 1));
  AnalysisEnd end{.status = "succeeded",
                  .finished_at = time_at(second + 2),
                  .points_done = 6,
                  .wall_s = 0.5,
                  .result = R"({"quantity":"stability"})"};
  for (std::int64_t i = 0; i < 3; ++i) {
    end.axes.push_back({"x", i, "coupling.c_k", "N/m", 1e3 * static_cast<double>(i + 1)});
  }
  for (std::int64_t i = 0; i < 2; ++i) {
    end.axes.push_back({"y", i, "coupling.d_k", "N s/m", 10.0 * static_cast<double>(i + 1)});
  }
  MapLayerRow layer{.id = 0,
                    .coupling = "force_displacement",
                    .scheme = "jacobi",
                    .extrapolation = "0",
                    .integrators = R"({"m1":"exact"})",
                    .macro_step_s = 1e-4,
                    .quantity = "stability",
                    .limit = 1,
                    .columns = 3,
                    .values = "[0.5,0.6,0.7,0.8,0.9,1]"};
  end.layers.push_back(layer);
  layer.id = 1;
  layer.macro_step_s = 1e-3;
  layer.values = R"([0.9,1.0,1.1,1.2,1.3,"not linear"])";
  end.layers.push_back(layer);
  store.finish_analysis(id, end);
}

template <class Action>
ErrorKind kind_thrown_by(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  FAIL("no Error was thrown");
  return ErrorKind::system;
}

}  // namespace macrostep::db::testing
