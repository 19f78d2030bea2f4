#include "engine/stability/stability_verdicts.hpp"

#include <variant>

namespace macrostep::engine {

StabilityVerdicts::StabilityVerdicts(const Plan& plan)
    : plan_(plan), configurations_(plan.configurations.size()) {
  for (const auto& configuration : plan.configurations) {
    couplings_[configuration.coupling];
  }
}

const Stability& StabilityVerdicts::stability(std::size_t configuration) {
  auto& of = configurations_[configuration];
  std::call_once(of.made, [&] {
    const auto* known_modes = modes(configuration);
    of.stability = std::make_unique<Stability>(plan_, plan_.configurations[configuration],
                                               known_modes, engine::session_s(plan_, known_modes));
  });
  return *of.stability;
}

std::optional<Growth> StabilityVerdicts::growth(std::size_t configuration, double macro_step_s) {
  const auto& judge = stability(configuration);
  auto& of = configurations_[configuration];
  const std::lock_guard lock(of.mutex);
  if (const auto known = of.growth.find(macro_step_s); known != of.growth.end()) {
    return known->second;
  }
  const auto found = judge.growth(macro_step_s);
  const auto* growth = std::get_if<Growth>(&found);
  return of.growth.emplace(macro_step_s, growth ? std::optional(*growth) : std::nullopt)
      .first->second;
}

std::optional<StableRange> StabilityVerdicts::range(std::size_t configuration, double smallest_s,
                                                    double largest_s,
                                                    std::span<const double> asked_s) {
  return stable_range([&](double macro_step_s) { return growth(configuration, macro_step_s); },
                      smallest_s, largest_s, asked_s, stability(configuration).grid());
}

const ExactModes* StabilityVerdicts::modes(std::size_t configuration) {
  const auto& one = plan_.configurations[configuration];
  auto& of = couplings_.at(one.coupling);
  std::call_once(of.solved, [&] { of.modes = exact_modes(plan_, one); });
  return of.modes ? &*of.modes : nullptr;
}

double StabilityVerdicts::session_s(std::size_t configuration) {
  return engine::session_s(plan_, modes(configuration));
}

}  // namespace macrostep::engine
