#include "engine/scales/resolve.hpp"

#include "engine/scales/default_job.hpp"
#include "engine/scales/scales_by_runs.hpp"

namespace macrostep::engine {

std::variant<Plan, FieldErrors> resolve(const Plan& asked, const RunsOnThreads& runs) {
  if (!asked.job.is_open() || !asked.job.own_problem) {
    return asked;
  }
  const auto scales = scales_by_runs(asked, runs);
  if (runs.stop != nullptr && runs.stop->load()) {
    return asked;
  }
  Job job = asked.job;
  const GivenGrid given{.initial = !job.open.initial, .maximum = !job.open.maximum};
  take_scales(scales ? scales->times : assumed_scales, job);
  if (scales) {
    take_nominal_values(*scales, asked.problem.couplings.front(), asked.graphs.front(),
                        *job.own_problem);
  }
  fit_to_tests(job, given);
  return make_plan(job, asked.until_s);
}

}  // namespace macrostep::engine
