#include "engine/plan/plan_fmus.hpp"

#include <algorithm>

#include "engine/problem/foreign_code.hpp"

namespace macrostep::engine {

bool has_foreign_code(const Plan& plan) {
  return has_foreign_code(plan.problem);
}

std::vector<FmuPointer> fmus_of(const Plan& plan) {
  std::vector<FmuPointer> fmus;
  if (!plan.job.own_problem) {
    return fmus;
  }
  for (const auto& subsystem : plan.job.own_problem->subsystems) {
    const auto same = [&](const FmuPointer& known) {
      return known->sha256 == subsystem.fmu->fmu->sha256;
    };
    if (subsystem.fmu && std::ranges::none_of(fmus, same)) {
      fmus.push_back(subsystem.fmu->fmu);
    }
  }
  return fmus;
}

bool is_once_per_process(const Plan& plan) {
  return std::ranges::any_of(fmus_of(plan),
                             [](const FmuPointer& fmu) { return is_once_per_process(*fmu); });
}

}  // namespace macrostep::engine
