#include "engine/verification/check_outcome.hpp"

#include <algorithm>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Verdict, 3> verdict_names{
    {{Verdict::agrees, "agrees"}, {Verdict::objects, "objects"}, {Verdict::unknown, "unknown"}}};

}  // namespace

std::string_view to_string(Verdict verdict) {
  return models::name_of(verdict_names, verdict);
}

bool agrees(std::span<const CheckOutcome> outcomes, std::string_view check) {
  return std::ranges::any_of(outcomes, [&](const CheckOutcome& outcome) {
    return outcome.check == check && outcome.verdict == Verdict::agrees;
  });
}

bool tells_stable(std::span<const CheckOutcome> outcomes) {
  return agrees(outcomes, "growth") || agrees(outcomes, "swing");
}

}  // namespace macrostep::engine
