#include "engine/ensemble/lane_trials.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "engine/ensemble/lane_batch.hpp"

namespace macrostep::engine {

namespace {

/// Trials take turns so often in what the longest of them has left. More often, and changing lanes
/// costs more than what stays empty at the end.
constexpr std::int64_t turns = 5;
constexpr std::int64_t shortest_turn = 16;  ///< in macro-steps

/// A trial on its way.
struct Runner {
  const TrialSettings* settings = nullptr;
  SharedPrefix beginning;
  std::vector<std::size_t> followers;  ///< that begin like it; the first ones to part first
  std::size_t parted = 0;              ///< how many of them have
  std::int64_t macro_steps = 0;        ///< that it has to make
  LaneCheckpoint checkpoint;           ///< where it stands when it is in no lane
  std::int64_t shared_evaluations = 0;
  bool can_go_on = false;  ///< has begun, and not ended
  std::optional<std::size_t> lane = {};

  std::int64_t left(const LaneBatch& batch) const {
    return macro_steps - (lane ? batch.macro_steps(*lane) : checkpoint.macro_steps);
  }
};

class LaneTrials {
 public:
  LaneTrials(const Plan& plan, const TrialList& trials)
      : signals_(plan.problem, plan.coupling(*trials.front()->configuration)),
        batch_(plan, *trials.front(), signals_),
        results_(trials.size()) {
    const auto prefixes = shared_prefixes(trials, signals_);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const auto& trial = *trials[i];
      runners_.push_back({.settings = &trial,
                          .beginning = prefixes[i],
                          .followers = {},
                          .macro_steps = macro_steps_in(duration_of(trial), trial.macro_step_s),
                          .checkpoint = {}});
    }
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (const auto like = runners_[i].beginning.like; like != i) {
        runners_[like].followers.push_back(i);
      }
    }
    for (auto& runner : runners_) {
      std::ranges::stable_sort(runner.followers, {},
                               [&](std::size_t i) { return runners_[i].beginning.macro_steps; });
    }
  }

  /// Whether all trials can start.
  bool can_start() {
    return std::ranges::all_of(
        runners_, [this](const Runner& runner) { return batch_.can_start(*runner.settings); });
  }

  /// Once, if they can.
  std::vector<TrialResult> run() {
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      auto& runner = runners_[i];
      if (runner.beginning.like == i) {
        batch_.start(*runner.settings, runner.checkpoint);
        runner.can_go_on = true;
      }
    }
    while (give_lanes()) {
      batch_.run(macro_steps_to_go());
      for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
        if (in_lane_[lane]) {
          end_or_part(*in_lane_[lane], lane);
        }
      }
    }
    return std::move(results_);
  }

 private:
  /// To those that have most left, first to those that are in one; false when all have ended.
  bool give_lanes() {
    wanting_.clear();
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (runners_[i].can_go_on) {
        wanting_.push_back(i);
      }
    }
    const std::size_t count = std::min(wanting_.size(), models::lane_count);
    if (wanting_.size() > count) {
      std::ranges::sort(wanting_, {}, [&](std::size_t i) {
        return std::tuple(-runners_[i].left(batch_), !runners_[i].lane, i);
      });
    }
    others_wait_ = wanting_.size() > count;
    const auto chosen = std::span(wanting_).first(count);
    for (const std::size_t i : std::span(wanting_).subspan(count)) {
      if (auto& lane = runners_[i].lane) {
        batch_.take(*lane, runners_[i].checkpoint);
        in_lane_[*lane].reset();
        lane.reset();
      }
    }
    std::size_t lane = 0;
    for (const std::size_t i : chosen) {
      auto& runner = runners_[i];
      if (!runner.lane) {
        while (in_lane_[lane]) {
          ++lane;
        }
        batch_.put(lane, *runner.settings, runner.checkpoint);
        in_lane_[lane] = i;
        runner.lane = lane;
      }
    }
    return count > 0;
  }

  /// Until the first of those in lanes ends or some other parts from it, or the turn is over.
  std::int64_t macro_steps_to_go() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most_left = 0;
    for (const auto& i : in_lane_) {
      if (!i) {
        continue;
      }
      const auto& runner = runners_[*i];
      const auto left = runner.left(batch_);
      most_left = std::max(most_left, left);
      least = std::min(least, left);
      if (runner.parted < runner.followers.size()) {
        const auto& next = runners_[runner.followers[runner.parted]];
        least = std::min(least, next.beginning.macro_steps - (runner.macro_steps - left));
      }
    }
    return others_wait_ ? std::min(least, std::max(most_left / turns, shortest_turn)) : least;
  }

  /// What a trial in a lane has come to: its end, or where others part from it.
  void end_or_part(std::size_t i, std::size_t lane) {
    auto& runner = runners_[i];
    if (batch_.has_ended(lane)) {
      results_[i] = batch_.take_result(lane);
      results_[i].shared_evaluations = runner.shared_evaluations;
      in_lane_[lane].reset();
      runner.lane.reset();
      runner.can_go_on = false;
      end_followers(i);
      return;
    }
    for (; runner.parted < runner.followers.size(); ++runner.parted) {
      auto& follower = runners_[runner.followers[runner.parted]];
      if (follower.beginning.macro_steps != batch_.macro_steps(lane)) {
        break;
      }
      batch_.copy(lane, follower.checkpoint);
      follower.shared_evaluations = follower.checkpoint.rhs_evaluations;
      follower.can_go_on = true;
    }
  }

  /// A trial that ended before others parted from it: they end as it did.
  void end_followers(std::size_t i) {
    auto& runner = runners_[i];
    for (; runner.parted < runner.followers.size(); ++runner.parted) {
      const auto follower = runner.followers[runner.parted];
      results_[follower] = results_[i];
      results_[follower].shared_evaluations = results_[i].rhs_evaluations;
      end_followers(follower);
    }
  }

  SignalsOfTests signals_;
  LaneBatch batch_;
  std::vector<Runner> runners_;
  std::vector<std::size_t> wanting_;
  bool others_wait_ = false;
  std::array<std::optional<std::size_t>, models::lane_count> in_lane_{};
  std::vector<TrialResult> results_;
};

}  // namespace

std::optional<std::vector<TrialResult>> run_in_lanes(const Plan& plan, const TrialList& trials) {
  // Lanes with the same signal at the same time evaluate it once: tests stay together.
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return trials[i]->test; });
  TrialList by_test;
  for (const std::size_t i : order) {
    by_test.push_back(trials[i]);
  }
  LaneTrials together(plan, by_test);
  if (!together.can_start()) {
    return std::nullopt;
  }
  auto made = together.run();
  std::vector<TrialResult> results(trials.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    results[order[n]] = std::move(made[n]);
  }
  return results;
}

}  // namespace macrostep::engine
