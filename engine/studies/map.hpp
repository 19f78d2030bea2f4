// Stability or accuracy over two parameters of a problem and the macro-step H: where in the plane
// of the parameters, and up to which H, a configuration may be used (Haid et al. 2022, figs. 4, 6).
//
//   stability  ρ of one macro-step over what the exact system may grow by in it; at most 1 where
//              the macro-step is stable, or stable within a session (growth.hpp)
//   accuracy   NRMSE of a run with a test input against the monolithic solution (true_error.hpp);
//              accurate: at most a threshold
//
// All other settings are those of a search's job, whose plan says which configurations there are:
// one layer of the map is a configuration at one H.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/studies/map_job.hpp"
#include "engine/trial/work.hpp"

namespace macrostep::engine {

/// A configuration at one macro-step: a value for every point, x varying fastest.
struct MapLayer {
  std::size_t configuration = 0;  ///< index into the plan
  double macro_step_s = 0;
  std::vector<double> values;                  ///< NaN: none
  std::map<std::size_t, std::string> reasons;  ///< why there is none, by point

  bool operator==(const MapLayer&) const = default;
};

struct MapResult {
  std::vector<MapLayer> layers;  ///< configuration after configuration, H growing
  bool complete = false;         ///< false: stopped, and there are no layers
  double wall_s = 0;
};

struct MapSettings {
  int threads = 0;                          ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;  ///< polled between points, and within a run
  /// Called after every point of the plane (all its layers), one call at a time, from any thread.
  std::function<void(std::size_t done, std::size_t total)> on_progress;
};

/// The map must have no mistakes. The result does not depend on the number of threads.
MapResult compute_map(const Plan& plan, const MapJob& map, const MapSettings& settings);

/// What the map is expected to cost: of accuracy its runs, without the solutions that they are held
/// against; of stability the macro-steps that make the matrices, without their eigenvalues.
Work usual_work(const Plan& plan, const MapJob& map);

/// The largest value that is still stable, or accurate.
double limit_of(const MapJob& map);

/// For every point the largest H of the list up to which this configuration is stable (accurate),
/// there and at every smaller one; 0: not even at the smallest.
std::vector<double> largest_macro_steps_s(const MapJob& map, const MapResult& result,
                                          std::size_t configuration);

}  // namespace macrostep::engine
