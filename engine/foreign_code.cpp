#include "engine/foreign_code.hpp"

#include <algorithm>

#include "models/fmi/permit_loading.hpp"

namespace macrostep::engine {

namespace {

bool has_foreign_code(const Coupling& coupling) {
  return std::ranges::any_of(coupling.subsystems, &SubsystemDefinition::foreign_code);
}

}  // namespace

bool has_foreign_code(const Problem& problem) {
  return std::ranges::any_of(problem.couplings,
                             [](const Coupling& coupling) { return has_foreign_code(coupling); });
}

bool has_foreign_code(const Plan& plan) {
  return has_foreign_code(plan.problem);
}

bool one_trial_per_process(const Plan&) {
  return false;
}

void permit_foreign_code() {
  models::fmi::permit_loading();
}

bool may_run_here(const Coupling& coupling) {
  return models::fmi::loading_permitted() || !has_foreign_code(coupling);
}

}  // namespace macrostep::engine
