#include "engine/search/progress_count.hpp"

#include "engine/cost/cost_estimate.hpp"

namespace macrostep::engine {

namespace {

/// Before that, the rate says little.
constexpr double eta_after_s = 1;

}  // namespace

ProgressCount::ProgressCount(const Plan& plan)
    : finished_(plan.curves.size(), false),
      remaining_(expected_costs(plan)),
      progress_{.curves_total = plan.curves.size()} {}

void ProgressCount::add(const TrialRecord& record) {
  ++progress_.trials_done;
  remaining_.add(record.curve, record.result.cost);
}

void ProgressCount::finish(std::size_t curve) {
  if (finished_[curve]) {
    return;
  }
  finished_[curve] = true;
  ++progress_.curves_done;
  remaining_.finish(curve);
}

SearchProgress ProgressCount::now() const {
  auto progress = progress_;
  progress.cost_done = remaining_.done();
  progress.cost_expected = remaining_.done() + remaining_.left();
  const double ran_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  const double ran_cost = remaining_.done() - begun_cost_;
  if (ran_s >= eta_after_s && ran_cost > 0) {
    progress.eta_s = remaining_.left() * ran_s / ran_cost;
  }
  return progress;
}

}  // namespace macrostep::engine
