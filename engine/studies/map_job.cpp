#include "engine/studies/map_job.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/plan/check_job.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<MapScale, 2> scales{{{MapScale::linear, "linear"}, {MapScale::log, "log"}}};
constexpr models::Names<MapQuantity, 2> quantities{
    {{MapQuantity::stability, "stability"}, {MapQuantity::accuracy, "accuracy"}}};

/// The nearest number of 12 digits: 1e-5 instead of what its logarithm gives.
double decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return std::strtod(text.data(), nullptr);
}

/// Whether one end of the axis is wrong by itself, and where.
/// Share of the largest value: closer values are one number for whoever reads the map.
constexpr double narrowest_axis = 1e-9;

void check_range(const MapAxis& axis, const std::string& pointer, FieldErrors& errors) {
  const bool log = axis.scale == MapScale::log;
  if (!std::isfinite(axis.minimum) || (log && !(axis.minimum > 0))) {
    errors.push_back({pointer + "/minimum", log ? "must be positive on a logarithmic axis, not " +
                                                      number_text(axis.minimum)
                                                : "must be a finite number"});
  } else if (!std::isfinite(axis.maximum) ||
             !(axis.maximum - axis.minimum > narrowest_axis * std::abs(axis.maximum))) {
    errors.push_back({pointer + "/maximum", "must be larger than the minimum, " +
                                                number_text(axis.minimum) + ", not " +
                                                number_text(axis.maximum)});
  }
  if (axis.count < 2 || axis.count > max_map_axis_points) {
    errors.push_back({pointer + "/count", "must lie between 2 and " +
                                              std::to_string(max_map_axis_points) + ", not " +
                                              std::to_string(axis.count)});
  }
}

/// What the problem says against this value of the axis, the other parameter being at its maximum.
std::string objection(const MapAxis& axis, double value, const MapAxis& other, const Plan& plan) {
  auto parameters = plan.job.parameters;
  parameters[other.parameter] = other.maximum;
  parameters[axis.parameter] = value;
  const auto made = with_parameters(plan, parameters);
  const auto* found = std::get_if<FieldErrors>(&made);
  const std::string own = "/parameters/" + pointer_token(axis.parameter);
  for (const auto& error : found ? *found : FieldErrors{}) {
    if (error.pointer == own) {
      return error.message;
    }
  }
  return {};
}

void check_values(const MapAxis& axis, const MapAxis& other, const std::string& pointer,
                  const Plan& plan, FieldErrors& errors) {
  const auto at_minimum = objection(axis, axis.minimum, other, plan);
  const auto at_maximum = objection(axis, axis.maximum, other, plan);
  if (at_minimum == at_maximum && !at_minimum.empty()) {  // not the value, but the parameter
    errors.push_back({pointer + "/parameter", at_minimum});
    return;
  }
  if (!at_minimum.empty()) {
    errors.push_back({pointer + "/minimum", at_minimum});
  }
  if (!at_maximum.empty()) {
    errors.push_back({pointer + "/maximum", at_maximum});
  }
}

void check_axes(const MapJob& map, const Plan& plan, FieldErrors& errors) {
  check_range(map.x, "/map/x", errors);
  check_range(map.y, "/map/y", errors);
  if (map.x.parameter == map.y.parameter) {
    errors.push_back({"/map/y/parameter", "must be another one than that of x"});
  }
  if (errors.empty()) {
    check_values(map.x, map.y, "/map/x", plan, errors);
    check_values(map.y, map.x, "/map/y", plan, errors);
  }
}

void check_macro_steps(const MapJob& map, const Plan& plan, FieldErrors& errors) {
  const auto& steps = map.macro_steps_s;
  if (steps.empty() || steps.size() > max_map_macro_steps) {
    errors.push_back(
        {"/map/macro_steps_s", "must hold 1 to " + std::to_string(max_map_macro_steps) +
                                   " macro-steps, not " + std::to_string(steps.size())});
  }
  for (const double step_s : steps) {
    if (!std::isfinite(step_s) || !(step_s > 0)) {
      errors.push_back(
          {"/map/macro_steps_s", "must be positive, in seconds, not " + number_text(step_s)});
      return;
    }
  }
  for (const auto& subsystem : plan.problem.subsystems()) {
    const double* given = setting_of(plan.job.micro_steps, subsystem);
    const auto micro_step_s = given ? std::optional(*given) : subsystem.micro_step_s;
    if (micro_step_s && steps.back() / *micro_step_s > max_micro_steps_per_macro_step) {
      errors.push_back({"/map/macro_steps_s", "would take " +
                                                  number_text(steps.back() / *micro_step_s) +
                                                  " micro-steps of subsystem '" + subsystem.name +
                                                  "' in the largest one; the limit is " +
                                                  number_text(max_micro_steps_per_macro_step)});
      return;
    }
  }
  if (std::ranges::adjacent_find(steps, std::greater_equal{}) != steps.end()) {
    errors.push_back({"/map/macro_steps_s", "must hold each macro-step once, the smallest first"});
  }
}

/// What a map of accuracy runs.
void check_runs(const MapJob& map, const Plan& plan, FieldErrors& errors) {
  const auto test = std::ranges::find(plan.job.tests, map.test, &TestInput::name);
  if (test == plan.job.tests.end()) {
    errors.push_back({"/map/test", "there is no test '" + map.test + "' in the job"});
    return;
  }
  if (!(std::isfinite(map.error_max) && map.error_max > 0)) {
    errors.push_back({"/map/error_max", "must be positive"});
  }
  for (const double step_s : map.macro_steps_s) {
    if (step_s > test->duration_s) {
      errors.push_back({"/map/macro_steps_s", number_text(step_s) + " s is longer than test '" +
                                                  test->name + "', " +
                                                  number_text(test->duration_s) + " s"});
      return;
    }
  }
  const double steps = macro_steps_of_runs(map, plan);
  if (steps > max_map_run_steps) {
    errors.push_back({"/map/macro_steps_s", "these are " + number_text(steps) +
                                                " macro-steps in all; the limit is " +
                                                number_text(max_map_run_steps)});
  }
}

}  // namespace

double values_of(const MapJob& map, const Plan& plan) {
  return static_cast<double>(map.x.count) * map.y.count *
         static_cast<double>(map.macro_steps_s.size() * plan.configurations.size());
}

double macro_steps_of_runs(const MapJob& map, const Plan& plan) {
  if (map.quantity != MapQuantity::accuracy) {
    return 0;
  }
  const auto test = std::ranges::find(plan.job.tests, map.test, &TestInput::name);
  double steps = 0;
  for (const double step_s : map.macro_steps_s) {
    steps += std::ceil(test->duration_s / step_s);
  }
  return steps * map.x.count * map.y.count * static_cast<double>(plan.configurations.size());
}

std::string_view to_string(MapScale scale) {
  return models::name_of(scales, scale);
}

std::string_view to_string(MapQuantity quantity) {
  return models::name_of(quantities, quantity);
}

std::optional<MapScale> map_scale_from(std::string_view name) {
  return models::value_of(scales, name);
}

std::optional<MapQuantity> map_quantity_from(std::string_view name) {
  return models::value_of(quantities, name);
}

std::vector<double> logarithmic_values(double first, double last, int count) {
  std::vector<double> values;
  const double log_ratio = std::log(last / first);
  for (int i = 0; i < count; ++i) {
    values.push_back(decimal(first * std::exp(log_ratio * i / std::max(1, count - 1))));
  }
  values.front() = first;
  values.back() = last;
  return values;
}

std::vector<double> axis_values(const MapAxis& axis) {
  if (axis.scale == MapScale::log) {
    return logarithmic_values(axis.minimum, axis.maximum, axis.count);
  }
  std::vector<double> values;
  for (int i = 0; i < axis.count; ++i) {
    const double share = static_cast<double>(i) / (axis.count - 1);
    values.push_back(decimal(axis.minimum + share * (axis.maximum - axis.minimum)));
  }
  values.front() = axis.minimum;
  values.back() = axis.maximum;
  return values;
}

FieldErrors check_map(const MapJob& map, const Plan& plan) {
  if (has_foreign_code(plan)) {
    return {{"/problem", "has FMUs, of which there are no maps: search and analyse take them"}};
  }
  if (plan.job.own_problem) {
    return {{"/problem",
             "a map varies parameters of a built-in problem; the numbers of a problem "
             "of your own are in its matrices"}};
  }
  FieldErrors errors;
  check_axes(map, plan, errors);
  check_macro_steps(map, plan, errors);
  if (!errors.empty()) {
    return errors;
  }
  const double values = values_of(map, plan);
  if (values > max_map_values) {
    errors.push_back({"/map", "has " + number_text(values) + " values (" +
                                  std::to_string(plan.configurations.size()) +
                                  " configurations of the search space among them); the limit is " +
                                  number_text(max_map_values)});
  }
  if (map.quantity == MapQuantity::accuracy) {
    check_runs(map, plan, errors);
  }
  return errors;
}

}  // namespace macrostep::engine
