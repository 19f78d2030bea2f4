#include "server/cli/jobs/plan_to_run.hpp"

#include "server/cli/frame/terminal.hpp"
#include "server/searches/resolved_plan.hpp"

namespace macrostep::server {

engine::Plan plan_to_run(const engine::Plan& asked, const ForeignSettings& foreign, int threads,
                         const std::atomic<bool>& stop) {
  print_message("macrostep: short runs find how fast and how slow the problem moves\n");
  return resolved_plan(asked, foreign, threads, stop);
}

}  // namespace macrostep::server
