#include "engine/studies/map.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <variant>

#include "engine/base/parallel.hpp"
#include "engine/cost/cost_estimate.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/scan/step_counts.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

using Value = std::variant<double, std::string>;

Value stability_at(const Stability& stability, double macro_step_s) {
  auto growth = stability.growth(macro_step_s);
  if (auto* reason = std::get_if<std::string>(&growth)) {
    return std::move(*reason);
  }
  const double radius = std::get<Growth>(growth).relative_radius(macro_step_s);
  return std::isfinite(radius) ? Value(radius) : Value("it grows beyond all numbers");
}

Value accuracy(const Plan& plan, const Configuration& configuration, double macro_step_s,
               const std::atomic<bool>* stop) {
  auto error =
      error_at_every_phase(plan, configuration, plan.job.tests.front(), macro_step_s, stop);
  return error.nrmse && std::isfinite(*error.nrmse) ? Value(*error.nrmse)
                                                    : Value(std::move(error.reason));
}

std::string text_of(const FieldErrors& errors) {
  std::string text;
  for (const auto& error : errors) {
    text += (text.empty() ? "" : "; ") + error.message;
  }
  return text;
}

/// What the plane's points have in common: only the test that is run, and no curves.
Plan base_of(const Plan& plan, const MapJob& map) {
  Plan base = plan;
  base.curves.clear();
  const auto test = std::ranges::find(plan.job.tests, map.test, &TestInput::name);
  base.job.tests = {test == plan.job.tests.end() ? TestInput{} : *test};
  return base;
}

/// The value at one point of the plane, for every layer.
class PointValues {
 public:
  PointValues(const Plan& base, const MapJob& map, const std::atomic<bool>* stop)
      : base_(base), map_(map), stop_(stop) {}

  std::vector<Value> at(double x, double y) const {
    const std::size_t layers = base_.configurations.size() * map_.macro_steps_s.size();
    auto parameters = base_.job.parameters;
    parameters[map_.x.parameter] = x;
    parameters[map_.y.parameter] = y;
    const auto made = with_parameters(base_, parameters);
    if (const auto* errors = std::get_if<FieldErrors>(&made)) {
      return std::vector<Value>(layers, text_of(*errors));
    }
    const auto& plan = std::get<Plan>(made);
    std::vector<Value> values;
    values.reserve(layers);
    for (const auto& configuration : plan.configurations) {
      const Stability stability(plan, configuration);
      for (const double macro_step_s : map_.macro_steps_s) {
        values.push_back(map_.quantity == MapQuantity::stability
                             ? stability_at(stability, macro_step_s)
                             : accuracy(plan, configuration, macro_step_s, stop_));
      }
    }
    return values;
  }

 private:
  const Plan& base_;
  const MapJob& map_;
  const std::atomic<bool>* stop_;
};

std::vector<MapLayer> empty_layers(const Plan& plan, const MapJob& map) {
  const auto points = static_cast<std::size_t>(map.x.count) * static_cast<std::size_t>(map.y.count);
  std::vector<MapLayer> layers;
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    for (const double macro_step_s : map.macro_steps_s) {
      layers.push_back(
          {.configuration = c,
           .macro_step_s = macro_step_s,
           .values = std::vector<double>(points, std::numeric_limits<double>::quiet_NaN()),
           .reasons = {}});
    }
  }
  return layers;
}

}  // namespace

MapResult compute_map(const Plan& plan, const MapJob& map, const MapSettings& settings) {
  const auto started = std::chrono::steady_clock::now();
  const auto x = axis_values(map.x);
  const auto y = axis_values(map.y);
  const Plan base = base_of(plan, map);
  const PointValues values(base, map, settings.stop);
  const auto stopped = [&] {
    return settings.stop && settings.stop->load(std::memory_order_relaxed);
  };
  MapResult result{.layers = empty_layers(base, map)};
  std::size_t done = 0;
  std::mutex mutex;  // guards done, the reasons and the calls of on_progress
  const std::size_t total = x.size() * y.size();
  for_each_index(total, settings.threads, [&](std::size_t point) {
    if (stopped()) {
      return;
    }
    auto found = values.at(x[point % x.size()], y[point / x.size()]);
    if (stopped()) {
      return;
    }
    const std::lock_guard lock(mutex);
    for (std::size_t layer = 0; layer < found.size(); ++layer) {
      if (auto* reason = std::get_if<std::string>(&found[layer])) {
        result.layers[layer].reasons[point] = std::move(*reason);
      } else {
        result.layers[layer].values[point] = std::get<double>(found[layer]);
      }
    }
    ++done;
    if (settings.on_progress) {
      settings.on_progress(done, total);
    }
  });
  result.complete = done == total;
  if (!result.complete) {
    result.layers.clear();
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

Work usual_work(const Plan& plan, const MapJob& map) {
  const Plan base = base_of(plan, map);
  const auto& test = base.job.tests.front();
  Work work;
  for (std::size_t c = 0; c < base.configurations.size(); ++c) {
    if (!base.can_run(c)) {
      continue;
    }
    const auto& configuration = base.configurations[c];
    const StepCounts counts(base, configuration, test);
    const auto columns = static_cast<double>(
        map.quantity == MapQuantity::stability
            ? Propagation(base, configuration).columns(map.macro_steps_s.front())
            : 0);
    for (const double macro_step_s : map.macro_steps_s) {
      const auto steps = counts.of_trial(macro_step_s);
      const Work run = usual_work(base, configuration, test, steps);
      work += map.quantity == MapQuantity::stability ? run * (columns / steps.macro_steps) : run;
    }
  }
  return work * (static_cast<double>(map.x.count) * map.y.count);
}

double limit_of(const MapJob& map) {
  return map.quantity == MapQuantity::stability ? 1 : map.error_max;
}

std::vector<double> largest_macro_steps_s(const MapJob& map, const MapResult& result,
                                          std::size_t configuration) {
  const double limit = limit_of(map);
  std::vector<double> largest_s(
      static_cast<std::size_t>(map.x.count) * static_cast<std::size_t>(map.y.count), 0.0);
  std::vector<bool> holds(largest_s.size(), true);
  for (const auto& layer : result.layers) {
    for (std::size_t i = 0; layer.configuration == configuration && i < holds.size(); ++i) {
      holds[i] = holds[i] && layer.values[i] <= limit;  // false for NaN
      largest_s[i] = holds[i] ? layer.macro_step_s : largest_s[i];
    }
  }
  return largest_s;
}

}  // namespace macrostep::engine
