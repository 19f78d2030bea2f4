// How a caller follows runs while they are made, and ends them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/trial/trial.hpp"

namespace macrostep::engine {

struct RunControl {
  const std::atomic<bool>* stop = nullptr;  ///< set: runs end soon, as cancelled
  /// Called at communication points by the thread that makes the run, with the place of the run
  /// among those that were asked for together.
  std::function<void(std::size_t run, const TracePoint& point)> on_point = {};
  std::int64_t points_every = 1;  ///< at every n-th, counted from 0; no matter for references
  /// TrialSettings::progress; of one run alone.
  std::atomic<std::int64_t>* progress = nullptr;
};

}  // namespace macrostep::engine
