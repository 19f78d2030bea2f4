#include "server/workers/plan_backend.hpp"

#include <algorithm>
#include <utility>

#include "engine/plan/plan_fmus.hpp"

namespace macrostep::server {

PlanBackend::PlanBackend(const ForeignSettings& settings, std::vector<const engine::Plan*> plans) {
  if (std::ranges::any_of(
          plans, [](const engine::Plan* plan) { return engine::has_foreign_code(*plan); })) {
    pool_.emplace(settings, std::move(plans));
  }
}

const engine::TrialBackend& PlanBackend::get() const {
  if (pool_) {
    return *pool_;
  }
  return engine::this_process();
}

}  // namespace macrostep::server
