#include "tests/tidy/rooms.hpp"

#include <algorithm>

#include "tests/tidy/rules.hpp"

namespace macrostep::tests::tidy {

const std::vector<House>& houses() {
  // Each list is in order: a room includes itself and the rooms before it.
  static const std::vector<House> all{
      {"models", {"models/subsystem",       "models/integrators",        "models/lanes",
                  "models/crane",           "models/hydraulic_actuator", "models/manipulator",
                  "models/oscillator",      "models/pendulum",           "models/pipe_volume",
                  "models/relief_valve",    "models/state_space",        "models/fmi/xml",
                  "models/fmi/description", "models/fmi/archive",        "models/fmi/instance",
                  "models/fmi/simulation",  "models/fmi/systems",        "models/fmi/rules",
                  "models/fmi/calls",       "models/fmi/sequences"}},
      {"engine",
       {"engine/base",
        "engine/notices",
        "engine/problem",
        "engine/job",
        "engine/benchmarks",
        "engine/correction",
        "engine/plan",
        "engine/cosim",
        "engine/trial",
        "engine/reference",
        "engine/stability",
        "engine/bonds",
        "engine/ensemble",
        "engine/scan",
        "engine/cost",
        "engine/verification/probes",
        "engine/scales",
        "engine/verification",
        "engine/recommendation",
        "engine/search",
        "engine/studies",
        "engine/study",
        "engine/fmu_export/instance",
        "engine/fmu_export",
        "engine/fmu_export/library",
        "engine/system_export"}},
      {"db", {"db/schema", "db/rows", "db/store"}},
      {"server", {"server/base",         "server/json",
                  "server/jobs",         "server/results",
                  "server/http/message", "server/http/server",
                  "server/ops",          "server/process",
                  "server/workers",      "server/worker_executable",
                  "server/schedulers",   "server/batch",
                  "server/respond",      "server/fmus",
                  "server/store",        "server/searches",
                  "server/traces",       "server/analyses",
                  "server/export",       "server/queue",
                  "server/compare",      "server/api/frame",
                  "server/api/searches", "server/api",
                  "server/cli/frame",    "server/cli/jobs",
                  "server/cli/search",   "server/cli/run",
                  "server/cli/fmus",     "server/cli/analyses",
                  "server/cli/store",    "server/cli/serve",
                  "server/cli"}},
      {"web/app",
       {"web/app/api", "web/app/text", "web/app/parts", "web/app/figures", "web/app/forms",
        "web/app/searches/list", "web/app/searches/answer", "web/app/searches/configurations",
        "web/app/searches/curves", "web/app/searches/page", "web/app/trials", "web/app/fmus",
        "web/app/own", "web/app/analyses", "web/app/compare", "web/app/shell"}},
  };
  return all;
}

}  // namespace macrostep::tests::tidy
