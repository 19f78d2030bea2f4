#include "engine/recommendation/real_time.hpp"

#include <algorithm>
#include <vector>

#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/recommend.hpp"

namespace macrostep::engine {

namespace {

/// Why nothing is recommended where `best` is, but for real time.
std::vector<Notice> why_no_real_time(const Plan& plan, const Answer& answer, bool stopped) {
  const auto& best = *answer.recommendation;
  const auto* nearest = nearest_to_real_time(answer.timing_candidates, answer.step_times.rows);
  if (stopped || !nearest) {
    const Notice why = stopped ? Notice{.code = NoticeCode::stopped_before_times}
                               : Notice{.code = NoticeCode::times_not_measured,
                                        .detail = answer.step_times.failure};
    return {why, about_run(NoticeCode::answer_without_real_time, plan, best.configuration,
                           best.macro_step_s)};
  }
  const auto margin = margin_of(*nearest, *plan.job.real_time_share);
  auto none =
      about_run(NoticeCode::none_in_real_time, plan, nearest->configuration, nearest->macro_step_s);
  none.numbers.push_back({"p999_s", margin.p999_s});
  none.numbers.push_back({"share", margin.share});
  none.numbers.push_back({"limit_s", margin.limit_s});
  return {none};
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
      answer.reasons = why_no_real_time(plan, answer, stopped);
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
        (*one)->notices.push_back({.code = NoticeCode::real_time_not_kept});
      }
    }
  }
}

}  // namespace macrostep::engine
