#include "engine/job.hpp"

#include "engine/names.hpp"

namespace macrostep::engine {

namespace {
constexpr Names<Rule, 3> rules{{{Rule::local_power_law, "local_power_law"},
                                {Rule::tangent, "tangent"},
                                {Rule::baseline_power_law, "baseline_power_law"}}};
constexpr Names<ScanKind, 2> scans{
    {{ScanKind::arithmetic, "arithmetic"}, {ScanKind::geometric, "geometric"}}};
}  // namespace

std::string_view to_string(Rule rule) {
  return name_of(rules, rule);
}
std::string_view to_string(ScanKind scan) {
  return name_of(scans, scan);
}
std::optional<Rule> rule_from(std::string_view name) {
  return value_of(rules, name);
}
std::optional<ScanKind> scan_from(std::string_view name) {
  return value_of(scans, name);
}

}  // namespace macrostep::engine
