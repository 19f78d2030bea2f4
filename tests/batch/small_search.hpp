// A search that takes a moment, without checks of its answer, and its trials as one process runs
// them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/search/run_search.hpp"
#include "server/batch/chunk.hpp"
#include "server/jobs/read_job.hpp"
#include "tests/server/child_process.hpp"

namespace macrostep::tests {

inline nlohmann::json small_job() {
  return {{"problem", "linear_oscillator"},
          {"search",
           {{"extrapolation", {"0", "1", "2"}},
            {"stability_check", "none"},
            {"macro_step", {{"initial_s", 1e-3}, {"increment_s", 4e-3}, {"maximum_s", 0.06}}}}}};
}

inline engine::Plan small_plan() {
  auto plan = server::json::plan_of(server::json::read_job(small_job()));
  REQUIRE(std::holds_alternative<engine::Plan>(plan));
  return std::move(std::get<engine::Plan>(plan));
}

/// By curve and index.
inline std::vector<engine::TrialRecord> trials_of(const engine::Plan& plan,
                                                  engine::SearchSettings settings = {}) {
  std::vector<engine::TrialRecord> records;
  settings.on_result = [&](const engine::TrialRecord& record, const engine::SearchProgress&) {
    records.push_back(record);
  };
  engine::run_search(plan, settings);
  std::ranges::sort(records, {},
                    [](const auto& record) { return std::pair(record.curve, record.index); });
  return records;
}

/// The build id of the program, which differs from that of this test.
inline std::string program_build_id() {
  const auto search = run_program({"search", "-", "--json", "--no-reference"}, small_job().dump());
  REQUIRE_MESSAGE(search.code == 0, search.err);
  return nlohmann::json::parse(search.out).at("provenance").at("build_id");
}

inline void check_same(const std::vector<engine::TrialRecord>& found,
                       const std::vector<engine::TrialRecord>& wanted) {
  REQUIRE(found.size() == wanted.size());
  REQUIRE_FALSE(found.empty());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(server::same_result(found[i], wanted[i]));
  }
}

}  // namespace macrostep::tests
