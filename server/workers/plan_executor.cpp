#include "server/workers/plan_executor.hpp"

#include <algorithm>
#include <utility>

#include "engine/plan/plan_fmus.hpp"

namespace macrostep::server {

PlanExecutor::PlanExecutor(const ForeignSettings& settings,
                           std::vector<const engine::Plan*> plans) {
  if (std::ranges::any_of(
          plans, [](const engine::Plan* plan) { return engine::has_foreign_code(*plan); })) {
    pool_.emplace(settings, std::move(plans));
    executor_ = pool_->executor();
  }
}

}  // namespace macrostep::server
