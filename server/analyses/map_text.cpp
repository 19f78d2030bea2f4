#include "server/analyses/map_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/text.hpp"
#include "server/json/words.hpp"
#include "server/results/result_json.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// "m1: exact integration" of a table, "Jacobi" of a name, "2.5" of a number.
std::string words_of_member(const OrderedJson& value) {
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, member] : value.items()) {
      text += (text.empty() ? "" : ", ") + key + ": " + words_of_member(member);
    }
    return text;
  }
  if (value.is_array()) {
    std::string text;
    for (const auto& element : value) {
      text += (text.empty() ? "" : ", then ") + words_of_member(element);
    }
    return text;
  }
  return value.is_string() ? json::word(value.get<std::string>()) : value.dump();
}

/// The members of a configuration, tables taken apart: "integrators.m1".
std::vector<std::pair<std::string, OrderedJson>> flat(const OrderedJson& configuration) {
  std::vector<std::pair<std::string, OrderedJson>> members;
  for (const auto& [name, value] : configuration.items()) {
    if (!value.is_object()) {
      members.emplace_back(name, value);
      continue;
    }
    for (const auto& [key, member] : value.items()) {
      members.emplace_back(name + "." + key, member);
    }
  }
  return members;
}

/// "extrapolation 2", "without correction", "m1: exact integration".
std::string label_of_member(const std::string& name, const OrderedJson& value) {
  const auto words = words_of_member(value);
  if (name == "correction") {
    return value == "none" ? "without correction" : words + " correction";
  }
  const auto dot = name.find('.');
  return dot != name.npos          ? name.substr(dot + 1) + ": " + words
         : name == "extrapolation" ? "extrapolation " + words
                                   : words;
}

/// One row of the plane after the other, as arrays.
template <class Number>
OrderedJson rows_json(std::size_t columns, std::size_t points, Number number) {
  auto rows = OrderedJson::array();
  for (std::size_t i = 0; i < points; ++i) {
    if (i % columns == 0) {
      rows.push_back(OrderedJson::array());
    }
    rows.back().push_back(number(i));
  }
  return rows;
}

OrderedJson axis_json(const json::MapPlan& map, const engine::MapAxis& axis) {
  return {{"parameter", axis.parameter},
          {"unit", json::unit_of(map.plan, axis.parameter)},
          {"scale", to_string(axis.scale)},
          {"values", engine::axis_values(axis)}};
}

OrderedJson layer_json(const engine::MapLayer& layer, std::size_t columns, double limit,
                       bool values) {
  const auto holding =
      std::ranges::count_if(layer.values, [&](double value) { return value <= limit; });
  std::map<std::string, std::size_t> counts;
  for (const auto& [point, reason] : layer.reasons) {
    ++counts[reason];
  }
  auto reasons = OrderedJson::array();
  for (const auto& [reason, points] : counts) {
    reasons.push_back({{"reason", reason}, {"points", points}});
  }
  OrderedJson members = {{"macro_step_s", layer.macro_step_s},
                         {"points_within_limit", holding},
                         {"points_without_value", reasons}};
  if (values) {
    members["values"] = rows_json(columns, layer.values.size(), [&](std::size_t i) {
      return std::isfinite(layer.values[i]) ? OrderedJson(layer.values[i]) : OrderedJson();
    });
  }
  return members;
}

}  // namespace

std::string why_no_value(const engine::MapResult& result, std::size_t configuration) {
  std::string reason;
  for (const auto& layer : result.layers) {
    if (layer.configuration != configuration) {
      continue;
    }
    if (layer.reasons.size() < layer.values.size()) {
      return {};
    }
    if (reason.empty()) {
      reason = layer.reasons.begin()->second;
    }
  }
  return reason;
}

std::vector<std::string> configuration_labels(const std::vector<engine::Configuration>& all) {
  std::vector<std::vector<std::pair<std::string, OrderedJson>>> members;
  for (const auto& configuration : all) {
    members.push_back(flat(json::configuration_json(configuration)));
  }
  const auto value_in = [](const auto& list, const std::string& name) {
    const auto found = std::ranges::find(list, name, [](const auto& pair) { return pair.first; });
    return found == list.end() ? OrderedJson() : found->second;
  };
  std::vector<std::string> labels;
  for (const auto& own : members) {
    std::string label;
    for (const auto& [name, value] : own) {
      // What another configuration does not have tells nothing that its correction does not.
      const bool differs = std::ranges::any_of(members, [&](const auto& other) {
        const auto of_other = value_in(other, name);
        return !of_other.is_null() && of_other != value;
      });
      if (name != "extrapolation" && !differs) {
        continue;
      }
      label += (label.empty() ? "" : ", ") + label_of_member(name, value);
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

std::string axis_title(const json::MapPlan& map, const engine::MapAxis& axis) {
  const auto unit = json::unit_of(map.plan, axis.parameter);
  return axis.parameter + (unit.empty() ? "" : " [" + unit + "]");
}

std::string map_csv(const json::MapPlan& map, const engine::MapResult& result) {
  const auto x = engine::axis_values(map.map.x);
  const auto y = engine::axis_values(map.map.y);
  const double limit = engine::limit_of(map.map);
  const bool stability = map.map.quantity == engine::MapQuantity::stability;
  std::string text =
      "configuration,coupling,scheme,order,extrapolation,integrators,substeps,"
      "correction," +
      csv_cell(axis_title(map, map.map.x)) + "," + csv_cell(axis_title(map, map.map.y)) +
      ",macro_step_s," + (stability ? "relative_spectral_radius,stable" : "nrmse,accurate") +
      ",reason\r\n";
  for (const auto& layer : result.layers) {
    const auto members = json::configuration_json(map.plan.configurations[layer.configuration]);
    const auto cell_of = [&](const char* name) {
      const auto value = members.value(name, OrderedJson());
      return csv_cell(value.is_null()     ? ""
                      : value.is_string() ? value.get<std::string>()
                                          : value.dump());
    };
    std::string begin = std::to_string(layer.configuration);
    for (const char* name : {"coupling", "scheme", "order", "extrapolation", "integrators",
                             "substeps", "correction"}) {
      begin += "," + cell_of(name);
    }
    const auto step = "," + engine::exact_text(layer.macro_step_s) + ",";
    for (std::size_t i = 0; i < layer.values.size(); ++i) {
      const double value = layer.values[i];
      const bool known = std::isfinite(value);
      const auto reason = layer.reasons.find(i);
      text += begin + "," + engine::exact_text(x[i % x.size()]) + "," +
              engine::exact_text(y[i / x.size()]) + step +
              (known ? engine::exact_text(value) : "") + "," +
              (!known           ? ""
               : value <= limit ? "1"
                                : "0") +
              "," + (reason == layer.reasons.end() ? "" : csv_cell(reason->second)) + "\r\n";
    }
  }
  return text;
}

OrderedJson map_json(const json::MapPlan& map, const engine::MapResult& result, bool values) {
  const auto columns = static_cast<std::size_t>(map.map.x.count);
  const double limit = engine::limit_of(map.map);
  const auto labels = configuration_labels(map.plan.configurations);
  auto configurations = OrderedJson::array();
  for (std::size_t c = 0; c < labels.size(); ++c) {
    auto layers = OrderedJson::array();
    for (const auto& layer : result.layers) {
      if (layer.configuration == c) {
        layers.push_back(layer_json(layer, columns, limit, values));
      }
    }
    const auto largest_s = engine::largest_macro_steps_s(map.map, result, c);
    configurations.push_back(
        {{"label", labels[c]},
         {"configuration", json::configuration_json(map.plan.configurations[c])},
         {"layers", layers},
         {"largest_macro_step_s", rows_json(columns, largest_s.size(), [&](std::size_t i) {
            return largest_s[i] > 0 ? OrderedJson(largest_s[i]) : OrderedJson();
          })}});
  }
  return {{"problem", map.plan.job.problem},
          {"quantity", to_string(map.map.quantity)},
          {"limit", limit},
          {"test", map.map.quantity == engine::MapQuantity::accuracy ? OrderedJson(map.map.test)
                                                                     : OrderedJson()},
          {"x", axis_json(map, map.map.x)},
          {"y", axis_json(map, map.map.y)},
          {"macro_steps_s", map.map.macro_steps_s},
          {"configurations", configurations}};
}

}  // namespace macrostep::server
