#include "engine/scales/scales_notices.hpp"

#include <algorithm>

#include "engine/scales/scales.hpp"

namespace macrostep::engine {

namespace {

/// A test that is shorter by less than this share is long enough.
constexpr double rounding_of_times = 1e-9;

}  // namespace

std::vector<Notice> scales_notices(const Plan& plan) {
  const auto& job = plan.job;
  if (!job.own_problem || plan.graphs.empty()) {
    return {};
  }
  const auto& scales = job.scales;
  if (!scales) {
    return {};
  }
  if (scales->found_by == ScalesBy::assumed) {
    const auto& [initial_s, increment_s, maximum_s] = job.macro_step;
    return {{.code = NoticeCode::scales_assumed,
             .numbers = {{"initial_s", initial_s}, {"maximum_s", maximum_s}}}};
  }
  std::vector<Notice> list{
      {.code = NoticeCode::scales_found,
       .numbers = {{"fastest_s", scales->fastest_s}, {"slowest_s", scales->slowest_s}}}};
  const auto longest = std::ranges::max_element(job.tests, {}, &TestInput::duration_s);
  if (longest->duration_s < (1 - rounding_of_times) * 2 * half_test_s(*scales)) {
    list.push_back(
        {.code = NoticeCode::slow_motion_not_tested,
         .numbers = {{"slowest_s", scales->slowest_s}, {"duration_s", longest->duration_s}}});
  }
  return list;
}

}  // namespace macrostep::engine
