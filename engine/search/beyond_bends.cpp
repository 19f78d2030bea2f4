#include "engine/search/beyond_bends.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"

namespace macrostep::engine {

namespace {

/// Between which H a configuration has complete trials in every test that exchanges energy.
struct Tried {
  std::size_t configuration = 0;
  double first_s = 0;
  double last_s = 0;
};

std::optional<Tried> tried(const std::vector<Curve>& curves, std::size_t configuration) {
  std::optional<Tried> all;
  for (const auto& curve : curves) {
    if (curve.key.configuration != configuration || has_flag(curve, no_energy)) {
      continue;
    }
    const auto last_s = largest_complete(curve.points);
    if (!curve.usable_s || !last_s) {
      return std::nullopt;
    }
    const double first_s = curve.points.front().macro_step_s;
    all = all.value_or(Tried{configuration, first_s, *last_s});
    all->first_s = std::max(all->first_s, first_s);
    all->last_s = std::min(all->last_s, *last_s);
  }
  return all;
}

class Beyond {
 public:
  Beyond(const Plan& plan, const Answer& answer, const CheckRun& check,
         const std::atomic<bool>& stopped)
      : plan_(plan), answer_(answer), check_(check), stopped_(stopped) {}

  std::optional<BeyondBends> largest() {
    const auto& best = answer_.recommendation;
    std::vector<std::size_t> order;
    if (best) {
      order.push_back(best->configuration);
    }
    for (std::size_t c = 0; c < plan_.configurations.size(); ++c) {
      if (!best || c != best->configuration) {
        order.push_back(c);
      }
    }
    order.resize(std::min(order.size(), most_configurations_beyond));
    double passed_s = best ? best->macro_step_s : 0;
    std::optional<BeyondBends> found;
    for (const std::size_t configuration : order) {
      const auto range = tried(answer_.curves, configuration);
      if (!range) {
        continue;
      }
      const bool is_own = best && configuration == best->configuration;
      if (auto beyond = largest_of(*range, passed_s, is_own)) {
        passed_s = beyond->macro_step_s;
        found = std::move(beyond);
      }
      if (ended_) {
        break;
      }
    }
    return is_linear_ ? found : std::nullopt;
  }

 private:
  /// What one configuration allows beyond what has passed already, of this one or another.
  std::optional<BeyondBends> largest_of(const Tried& range, double passed_s, bool is_own) {
    const auto steps = candidates(range, passed_s);
    BeyondBends found{.configuration = range.configuration, .checks = {}, .objection = {}};
    std::size_t passed = 0;             // so many of the smallest
    std::size_t failed = steps.size();  // the first of the largest
    // The own one is often stable with all of them; of another, the smallest tells most.
    std::size_t next = is_own ? steps.size() - 1 : 0;
    while (passed < failed && !ended_) {
      if (passes(found, steps[next])) {
        passed = next + 1;
      } else {
        failed = next;
      }
      next = passed + (failed - passed) / 2;
    }
    return found.macro_step_s > 0 ? std::optional(std::move(found)) : std::nullopt;
  }

  /// Ascending: those that the job allows, or such that each is larger by the last bracket.
  std::vector<double> candidates(const Tried& range, double passed_s) const {
    std::vector<double> steps = plan_.job.allowed_macro_steps_s;
    if (steps.empty()) {
      for (double one_s = range.last_s; one_s >= range.first_s && one_s > last_bracket * passed_s;
           one_s /= last_bracket) {
        steps.push_back(steps.empty() ? one_s : rounded_down(one_s));
      }
    }
    std::erase_if(steps, [&](double one_s) {
      return one_s <= passed_s || one_s < range.first_s || one_s > range.last_s;
    });
    std::ranges::sort(steps);
    return steps;
  }

  bool passes(BeyondBends& found, double macro_step_s) {
    if (++checks_ > most_checks_beyond) {
      ended_ = true;
      return false;
    }
    auto run = check_(found.configuration, macro_step_s);
    is_linear_ = is_linear_ && run.is_linear;
    if (stopped_.load(std::memory_order_relaxed) || !is_linear_) {
      ended_ = true;
      return false;
    }
    if (run.passes() && run.evidence() == Evidence::growth) {
      found.macro_step_s = macro_step_s;
      found.checks = std::move(run.outcomes);
      return true;
    }
    if (!found.rejected_s || macro_step_s < *found.rejected_s) {
      found.rejected_s = macro_step_s;
      found.objection = run.outcomes.back();
    }
    return false;
  }

  const Plan& plan_;
  const Answer& answer_;
  const CheckRun& check_;
  const std::atomic<bool>& stopped_;
  std::size_t checks_ = 0;
  bool is_linear_ = true;
  bool ended_ = false;  ///< nothing more is asked
};

}  // namespace

std::optional<BeyondBends> go_beyond_bends(const Plan& plan, const Answer& answer,
                                           const CheckRun& check,
                                           const std::atomic<bool>& stopped) {
  return Beyond(plan, answer, check, stopped).largest();
}

}  // namespace macrostep::engine
