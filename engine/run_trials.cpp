#include "engine/run_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/beginnings.hpp"
#include "engine/lane_batch.hpp"
#include "engine/trial_checkpoint.hpp"

namespace macrostep::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// Fewer trials than this run faster one by one.
constexpr std::size_t fewest_in_lanes = 2;

/// Trials of one configuration, macro-step and duration: each leaves what those begin with that are
/// like it until the end of a phase.
void run_from_one_start(const Plan& plan, const Trials& trials, std::span<TrialResult*> results) {
  const auto phases = phases_of(plan, trials);
  std::vector<std::vector<TrialCheckpoint>> left(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    auto settings = *trials[i];
    const TrialCheckpoint* from = nullptr;
    std::size_t like = i;
    for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
      const bool is_needed = std::ranges::count(phases[p].alike, i) > 1;
      left[i].push_back({.macro_steps = is_needed ? phases[p].end : TrialCheckpoint::never});
      if (phases[p].alike[i] != i) {
        like = phases[p].alike[i];
        from = &left[like][p];
      }
    }
    if (from && !from->reached) {  // that one ended where both are alike
      *results[i] = *results[like];
      results[i]->shared_evaluations = results[i]->rhs_evaluations;
      continue;
    }
    settings.from = from;
    settings.leave = left[i];
    *results[i] = run_trial(plan, settings);
  }
}

/// Trials that may share lanes, all with one macro-step and duration.
class LaneTrials {
 public:
  LaneTrials(const Plan& plan, Trials trials) : plan_(plan), trials_(std::move(trials)) {}

  /// In their order; nothing where one of them cannot start.
  std::optional<std::vector<TrialResult>> run() {
    // Lanes beside each other with the same signal evaluate it once.
    std::vector<std::size_t> order(trials_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return trials_[i]->test; });
    const Trials given = std::exchange(trials_, trials_at(order));
    results_.resize(trials_.size());
    reached_.resize(trials_.size());
    for (const auto& phase : phases()) {
      if (!run_phase(phase)) {
        return std::nullopt;
      }
    }
    std::vector<TrialResult> results(given.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
      results[order[n]] = std::move(results_[n]);
    }
    return results;
  }

 private:
  std::vector<Phase> phases() const {
    auto list = phases_of(plan_, trials_);
    // A trace is of a whole trial.
    if (std::ranges::any_of(trials_, [](const auto* trial) { return bool(trial->trace); })) {
      list.erase(list.begin(), list.end() - 1);
    }
    return list;
  }

  /// One trial of those that are alike runs for all of them.
  bool run_phase(const Phase& phase) {
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (phase.alike[i] == i && !has_ended(i)) {
        running.push_back(i);
      }
    }
    auto reached = reached_;
    const auto run = [&](std::span<const std::size_t> part) {
      auto batch = std::make_shared<LaneBatch>(plan_, trials_at(part));
      if (reached_[part.front()].batch) {
        std::vector<LaneBatch::Beginning> from;
        for (const std::size_t i : part) {
          from.push_back({reached_[i].batch.get(), reached_[i].lane});
        }
        batch->go_on_from(from);
      } else if (!batch->start()) {
        return false;
      }
      batch->run(phase.end);
      for (std::size_t lane = 0; lane < part.size(); ++lane) {
        reached[part[lane]] = {batch, lane};
      }
      return true;
    };
    if (!in_batches(running, run)) {
      return false;
    }
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      const auto like = phase.alike[i];
      if (has_ended(i)) {
        continue;
      }
      const auto before = evaluations(reached_[i]);
      if (like != i) {
        shared_[i] += evaluations(reached[like]) - before;
      }
      reached[i] = reached[like];
    }
    reached_ = std::move(reached);
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (has_ended(i)) {
        results_[i] = reached_[i].batch->result(reached_[i].lane);
        results_[i].shared_evaluations = shared_[i];
      }
    }
    return true;
  }

  struct Reached {
    std::shared_ptr<const LaneBatch> batch;
    std::size_t lane = 0;
  };

  static std::int64_t evaluations(const Reached& reached) {
    return reached.batch ? reached.batch->rhs_evaluations(reached.lane) : 0;
  }
  bool has_ended(std::size_t i) const {
    return reached_[i].batch && reached_[i].batch->has_ended(reached_[i].lane);
  }

  Trials trials_at(std::span<const std::size_t> indices) const {
    Trials list;
    for (const std::size_t i : indices) {
      list.push_back(trials_[i]);
    }
    return list;
  }

  /// Calls use(indices) for up to lane_count of them at a time.
  template <class Use>
  static bool in_batches(const std::vector<std::size_t>& indices, const Use& use) {
    const std::size_t batches = (indices.size() + models::lane_count - 1) / models::lane_count;
    for (std::size_t b = 0; b < batches; ++b) {
      const std::size_t first = b * indices.size() / batches;
      const std::size_t end = (b + 1) * indices.size() / batches;
      if (!use(std::span(indices).subspan(first, end - first))) {
        return false;
      }
    }
    return true;
  }

  const Plan& plan_;
  Trials trials_;
  std::vector<TrialResult> results_;
  std::vector<Reached> reached_;  ///< in the phases so far
  std::map<std::size_t, std::int64_t> shared_;
};

/// What trials may share, asked once of each configuration.
struct Sharing {
  bool lanes = false;
  bool starts = false;
};
std::vector<Sharing> sharing_of(const Plan& plan, std::span<const TrialSettings> trials) {
  std::vector<Sharing> list;
  std::map<const Configuration*, Sharing> known;
  for (const auto& trial : trials) {
    auto found = known.find(trial.configuration);
    if (found == known.end()) {
      const auto& configuration = *trial.configuration;
      found = known
                  .emplace(trial.configuration,
                           Sharing{.lanes = steps_in_lanes(plan, configuration),
                                   .starts = goes_on_from_one_start(plan, configuration)})
                  .first;
    }
    const bool may = may_run_together(trial);
    list.push_back({.lanes = may && found->second.lanes,
                    .starts = may && !trial.trace && found->second.starts});
  }
  return list;
}

bool are_alike(const TrialSettings& a, const TrialSettings& b) {
  return a.macro_step_s == b.macro_step_s && duration_of(a) == duration_of(b);
}

/// Of trials that step in lanes: whether they may share theirs.
bool share_lanes(const TrialSettings& a, const TrialSettings& b) {
  return are_alike(a, b) && a.configuration->coupling == b.configuration->coupling &&
         a.configuration->integrators == b.configuration->integrators;
}

}  // namespace

bool goes_on_from_one_start(const Plan& plan, const Configuration& configuration) {
  return configuration.correction == Correction::none &&
         std::ranges::all_of(plan.coupling(configuration).subsystems, [&](const auto& subsystem) {
           // CVODE chooses its steps by what it remembers of those before.
           return !subsystem.foreign_code && subsystem.description.can_roll_back &&
                  configuration.integrators.at(subsystem.group) != models::Integrator::cvode;
         });
}

std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials) {
  std::vector<TrialResult> results(trials.size());
  std::vector<std::size_t> left(trials.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto sharing = sharing_of(plan, trials);
  while (!left.empty()) {
    const std::size_t first = left.front();
    const auto shares = [&](std::size_t i) {
      const bool lanes =
          sharing[first].lanes && sharing[i].lanes && share_lanes(trials[first], trials[i]);
      return lanes || (!sharing[first].lanes && sharing[first].starts && sharing[i].starts &&
                       trials[first].configuration == trials[i].configuration &&
                       are_alike(trials[first], trials[i]));
    };
    std::vector<std::size_t> others;
    Trials together;
    std::vector<TrialResult*> of_together;
    for (const std::size_t i : left) {
      if (i == first || shares(i)) {
        together.push_back(&trials[i]);
        of_together.push_back(&results[i]);
      } else {
        others.push_back(i);
      }
    }
    left = std::move(others);
    const auto started = Clock::now();
    std::optional<std::vector<TrialResult>> made;
    if (sharing[first].lanes && together.size() >= fewest_in_lanes) {
      made = LaneTrials(plan, together).run();
    }
    if (made) {
      for (std::size_t n = 0; n < together.size(); ++n) {
        *of_together[n] = std::move((*made)[n]);
      }
    } else {
      run_from_one_start(plan, together, of_together);
    }
    if (together.size() > 1) {
      const double wall_s = std::chrono::duration<double>(Clock::now() - started).count();
      for (auto* result : of_together) {
        result->wall_s = wall_s / static_cast<double>(together.size());
      }
    }
  }
  return results;
}

}  // namespace macrostep::engine
