// What a map asks (map.hpp): two parameters, the macro-steps, and what of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

inline constexpr int max_map_axis_points = 1000;
inline constexpr std::size_t max_map_macro_steps = 100;
/// Layers × points of a layer.
inline constexpr double max_map_values = 500e3;
/// Limit for all runs of a map of accuracy together.
inline constexpr double max_map_run_steps = 1e11;

enum class MapScale { linear, log };
enum class MapQuantity { stability, accuracy };

std::string_view to_string(MapScale scale);
std::string_view to_string(MapQuantity quantity);
std::optional<MapScale> map_scale_from(std::string_view name);
std::optional<MapQuantity> map_quantity_from(std::string_view name);

/// A parameter of the problem, from its minimum to its maximum in equal steps, or equal ratios.
struct MapAxis {
  std::string parameter;  ///< path, as in "coupling.c_k"
  double minimum = 0;     ///< in the parameter's unit
  double maximum = 0;
  int count = 0;
  MapScale scale = MapScale::log;

  bool operator==(const MapAxis&) const = default;
};

/// What a map asks; the rest is in the job of the plan.
struct MapJob {
  MapAxis x, y;
  std::vector<double> macro_steps_s;  ///< growing
  MapQuantity quantity = MapQuantity::stability;
  double error_max = 0.01;  ///< NRMSE that still counts as accurate
  std::string test;         ///< of accuracy: one of the job's tests

  bool operator==(const MapJob&) const = default;
};

/// All mistakes, their pointers from "/map" on.
FieldErrors check_map(const MapJob& map, const Plan& plan);

// What a map without mistakes comes to.

/// Configurations × macro-steps × points.
double values_of(const MapJob& map, const Plan& plan);
/// In the runs of a map of accuracy; 0 of stability.
double macro_steps_of_runs(const MapJob& map, const Plan& plan);

std::vector<double> axis_values(const MapAxis& axis);

/// Equal ratios from the first to the last, rounded to 12 digits between them; the last one if the
/// count is 1.
std::vector<double> logarithmic_values(double first, double last, int count);

}  // namespace macrostep::engine
