#include "engine/run_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/external_signals.hpp"
#include "engine/lane_batch.hpp"
#include "engine/trial_checkpoint.hpp"
#include "models/signal_pieces.hpp"

namespace macrostep::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// Fewer trials than this run faster one by one.
constexpr std::size_t fewest_in_lanes = 2;
/// A common beginning shorter than this share of the trial does not pay for going on from it.
constexpr double shortest_beginning = 0.1;

double duration_s(const TrialSettings& settings) {
  return settings.until_s.value_or(settings.test->duration_s);
}

/// Whether two signals have the same values until a time, that included.
bool alike_until(const models::ExternalSignal& a, const models::ExternalSignal& b, double time_s) {
  return a == b || (a.sampling == b.sampling && a.signal.is_constant(0, time_s) &&
                    b.signal.is_constant(0, time_s) && a.signal.value(0) == b.signal.value(0));
}

using Trials = std::vector<const TrialSettings*>;

/// How many whole macro-steps the two have in common, of at most so many.
std::int64_t alike_macro_steps(const models::ExternalSignal& a, const models::ExternalSignal& b,
                               double macro_step_s, std::int64_t most) {
  std::int64_t alike = 0;  // until some time is alike until every time before
  while (alike < most) {
    const auto middle = most - (most - alike) / 2;
    if (alike_until(a, b, static_cast<double>(middle) * macro_step_s)) {
      alike = middle;
    } else {
      most = middle - 1;
    }
  }
  return alike;
}

/// Whole macro-steps before the first event that tells the tests of these trials apart; nothing
/// where there is one test alone or the beginning too short to pay.
std::optional<std::int64_t> common_macro_steps(const Plan& plan, const Trials& trials) {
  std::vector<const TestInput*> tests;
  for (const auto* trial : trials) {
    if (std::ranges::find(tests, trial->test) == tests.end()) {
      tests.push_back(trial->test);
    }
  }
  if (tests.size() < 2) {
    return std::nullopt;
  }
  const auto& coupling = plan.coupling(*trials.front()->configuration);
  const double macro_step_s = trials.front()->macro_step_s;
  const auto all = macro_steps_in(duration_s(*trials.front()), macro_step_s);
  const auto first = external_signals(plan.problem, coupling, *tests.front());
  std::int64_t common = all - 1;
  for (std::size_t t = 1; t < tests.size(); ++t) {
    const auto other = external_signals(plan.problem, coupling, *tests[t]);
    for (std::size_t s = 0; s < first.size(); ++s) {
      for (std::size_t i = 0; i < first[s].size(); ++i) {
        common = alike_macro_steps(first[s][i], other[s][i], macro_step_s, common);
      }
    }
  }
  const bool pays = static_cast<double>(common) >= shortest_beginning * static_cast<double>(all);
  return common > 0 && pays ? std::optional(common) : std::nullopt;
}

/// Trials of one configuration, macro-step and duration: the first leaves what the others begin
/// with.
void run_from_one_start(const Plan& plan, Trials trials, std::span<TrialResult*> results) {
  TrialCheckpoint checkpoint;
  const auto common = common_macro_steps(plan, trials);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    auto settings = *trials[i];
    if (common && i == 0) {
      checkpoint.macro_steps = *common;
      settings.leave = &checkpoint;
    } else if (common && checkpoint.reached) {
      settings.from = &checkpoint;
    } else if (common) {  // the first ended where all are alike
      *results[i] = *results[0];
      results[i]->shared_evaluations = results[i]->rhs_evaluations;
      continue;
    }
    *results[i] = run_trial(plan, settings);
  }
}

/// Trials that may share lanes, all with one macro-step and duration.
class LaneTrials {
 public:
  LaneTrials(const Plan& plan, Trials trials) : plan_(plan), trials_(std::move(trials)) {}

  /// In their order; nothing where one of them cannot start.
  std::optional<std::vector<TrialResult>> run() {
    results_.resize(trials_.size());
    // Lanes beside each other with the same signal evaluate it once.
    std::vector<std::size_t> order(trials_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return trials_[i]->test; });
    const bool is_traced =
        std::ranges::any_of(trials_, [](const auto* trial) { return bool(trial->trace); });
    // A trace is of a whole trial.
    const auto beginning = is_traced ? std::nullopt : common_macro_steps(plan_, trials_);
    if (!beginning) {
      return run_from_start(order) ? std::optional(std::move(results_)) : std::nullopt;
    }
    return run_from_beginning(order, *beginning) ? std::optional(std::move(results_))
                                                 : std::nullopt;
  }

 private:
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

  bool run_from_start(const std::vector<std::size_t>& indices) {
    return in_batches(indices, [&](std::span<const std::size_t> part) {
      LaneBatch batch(plan_, trials_at(part));
      if (!batch.start()) {
        return false;
      }
      batch.run(batch.macro_steps_of_trial());
      for (std::size_t lane = 0; lane < part.size(); ++lane) {
        results_[part[lane]] = batch.result(lane);
      }
      return true;
    });
  }

  bool run_from_beginning(const std::vector<std::size_t>& indices, std::int64_t beginning) {
    // One trial of each configuration makes the beginning of all its tests.
    std::vector<std::size_t> first;
    for (const std::size_t i : indices) {
      if (std::ranges::none_of(first, [&](std::size_t k) { return same_configuration(i, k); })) {
        first.push_back(i);
      }
    }
    std::vector<LaneBatch> beginnings;
    beginnings.reserve(first.size());
    std::vector<LaneBatch::Beginning> of_first(first.size());
    const bool begun = in_batches(first, [&](std::span<const std::size_t> part) {
      auto& batch = beginnings.emplace_back(plan_, trials_at(part));
      if (!batch.start()) {
        return false;
      }
      batch.run(beginning);
      for (std::size_t lane = 0; lane < part.size(); ++lane) {
        of_first[static_cast<std::size_t>(&part[lane] - first.data())] = {&batch, lane};
      }
      return true;
    });
    if (!begun) {
      return false;
    }
    std::vector<LaneBatch::Beginning> from(trials_.size());
    std::vector<std::int64_t> shared(trials_.size());
    std::vector<std::size_t> going_on;
    for (const std::size_t i : indices) {
      const auto found =
          std::ranges::find_if(first, [&](std::size_t k) { return same_configuration(i, k); });
      from[i] = of_first[static_cast<std::size_t>(found - first.begin())];
      shared[i] = *found == i ? 0 : from[i].batch->rhs_evaluations(from[i].lane);
      if (from[i].batch->has_ended(from[i].lane)) {
        results_[i] = from[i].batch->result(from[i].lane);
        results_[i].shared_evaluations = shared[i];
      } else {
        going_on.push_back(i);
      }
    }
    return in_batches(going_on, [&](std::span<const std::size_t> part) {
      LaneBatch batch(plan_, trials_at(part));
      std::vector<LaneBatch::Beginning> mine;
      for (const std::size_t i : part) {
        mine.push_back(from[i]);
      }
      batch.go_on_from(mine);
      batch.run(batch.macro_steps_of_trial());
      for (std::size_t lane = 0; lane < part.size(); ++lane) {
        results_[part[lane]] = batch.result(lane);
        results_[part[lane]].shared_evaluations = shared[part[lane]];
      }
      return true;
    });
  }

  bool same_configuration(std::size_t a, std::size_t b) const {
    return trials_[a]->configuration == trials_[b]->configuration;
  }

  const Plan& plan_;
  Trials trials_;
  std::vector<TrialResult> results_;
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
    const bool may = may_share_lanes(trial);
    list.push_back({.lanes = may && found->second.lanes,
                    .starts = may && !trial.trace && found->second.starts});
  }
  return list;
}

bool are_alike(const TrialSettings& a, const TrialSettings& b) {
  return a.macro_step_s == b.macro_step_s && duration_s(a) == duration_s(b);
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
