// Plans of the tests of worker processes: built-in problems, sent to workers all the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/catalogue.hpp"
#include "engine/plan.hpp"
#include "server/executors/worker_pool.hpp"

namespace macrostep::tests {

/// 0.05 s of the crane; what is called by the name of a misbehaviour of the fake worker has it.
inline engine::Job job_with_tests(const std::vector<std::string>& names) {
  auto job = engine::find_built_in("single_actuator_crane")->default_job;
  job.space.extrapolation = {engine::Extrapolation::order_0, engine::Extrapolation::order_2};
  job.tests.clear();
  for (const auto& name : names) {
    job.tests.push_back({.name = name, .kind = engine::TestKind::step, .duration_s = 0.05});
  }
  return job;
}

inline engine::Plan plan_with_tests(const std::vector<std::string>& names) {
  return std::get<engine::Plan>(engine::make_plan(job_with_tests(names)));
}

inline server::executors::WorkerProgram fake_worker() {
  return {.file = MACROSTEP_FAKE_WORKER, .arguments = {}, .build_id = {}};
}

inline server::executors::WorkerProgram real_worker() {
  return {.file = MACROSTEP_BINARY, .arguments = {"worker"}, .build_id = {}};
}

/// One trial of a pool for it alone.
struct Trial {
  engine::TrialResult result;
  double wall_s = 0;
  int started = 0;  ///< processes
};

}  // namespace macrostep::tests
