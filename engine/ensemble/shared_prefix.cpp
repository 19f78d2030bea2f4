#include "engine/ensemble/shared_prefix.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace macrostep::engine {

namespace {

/// A beginning shorter than this share of the trial does not pay for going on from its end.
constexpr double shortest_prefix = 0.05;
/// So many earlier trials are looked at, the latest ones: of more tests many are alike.
constexpr std::size_t most_compared = 32;

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

/// How many macro-steps tests have in common, asked once of every two.
class CommonMacroSteps {
 public:
  explicit CommonMacroSteps(SignalsOfTests& signals) : signals_(signals) {}

  /// Less than all of either; 0 of trials that differ in duration.
  std::int64_t of(const TrialSettings& a, const TrialSettings& b) {
    if (duration_of(a) != duration_of(b)) {
      return 0;
    }
    const auto all = macro_steps_in(duration_of(a), a.macro_step_s);
    const auto [known, is_new] = common_.try_emplace({a.test, b.test, all});
    if (is_new) {
      auto& common = known->second;
      common = all - 1;
      const auto& of_a = signals_.of(*a.test);
      const auto& of_b = signals_.of(*b.test);
      for (std::size_t s = 0; s < of_a.size(); ++s) {
        for (std::size_t i = 0; i < of_a[s].size(); ++i) {
          common = alike_macro_steps(of_a[s][i], of_b[s][i], a.macro_step_s, common);
        }
      }
    }
    return known->second;
  }

 private:
  SignalsOfTests& signals_;
  /// By tests, and all macro-steps of the trials.
  std::map<std::tuple<const TestInput*, const TestInput*, std::int64_t>, std::int64_t> common_;
};

}  // namespace

std::vector<SharedPrefix> shared_prefixes(const TrialList& trials, SignalsOfTests& signals) {
  const bool are_traced =
      std::ranges::any_of(trials, [](const auto* trial) { return bool(trial->trace); });
  CommonMacroSteps common(signals);
  std::vector<SharedPrefix> prefixes;
  std::map<const Configuration*, std::vector<std::size_t>> earlier;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    SharedPrefix longest{.like = i};
    auto& others = earlier[trials[i]->configuration];
    const std::size_t first = others.size() > most_compared ? others.size() - most_compared : 0;
    for (std::size_t n = first; n < others.size() && !are_traced; ++n) {
      const auto macro_steps = common.of(*trials[others[n]], *trials[i]);
      if (macro_steps > longest.macro_steps) {
        longest = {.like = others[n], .macro_steps = macro_steps};
      }
    }
    others.push_back(i);
    const auto all = macro_steps_in(duration_of(*trials[i]), trials[i]->macro_step_s);
    const auto shortest = shortest_prefix * static_cast<double>(all);
    if (static_cast<double>(longest.macro_steps) < shortest) {
      longest = {.like = i};
    }
    // That one may itself take them over.
    while (longest.macro_steps > 0 && prefixes[longest.like].macro_steps >= longest.macro_steps) {
      longest.like = prefixes[longest.like].like;
    }
    prefixes.push_back(longest);
  }
  return prefixes;
}

}  // namespace macrostep::engine
