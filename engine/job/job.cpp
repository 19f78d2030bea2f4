#include "engine/job/job.hpp"

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {
constexpr models::Names<Rule, 3> rules{{{Rule::local_power_law, "local_power_law"},
                                        {Rule::tangent, "tangent"},
                                        {Rule::baseline_power_law, "baseline_power_law"}}};
constexpr models::Names<ScanKind, 3> scans{{{ScanKind::arithmetic, "arithmetic"},
                                            {ScanKind::geometric, "geometric"},
                                            {ScanKind::adaptive, "adaptive"}}};
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

std::vector<std::vector<std::string>> SearchSpace::orders_for(Scheme scheme) const {
  if (scheme == Scheme::jacobi || orders.empty()) {
    return {{}};
  }
  return orders;
}

}  // namespace macrostep::engine
