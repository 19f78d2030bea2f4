#include "server/searches/shard_import.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "server/batch/chunk.hpp"
#include "server/batch/known_trials.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

namespace {

/// What of a result is stored, but for the time that it took.
db::TrialRow untimed_row(const engine::TrialRecord& record) {
  auto row = trial_row(record, 0);
  row.wall_s = {};
  return row;
}

}  // namespace

std::vector<engine::TrialRecord> not_stored(const std::vector<engine::TrialRecord>& stored,
                                            std::vector<engine::TrialRecord> shard) {
  std::vector<engine::TrialRecord> fresh;
  std::optional<std::size_t> left_out;  // a curve that went on in another way
  for (auto& record : shard) {
    const auto of_curve =
        std::ranges::equal_range(stored, record.curve, {}, &engine::TrialRecord::curve);
    if (record.curve == left_out) {
      continue;
    }
    if (record.index >= of_curve.size()) {
      fresh.push_back(std::move(record));
      continue;
    }
    const auto& known = of_curve[static_cast<std::ptrdiff_t>(record.index)];
    if (untimed_row(known) == untimed_row(record)) {
      continue;
    }
    if (!depends_on_machine(known.result.status) && !depends_on_machine(record.result.status)) {
      throw Contradiction(record, "a shard, first in the database");
    }
    left_out = record.curve;
  }
  return fresh;
}

}  // namespace macrostep::server
