#include "engine/beginnings.hpp"

#include <algorithm>
#include <map>

#include "engine/external_signals.hpp"

namespace macrostep::engine {

namespace {

/// A phase shorter than this share of the trial does not pay for going on from its end.
constexpr double shortest_phase = 0.05;

/// Whether two signals have the same values until a time, that included.
bool alike_until(const models::ExternalSignal& a, const models::ExternalSignal& b, double time_s) {
  return a == b || (a.sampling == b.sampling && a.signal.is_constant(0, time_s) &&
                    b.signal.is_constant(0, time_s) && a.signal.value(0) == b.signal.value(0));
}

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

/// Of every two tests, how many whole macro-steps they have in common, of at most so many.
class CommonMacroSteps {
 public:
  CommonMacroSteps(const Plan& plan, const Trials& trials, std::int64_t most) {
    const auto& coupling = plan.coupling(*trials.front()->configuration);
    for (const auto* trial : trials) {
      if (!signals_.contains(trial->test)) {
        signals_[trial->test] = external_signals(plan.problem, coupling, *trial->test);
      }
    }
    for (const auto& [a, of_a] : signals_) {
      for (const auto& [b, of_b] : signals_) {
        auto common = most;
        for (std::size_t s = 0; s < of_a.size(); ++s) {
          for (std::size_t i = 0; i < of_a[s].size(); ++i) {
            common =
                alike_macro_steps(of_a[s][i], of_b[s][i], trials.front()->macro_step_s, common);
          }
        }
        common_[{a, b}] = common;
      }
    }
  }

  std::int64_t of(const TestInput* a, const TestInput* b) const { return common_.at({a, b}); }

  /// Where some two tests part, ascending.
  std::vector<std::int64_t> ends() const {
    std::vector<std::int64_t> list;
    for (const auto& [tests, common] : common_) {
      if (tests.first != tests.second) {
        list.push_back(common);
      }
    }
    std::ranges::sort(list);
    return list;
  }

 private:
  std::map<const TestInput*, std::vector<std::vector<models::ExternalSignal>>> signals_;
  std::map<std::pair<const TestInput*, const TestInput*>, std::int64_t> common_;
};

}  // namespace

std::vector<Phase> phases_of(const Plan& plan, const Trials& trials) {
  const auto& first = *trials.front();
  const auto all = macro_steps_in(duration_of(first), first.macro_step_s);
  const CommonMacroSteps common(plan, trials, all - 1);
  const auto shortest = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(shortest_phase * static_cast<double>(all)));
  std::vector<Phase> phases;
  const auto add = [&](std::int64_t end) {
    Phase phase{.end = end};
    for (std::size_t i = 0; i < trials.size(); ++i) {
      std::size_t k = 0;
      while (k < i && (trials[k]->configuration != trials[i]->configuration ||
                       common.of(trials[k]->test, trials[i]->test) < end)) {
        ++k;
      }
      phase.alike.push_back(k);
    }
    phases.push_back(std::move(phase));
  };
  std::int64_t last = 0;
  for (const auto end : common.ends()) {
    if (end >= last + shortest) {
      add(end);
      last = end;
    }
  }
  add(all);
  return phases;
}

}  // namespace macrostep::engine
