#include "server/batch/known_trials.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/batch/chunk.hpp"
#include "server/batch/run_chunk.hpp"

namespace macrostep::server {

namespace {

/// A curve as a shard makes it.
struct GrownCurve {
  std::size_t curve = 0;
  std::vector<engine::TrialRecord> records;
  bool finished = false;
};

}  // namespace

Contradiction::Contradiction(const engine::TrialRecord& record, const std::string& from)
    : std::runtime_error("trial " + std::to_string(record.index) + " of curve " +
                         std::to_string(record.curve) +
                         " has come twice with different results, last in " + from +
                         ": a machine computes wrongly, an FMU does not compute the same twice, or "
                         "files were changed; nothing of this search can be trusted") {}

KnownTrials::KnownTrials(const engine::Plan& plan)
    : plan_(plan), records_(plan.curves.size()), finished_(plan.curves.size(), false) {}

KnownTrials::Grown KnownTrials::add(const Chunk& chunk,
                                    const std::vector<engine::TrialRecord>& shard,
                                    const std::filesystem::path& from) {
  std::vector<GrownCurve> all;
  for (const std::size_t curve : chunk.curves) {
    GrownCurve grown{.curve = curve, .records = records_.at(curve)};
    for (const auto& record : shard) {
      if (record.curve != curve) {
        continue;
      }
      if (record.index >= grown.records.size()) {
        grown.records.push_back(record);
      } else if (const auto& known = grown.records[record.index]; !same_result(known, record)) {
        if (depends_on_machine(known.result.status) || depends_on_machine(record.result.status)) {
          break;  // what came first stays, and what follows from the other has no place
        }
        throw Contradiction(record, from.string());
      }
    }
    grown.finished = !replayed(plan_, curve, grown.records, verdicts_).next();
    if (!grown.finished && !chunk.most_trials) {
      throw BadChunk("curve " + std::to_string(curve) + " is not finished in it");
    }
    all.push_back(std::move(grown));
  }
  std::ranges::sort(all, {}, &GrownCurve::curve);
  Grown news;
  for (auto& [curve, records, finished] : all) {
    const auto first_new = static_cast<std::ptrdiff_t>(records_[curve].size());
    std::copy(records.begin() + first_new, records.end(), std::back_inserter(news.trials));
    if (finished && !finished_[curve]) {
      news.curves.push_back(curve);
    }
    records_[curve] = std::move(records);
    finished_[curve] = finished;
  }
  return news;
}

}  // namespace macrostep::server
