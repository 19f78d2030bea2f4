// All that is told of a search, as text without times.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "server/store/search_json.hpp"
#include "server/store/search_rows.hpp"
#include "tests/batch/fake_system.hpp"

namespace macrostep::tests {

/// All that is told of a search, but for times.
inline std::string told(const engine::Plan& plan, const engine::SearchResult& result,
                        Records records) {
  std::ranges::sort(records, {},
                    [](const auto& record) { return std::pair(record.curve, record.index); });
  for (auto& record : records) {
    record.result.wall_s = 0;
  }
  auto untimed = result;
  untimed.cost.wall_s = 0;
  untimed.cost.shared_evaluations = 0;  // which trials share work is told by who runs them
  return server::search_json(server::rows_of({.plan = plan,
                                              .result = untimed,
                                              .trials = std::move(records),
                                              .created_at = "",
                                              .finished_at = "",
                                              .labels = {}}),
                             server::TrialPoints::with);
}

inline std::string in_chunks(const engine::Plan& plan, FakeSystem& fake, const Path& folder,
                             double chunk_s) {
  Records records;
  const auto result = server::run_in_chunks(
      plan, {.on_result = [&](const auto& record, const auto&) { records.push_back(record); }},
      {.system = fake.system(),
       .settings = {.folder = folder,
                    .chunk_s = chunk_s,
                    .on_state = {},
                    .on_loss = {},
                    .on_left_running = {}}});
  return told(plan, result, std::move(records));
}

}  // namespace macrostep::tests
