#include "engine/real_time.hpp"

#include <algorithm>

namespace macrostep::engine {

RealTimeMargin margin_of(const MeasuredStepTimes& measured, double share) {
  return {
      .share = share, .limit_s = share * measured.macro_step_s, .p999_s = measured.times.p999_s};
}

const MeasuredStepTimes* find_step_times(std::span<const MeasuredStepTimes> measured,
                                         std::size_t configuration, double macro_step_s) {
  const auto found = std::ranges::find_if(measured, [&](const MeasuredStepTimes& one) {
    return one.configuration == configuration && one.macro_step_s == macro_step_s;
  });
  return found == measured.end() ? nullptr : &*found;
}

const MeasuredStepTimes* choose_real_time(std::span<const Contender> contenders,
                                          std::span<const MeasuredStepTimes> measured,
                                          double share) {
  for (const auto& contender : contenders) {
    const MeasuredStepTimes* largest = nullptr;
    for (const double macro_step_s : contender.macro_steps_s) {
      const auto* one = find_step_times(measured, contender.configuration, macro_step_s);
      if (one && margin_of(*one, share).is_kept() &&
          (!largest || one->macro_step_s > largest->macro_step_s)) {
        largest = one;
      }
    }
    if (contender.eligible && largest) {
      return largest;
    }
  }
  return nullptr;
}

const MeasuredStepTimes* nearest_to_real_time(std::span<const Contender> contenders,
                                              std::span<const MeasuredStepTimes> measured) {
  const MeasuredStepTimes* nearest = nullptr;
  const auto share_of = [](const MeasuredStepTimes& one) {
    return one.times.p999_s / one.macro_step_s;
  };
  for (const auto& contender : contenders) {
    for (const double macro_step_s : contender.macro_steps_s) {
      const auto* one = find_step_times(measured, contender.configuration, macro_step_s);
      if (contender.eligible && one && (!nearest || share_of(*one) < share_of(*nearest))) {
        nearest = one;
      }
    }
  }
  return nearest;
}

}  // namespace macrostep::engine
