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

/// Trials that may share lanes, all with one macro-step and duration.
class LaneTrials {
 public:
  using Trials = std::vector<const TrialSettings*>;

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
    const auto beginning = is_traced ? std::nullopt : common_macro_steps();
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
    std::vector<std::size_t> going_on;
    for (const std::size_t i : indices) {
      const auto found =
          std::ranges::find_if(first, [&](std::size_t k) { return same_configuration(i, k); });
      from[i] = of_first[static_cast<std::size_t>(found - first.begin())];
      if (from[i].batch->has_ended(from[i].lane)) {
        results_[i] = from[i].batch->result(from[i].lane);
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
      }
      return true;
    });
  }

  bool same_configuration(std::size_t a, std::size_t b) const {
    return trials_[a]->configuration == trials_[b]->configuration;
  }

  /// Whole macro-steps before the first event that tells the tests apart; nothing where there is
  /// one test alone or the beginning too short to pay.
  std::optional<std::int64_t> common_macro_steps() const {
    std::vector<const TestInput*> tests;
    for (const auto* trial : trials_) {
      if (std::ranges::find(tests, trial->test) == tests.end()) {
        tests.push_back(trial->test);
      }
    }
    if (tests.size() < 2) {
      return std::nullopt;
    }
    const auto& coupling = plan_.coupling(*trials_.front()->configuration);
    const double macro_step_s = trials_.front()->macro_step_s;
    const auto first = external_signals(plan_.problem, coupling, *tests.front());
    std::int64_t common = macro_steps_in(duration_s(*trials_.front()), macro_step_s) - 1;
    const auto least =
        static_cast<std::int64_t>(shortest_beginning * static_cast<double>(common + 1));
    for (std::size_t t = 1; t < tests.size(); ++t) {
      const auto other = external_signals(plan_.problem, coupling, *tests[t]);
      for (std::size_t s = 0; s < first.size(); ++s) {
        for (std::size_t i = 0; i < first[s].size(); ++i) {
          const auto alike = [&](std::int64_t macro_steps) {
            return alike_until(first[s][i], other[s][i],
                               static_cast<double>(macro_steps) * macro_step_s);
          };
          // Alike until some time is alike until every time before.
          std::int64_t unlike = alike(common) ? common + 1 : common;
          std::int64_t known = 0;
          while (unlike - known > 1) {
            const auto middle = known + (unlike - known) / 2;
            (alike(middle) ? known : unlike) = middle;
          }
          common = std::min(common, known);
        }
      }
    }
    return common > 0 && common >= least ? std::optional(common) : std::nullopt;
  }

  const Plan& plan_;
  Trials trials_;
  std::vector<TrialResult> results_;
};

/// Which trials step in lanes at all, asked once of each configuration.
std::vector<bool> in_lanes(const Plan& plan, std::span<const TrialSettings> trials) {
  std::vector<bool> list;
  std::map<const Configuration*, bool> known;
  for (const auto& trial : trials) {
    auto found = known.find(trial.configuration);
    if (found == known.end()) {
      found = known.emplace(trial.configuration, steps_in_lanes(plan, *trial.configuration)).first;
    }
    list.push_back(found->second && may_share_lanes(trial));
  }
  return list;
}

/// Of trials that step in lanes: whether they may share theirs.
bool share_lanes(const TrialSettings& a, const TrialSettings& b) {
  return a.macro_step_s == b.macro_step_s && duration_s(a) == duration_s(b) &&
         a.configuration->coupling == b.configuration->coupling &&
         a.configuration->integrators == b.configuration->integrators;
}

}  // namespace

std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials) {
  std::vector<TrialResult> results(trials.size());
  std::vector<std::size_t> left(trials.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto may = in_lanes(plan, trials);
  while (!left.empty()) {
    std::vector<std::size_t> together{left.front()};
    std::vector<std::size_t> others;
    for (const std::size_t i : std::span(left).subspan(1)) {
      const bool shares =
          may[i] && may[left.front()] && share_lanes(trials[left.front()], trials[i]);
      (shares ? together : others).push_back(i);
    }
    left = std::move(others);
    std::optional<std::vector<TrialResult>> made;
    const auto started = Clock::now();
    if (together.size() >= fewest_in_lanes) {
      std::vector<const TrialSettings*> settings;
      for (const std::size_t i : together) {
        settings.push_back(&trials[i]);
      }
      made = LaneTrials(plan, std::move(settings)).run();
    }
    const double wall_s = std::chrono::duration<double>(Clock::now() - started).count();
    for (std::size_t n = 0; n < together.size(); ++n) {
      auto& result = results[together[n]];
      if (made) {
        result = std::move((*made)[n]);
        result.wall_s = wall_s / static_cast<double>(together.size());
      } else {
        result = run_trial(plan, trials[together[n]]);
      }
    }
  }
  return results;
}

}  // namespace macrostep::engine
