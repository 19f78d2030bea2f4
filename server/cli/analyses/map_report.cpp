#include "server/cli/analyses/map_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/base/text.hpp"
#include "server/analyses/map_text.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t picture_columns = 60;
constexpr std::size_t picture_rows = 20;
/// One letter per macro-step, from the smallest on.
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr char nowhere = '.';

std::string axis_text(const json::MapPlan& map, const engine::MapAxis& axis) {
  const auto unit = json::unit_of(map.plan, axis.parameter);
  return axis.parameter + " from " + engine::number_text(axis.minimum) + " to " +
         engine::number_text(axis.maximum) + (unit.empty() ? "" : " " + unit) + " (" +
         std::to_string(axis.count) + " values, " + std::string(to_string(axis.scale)) + ")";
}

/// The point of the plane that stands for a place of the picture.
std::size_t sampled(std::size_t place, std::size_t places, std::size_t points) {
  return places < 2 ? 0 : (place * (points - 1) + (places - 1) / 2) / (places - 1);
}

/// x to the right and y up, as in a diagram.
std::string picture(const json::MapPlan& map, const std::vector<double>& largest_s) {
  const auto& steps_s = map.map.macro_steps_s;
  const auto columns = static_cast<std::size_t>(map.map.x.count);
  const auto rows = static_cast<std::size_t>(map.map.y.count);
  const std::size_t width = std::min(columns, picture_columns);
  const std::size_t height = std::min(rows, picture_rows);
  std::string text = "  " + map.map.y.parameter + "\n";
  for (std::size_t r = height; r-- > 0;) {
    text += "  |";
    for (std::size_t c = 0; c < width; ++c) {
      const double at_s =
          largest_s[sampled(r, height, rows) * columns + sampled(c, width, columns)];
      const auto step = std::ranges::find(steps_s, at_s);
      text += step == steps_s.end() ? nowhere
                                    : letters[static_cast<std::size_t>(step - steps_s.begin())];
    }
    text += "\n";
  }
  const std::string& name = map.map.x.parameter;
  return text + "  +" + std::string(width, '-') + "\n  " +
         std::string(width + 1 > name.size() ? width + 1 - name.size() : 0, ' ') + name + "\n";
}

/// A line per H: its letter, and how much of the plane it leaves.
std::string shares(const json::MapPlan& map, const engine::MapResult& result,
                   std::size_t configuration, bool lettered) {
  using enum Table::Align;
  Table table({left, right, right});
  const double limit = engine::limit_of(map.map);
  std::size_t step = 0;
  for (const auto& layer : result.layers) {
    if (layer.configuration != configuration) {
      continue;
    }
    const auto holding =
        std::ranges::count_if(layer.values, [&](double value) { return value <= limit; });
    const double share = static_cast<double>(holding) / static_cast<double>(layer.values.size());
    table.add({lettered ? std::string(1, letters[step]) : "",
               "H = " + engine::macro_step_text(layer.macro_step_s), engine::percent_text(share)});
    ++step;
  }
  return table.text(2);
}

/// Why some points have no value of configurations that have others: how many, and an example.
std::string gaps(const engine::MapResult& result) {
  std::size_t missing = 0;
  std::size_t values = 0;
  const std::string* example = nullptr;
  for (const auto& layer : result.layers) {
    if (!why_no_value(result, layer.configuration).empty()) {
      continue;  // said of the configuration
    }
    values += layer.values.size();
    missing += layer.reasons.size();
    if (!example && !layer.reasons.empty()) {
      example = &layer.reasons.begin()->second;
    }
  }
  return example ? "No value at " + counted(missing, "point") + " of " + counted(values, "point") +
                       ", as here: " + *example + ".\n"
                 : "";
}

}  // namespace

std::string map_report(const json::MapPlan& map, const engine::MapResult& result) {
  const bool stability = map.map.quantity == engine::MapQuantity::stability;
  const bool lettered = map.map.macro_steps_s.size() <= letters.size();
  std::string text =
      bold(stability ? "Stability" : "Accuracy") + " of " + map.plan.job.problem +
      " over two parameters and the macro-step H:\n  " + axis_text(map, map.map.x) + "\n  " +
      axis_text(map, map.map.y) + "\n" +
      (stability ? "stable: no motion grows faster than in the exact system"
                 : "accurate: NRMSE of at most " + engine::percent_text(map.map.error_max) +
                       " in test " + map.map.test) +
      "\n";
  const auto labels = configuration_labels(map.plan.configurations);
  for (std::size_t c = 0; c < labels.size(); ++c) {
    text += "\n" + bold(labels[c]) + "\n";
    if (const auto reason = why_no_value(result, c); !reason.empty()) {
      text += "  " + wrapped("no value: " + reason + ".", 2) + "\n";
      continue;
    }
    if (lettered) {
      text += picture(map, engine::largest_macro_steps_s(map.map, result, c));
    }
    text += "  " + std::string(stability ? "stable" : "accurate") + " share of the plane:\n" +
            shares(map, result, c, lettered);
  }
  if (lettered) {
    text += "\nA letter is the largest H that is " +
            std::string(stability ? "stable" : "accurate") +
            " there, as are all smaller ones of the list; " + nowhere + " not even the smallest.\n";
  }
  text += gaps(result);
  return text + counted(result.layers.size() * result.layers.front().values.size(), "value") +
         " in " + duration(result.wall_s) + ".\n";
}

}  // namespace macrostep::server
