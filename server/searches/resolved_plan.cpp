#include "server/searches/resolved_plan.hpp"

#include <stdexcept>
#include <utility>
#include <variant>

#include "engine/scales/resolve.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

engine::Plan resolved_plan(const engine::Plan& asked, const ForeignSettings& foreign, int threads,
                           const std::atomic<bool>& stop) {
  const PlanBackend backend(foreign, {&asked});
  auto plan = engine::resolve(asked, {.backend = backend.get(), .threads = threads, .stop = &stop});
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    throw std::runtime_error("with what short runs tell of its times, the job cannot be run: " +
                             errors->front().pointer + " " + errors->front().message);
  }
  return std::move(std::get<engine::Plan>(plan));
}

}  // namespace macrostep::server
