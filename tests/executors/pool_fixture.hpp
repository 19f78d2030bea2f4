// Plans of the tests of worker processes: built-in problems, sent to workers all the same.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/plan/plan.hpp"
#include "server/workers/worker_pool.hpp"

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

inline server::WorkerProgram fake_worker() {
  return {.file = MACROSTEP_FAKE_WORKER, .build_id = {}};
}

inline server::WorkerProgram real_worker() {
  return {.file = MACROSTEP_WORKER, .build_id = {}};
}

/// Settings that work on this machine: in the sandbox where there is one.
inline server::ForeignSettings usable(server::ForeignSettings settings = {}) {
  static const bool sandbox = std::holds_alternative<server::Sandbox>(server::probe_sandbox());
  settings.sandbox = sandbox ? settings.sandbox : server::SandboxMode::none;
  return settings;
}

/// Whether a test that needs the sandbox must be left out; says so.
inline bool lacks_sandbox(const char* test) {
  if (usable().sandbox == server::SandboxMode::bubblewrap) {
    return false;
  }
  std::printf("skipped: %s: bubblewrap does not work here\n", test);
  return true;
}

/// With sanitizers a crash is their report, and memory is not limited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace macrostep::tests
