#include "engine/stability/stability_verdicts.hpp"

#include <variant>

namespace macrostep::engine {

StabilityVerdicts::StabilityVerdicts(const Plan& plan)
    : plan_(plan), duration_s_(longest_test_s(plan)), configurations_(plan.configurations.size()) {
  for (const auto& configuration : plan.configurations) {
    couplings_[configuration.coupling];
  }
}

bool StabilityVerdicts::is_unstable(std::size_t configuration, double macro_step_s) {
  const double log_growth = exact_log_growth(configuration);
  auto& of = configurations_[configuration];
  const std::lock_guard lock(of.mutex);
  if (const auto known = of.unstable.find(macro_step_s); known != of.unstable.end()) {
    return known->second;
  }
  if (!of.stability) {
    of.stability = std::make_unique<Stability>(plan_, plan_.configurations[configuration],
                                               duration_s_, log_growth);
  }
  const auto judged = of.stability->is_stable(macro_step_s);
  const bool unstable = std::holds_alternative<bool>(judged) && !std::get<bool>(judged);
  of.unstable.emplace(macro_step_s, unstable);
  return unstable;
}

double StabilityVerdicts::exact_log_growth(std::size_t configuration) {
  const auto& one = plan_.configurations[configuration];
  auto& of = couplings_.at(one.coupling);
  std::call_once(of.solved,
                 [&] { of.log_growth = engine::exact_log_growth(plan_, one, duration_s_); });
  return of.log_growth;
}

}  // namespace macrostep::engine
