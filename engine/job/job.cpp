#include "engine/job/job.hpp"

#include <algorithm>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {
constexpr models::Names<Rule, 3> rules{{{Rule::local_power_law, "local_power_law"},
                                        {Rule::tangent, "tangent"},
                                        {Rule::baseline_power_law, "baseline_power_law"}}};
constexpr models::Names<ScanKind, 4> scans{{{ScanKind::arithmetic, "arithmetic"},
                                            {ScanKind::geometric, "geometric"},
                                            {ScanKind::adaptive, "adaptive"},
                                            {ScanKind::refined, "refined"}}};
constexpr models::Names<IntegratorSets, 2> integrator_sets{
    {{IntegratorSets::product, "product"}, {IntegratorSets::one_at_a_time, "one_at_a_time"}}};
constexpr models::Names<ScalesBy, 4> scales_by{{{ScalesBy::matrices, "matrices"},
                                                {ScalesBy::runs, "runs"},
                                                {ScalesBy::job, "job"},
                                                {ScalesBy::assumed, "assumed"}}};
constexpr models::Names<StabilityCheck, 4> stability_checks{
    {{StabilityCheck::all, "all"},
     {StabilityCheck::exact, "exact"},
     {StabilityCheck::identified, "identified"},
     {StabilityCheck::none, "none"}}};
constexpr models::Names<Preset, 1> presets{{{Preset::rahikainen2019, "rahikainen2019"}}};
}  // namespace

std::string_view to_string(Preset preset) {
  return models::name_of(presets, preset);
}
std::optional<Preset> preset_from(std::string_view name) {
  return models::value_of(presets, name);
}
std::string_view to_string(Rule rule) {
  return models::name_of(rules, rule);
}
std::string_view to_string(ScanKind scan) {
  return models::name_of(scans, scan);
}
std::string_view to_string(StabilityCheck check) {
  return models::name_of(stability_checks, check);
}
std::optional<StabilityCheck> stability_check_from(std::string_view name) {
  return models::value_of(stability_checks, name);
}
std::optional<Rule> rule_from(std::string_view name) {
  return models::value_of(rules, name);
}
std::optional<ScanKind> scan_from(std::string_view name) {
  return models::value_of(scans, name);
}

std::string_view to_string(ScalesBy by) {
  return models::name_of(scales_by, by);
}
std::optional<ScalesBy> scales_by_from(std::string_view name) {
  return models::value_of(scales_by, name);
}

std::string_view to_string(IntegratorSets sets) {
  return models::name_of(integrator_sets, sets);
}
std::optional<IntegratorSets> integrator_sets_from(std::string_view name) {
  return models::value_of(integrator_sets, name);
}

bool Job::is_open() const {
  return open.initial || open.increment || open.maximum ||
         std::ranges::any_of(tests, &TestInput::is_duration_open);
}

std::vector<std::map<std::string, models::Integrator>> SearchSpace::sets_of_integrators() const {
  std::vector<std::map<std::string, models::Integrator>> sets(1);
  if (integrator_sets == IntegratorSets::one_at_a_time) {
    for (const auto& [group, list] : integrators) {
      sets.front()[group] = list.front();
    }
    for (const auto& [group, list] : integrators) {
      for (std::size_t k = 1; k < list.size(); ++k) {
        auto varied = sets.front();
        varied[group] = list[k];
        sets.push_back(std::move(varied));
      }
    }
    return sets;
  }
  for (const auto& [group, list] : integrators) {
    std::vector<std::map<std::string, models::Integrator>> longer;
    for (const auto& set : sets) {
      for (const auto integrator : list) {
        longer.push_back(set);
        longer.back()[group] = integrator;
      }
    }
    sets = std::move(longer);
  }
  return sets;
}

double SearchSpace::count_of_integrator_sets() const {
  double sum = 1;
  double product = 1;
  for (const auto& [group, list] : integrators) {
    sum += static_cast<double>(list.size()) - 1;
    product *= static_cast<double>(list.size());
  }
  return integrator_sets == IntegratorSets::one_at_a_time ? sum : product;
}

std::vector<std::vector<std::string>> SearchSpace::orders_for(Scheme scheme) const {
  if (scheme == Scheme::jacobi || orders.empty()) {
    return {{}};
  }
  return orders;
}

}  // namespace macrostep::engine
