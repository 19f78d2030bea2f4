// Small plans and curves of which the engine makes notices.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/search.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

namespace macrostep::tests::provoked {

using namespace engine;

using Provoke = std::function<std::vector<Notice>()>;
using Provoked = std::map<NoticeCode, Provoke>;

/// Two linear masses, orders 0 and 1, one test.
inline Plan linear_plan() {
  return planned(two_masses());
}

inline Plan crane_plan() {
  return planned(find_built_in("double_actuator_crane")->default_job);
}

/// A curve that counts, of the first configuration in the first test.
inline Curve counting_curve() {
  Curve curve{.points = {{.macro_step_s = 1e-3, .macro_steps = 1000},
                         {.macro_step_s = 2e-3, .macro_steps = 500}}};
  curve.usable_s = 2e-3;
  curve.counts = true;
  return curve;
}

inline Curve flagged(std::string_view flag) {
  auto curve = counting_curve();
  curve.flags = {std::string(flag)};
  return curve;
}

inline Curve ending(TrialStatus status, const std::string& reason, std::int64_t macro_steps = 900) {
  Curve curve;
  curve.points = {
      {.macro_step_s = 1e-3, .status = status, .macro_steps = macro_steps, .reason = reason}};
  return curve;
}

}  // namespace macrostep::tests::provoked
