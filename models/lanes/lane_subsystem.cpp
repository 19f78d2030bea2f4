#include "models/lanes/lane_subsystem.hpp"

#include <algorithm>
#include <atomic>

namespace macrostep::models {

namespace {

LaneLevel level_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return LaneLevel::avx512;
  }
  if (__builtin_cpu_supports("avx2")) {
    return LaneLevel::avx2;
  }
#endif
  return LaneLevel::none;
}

std::atomic<LaneLevel> limit = LaneLevel::avx512;

}  // namespace

// Here, so that no file that is compiled for lanes has what belongs to the class.
LaneSubsystem::~LaneSubsystem() = default;

bool LaneSubsystem::steps_well_with(const LaneSubsystem&) const {
  return false;
}

void LaneSubsystem::step_with(LaneSubsystem&, const LaneValues&, double,
                              const std::array<LaneStep, 2>&) {
  ensure(false, "subsystems step at once where they do so well");
}

LaneLevel lane_level() {
  static const LaneLevel level = level_of_processor();
  return std::min(level, limit.load(std::memory_order_relaxed));
}

void limit_lane_level(LaneLevel most) {
  limit = most;
}

}  // namespace macrostep::models
