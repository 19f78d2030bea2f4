#include "engine/recommendation/real_time.hpp"

#include <algorithm>
#include <string>

#include "engine/base/text.hpp"
#include "engine/recommendation/recommend.hpp"

namespace macrostep::engine {

namespace {

constexpr double milliseconds_per_s = 1e3;

/// Why nothing is recommended where `best` is, but for real time.
std::string why_no_real_time(const Plan& plan, const Answer& answer, bool stopped) {
  const auto& best = *answer.recommendation;
  const auto* nearest = nearest_to_real_time(answer.timing_candidates, answer.step_times.rows);
  if (stopped || !nearest) {
    const auto& failure = answer.step_times.failure;
    return (stopped ? "stopped before it was known whether a configuration keeps real time"
                    : "no macro-steps could be timed, as real_time asks for: " + failure) +
           "; without that, it would be " + run_text(plan, best.configuration, best.macro_step_s);
  }
  const auto margin = margin_of(*nearest, *plan.job.real_time_share);
  return "none of the configurations whose macro-steps were timed keeps real time; " +
         run_text(plan, nearest->configuration, nearest->macro_step_s) +
         " comes nearest: 99.9 % of its macro-steps took at most " +
         number_text(milliseconds_per_s * margin.p999_s) + " ms, and real_time.share " +
         exact_text(margin.share) + " allows " + number_text(milliseconds_per_s * margin.limit_s) +
         " ms";
}

}  // namespace

const MeasuredStepTimes* find_step_times(std::span<const MeasuredStepTimes> measured,
                                         std::size_t configuration, double macro_step_s) {
  const auto found = std::ranges::find_if(measured, [&](const MeasuredStepTimes& one) {
    return one.configuration == configuration && one.macro_step_s == macro_step_s;
  });
  return found == measured.end() ? nullptr : &*found;
}

const MeasuredStepTimes* choose_real_time(std::span<const TimingCandidate> timing_candidates,
                                          std::span<const MeasuredStepTimes> measured,
                                          double share) {
  for (const auto& candidate : timing_candidates) {
    const MeasuredStepTimes* largest = nullptr;
    for (const double macro_step_s : candidate.macro_steps_s) {
      const auto* one = find_step_times(measured, candidate.configuration, macro_step_s);
      if (one && margin_of(*one, share).is_kept() &&
          (!largest || one->macro_step_s > largest->macro_step_s)) {
        largest = one;
      }
    }
    if (candidate.eligible && largest) {
      return largest;
    }
  }
  return nullptr;
}

const MeasuredStepTimes* nearest_to_real_time(std::span<const TimingCandidate> timing_candidates,
                                              std::span<const MeasuredStepTimes> measured) {
  const MeasuredStepTimes* nearest = nullptr;
  const auto share_of = [](const MeasuredStepTimes& one) {
    return one.times.p999_s / one.macro_step_s;
  };
  for (const auto& candidate : timing_candidates) {
    for (const double macro_step_s : candidate.macro_steps_s) {
      const auto* one = find_step_times(measured, candidate.configuration, macro_step_s);
      if (candidate.eligible && one && (!nearest || share_of(*one) < share_of(*nearest))) {
        nearest = one;
      }
    }
  }
  return nearest;
}

void keep_real_time(const Plan& plan, Answer& answer, bool stopped) {
  if (!plan.job.real_time_share) {
    return;
  }
  const double share = *plan.job.real_time_share;
  const auto& measured = answer.step_times.rows;
  auto& recommendation = answer.recommendation;
  if (recommendation) {
    const auto* chosen = choose_real_time(answer.timing_candidates, measured, share);
    if (!chosen) {
      answer.reason = why_no_real_time(plan, answer, stopped);
      recommendation.reset();
    } else if (chosen->configuration != recommendation->configuration ||
               chosen->macro_step_s != recommendation->macro_step_s) {
      recommendation = recommend_instead(plan, answer.curves, *recommendation, *chosen);
    }
  }
  for (auto* one : {&recommendation, &answer.paper_rule}) {
    const auto* times =
        *one ? find_step_times(measured, (*one)->configuration, (*one)->macro_step_s) : nullptr;
    if (times) {
      (*one)->real_time = margin_of(*times, share);
      if (!(*one)->real_time->is_kept()) {  // the paper's rule asks for no times
        (*one)->warnings.emplace_back("does not keep real time, as measured here");
      }
    }
  }
}

}  // namespace macrostep::engine
