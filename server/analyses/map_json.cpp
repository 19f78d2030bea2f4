#include "server/analyses/map_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/benchmarks/catalogue.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/labels.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/choices.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "server/json/vocabulary.hpp"

namespace macrostep::server::json {

namespace {

constexpr const char* map_kind = "map";
constexpr const char* map_member = "map";
constexpr int default_axis_points = 50;
constexpr int default_map_macro_steps = 8;

/// What a map of this job may name; where its problem is not known, nothing is checked.
struct MapWords {
  std::vector<std::string> parameters, tests;
};

MapWords words_of(const engine::Job& job) {
  MapWords words;
  for (const auto& test : job.tests) {
    words.tests.push_back(test.name);
  }
  if (const auto* built_in = engine::find_built_in(job.problem)) {
    auto built = built_in->build(job.parameters);
    if (std::holds_alternative<engine::FieldErrors>(built)) {
      built = built_in->build({});
    }
    words.parameters =
        vocabulary_of(std::get<engine::Problem>(built), built_in->parameters).parameters;
  }
  return words;
}

std::optional<std::string> read_name_of(const Value& value, const std::vector<std::string>& known) {
  auto name = value.text();
  if (name && !known.empty() && std::ranges::find(known, *name) == known.end()) {
    value.fail(unknown_name(*name, known));
    return std::nullopt;
  }
  return name;
}

void read_axis(const Value& value, const MapWords& words, engine::MapAxis& axis) {
  Members members(value);
  if (!value.json().is_object()) {
    return;  // reported
  }
  const auto number = [](const Value& member) { return member.number(); };
  read_required(members, "parameter", axis.parameter,
                [&](const Value& member) { return read_name_of(member, words.parameters); });
  read_required(members, "minimum", axis.minimum, number);
  read_required(members, "maximum", axis.maximum, number);
  read_member(members, "count", axis.count,
              [](const Value& count) { return count.integer(2, engine::max_map_axis_points); });
  read_choice(members, "scale", axis.scale, engine::map_scale_from,
              std::array{engine::MapScale::linear, engine::MapScale::log});
}

/// A list, or {minimum_s, maximum_s, count} with equal ratios between.
void read_macro_steps(const Value& value, std::vector<double>& steps_s) {
  if (!value.json().is_object()) {
    auto numbers = value.numbers();
    if (value.json().is_array()) {
      std::ranges::sort(numbers);
      steps_s = std::move(numbers);
    }
    return;
  }
  Members members(value);
  double minimum_s = steps_s.front();
  double maximum_s = steps_s.back();
  int count = default_map_macro_steps;
  const std::size_t before = value.errors().count();
  const auto positive = [](const Value& member) { return member.positive(); };
  read_member(members, "minimum_s", minimum_s, positive);
  read_member(members, "maximum_s", maximum_s, positive);
  read_member(members, "count", count, [](const Value& member) {
    return member.integer(1, static_cast<int>(engine::max_map_macro_steps));
  });
  if (value.errors().count() != before) {
    return;
  }
  if (count > 1 && !(maximum_s > minimum_s)) {
    value.errors().add(pointer_to(value.pointer(), "maximum_s"), "must be larger than minimum_s");
    return;
  }
  steps_s = engine::logarithmic_values(minimum_s, maximum_s, count);
}

void read_members(const Value& value, const MapWords& words, engine::MapJob& map) {
  Members members(value);
  if (!value.json().is_object()) {
    return;  // reported
  }
  for (const auto& [name, axis] : {std::pair("x", &map.x), std::pair("y", &map.y)}) {
    if (const auto member = members.find(name)) {
      read_axis(*member, words, *axis);
    } else {
      value.errors().add(pointer_to(value.pointer(), name), "is missing: the parameter to vary");
    }
  }
  if (const auto steps = members.find("macro_steps_s")) {
    read_macro_steps(*steps, map.macro_steps_s);
  }
  read_choice(members, "quantity", map.quantity, engine::map_quantity_from,
              std::array{engine::MapQuantity::stability, engine::MapQuantity::accuracy});
  read_member(members, "error_max", map.error_max,
              [](const Value& member) { return member.positive(); });
  read_member(members, "test", map.test,
              [&](const Value& member) { return read_name_of(member, words.tests); });
}

/// What a map has where the job says nothing.
engine::MapJob default_map(const engine::Job& job) {
  engine::MapJob map;
  map.x.count = map.y.count = default_axis_points;
  const auto& grid = job.macro_step;
  map.macro_steps_s =
      grid.maximum_s > grid.initial_s && grid.initial_s > 0
          ? engine::logarithmic_values(grid.initial_s, grid.maximum_s, default_map_macro_steps)
          : std::vector{grid.initial_s};
  map.test = job.tests.empty() ? "" : job.tests.front().name;
  return map;
}

nlohmann::ordered_json axis_json(const engine::MapAxis& axis) {
  return {{"parameter", axis.parameter},
          {"minimum", axis.minimum},
          {"maximum", axis.maximum},
          {"count", axis.count},
          {"scale", to_string(axis.scale)}};
}

}  // namespace

std::variant<MapPlan, engine::FieldErrors> read_map(const nlohmann::json& document) {
  Errors errors;
  nlohmann::json base = document;
  std::optional<nlohmann::json> own;
  if (base.is_object()) {
    if (const auto kind = base.find("kind"); kind != base.end()) {
      if (*kind != map_kind) {
        errors.add("/kind", std::string("must be \"") + map_kind + "\"");
      }
      base.erase(kind);
    }
    if (const auto member = base.find(map_member); member != base.end()) {
      own = std::move(*member);
      base.erase(member);
    } else {
      errors.add("/map",
                 "is missing: what to vary, as {\"x\": {\"parameter\": …, \"minimum\": …, "
                 "\"maximum\": …}, \"y\": {…}}");
    }
  }
  const engine::FmuSource no_fmus = [](const std::string&) {
    return std::string("a map is of built-in problems only");
  };
  const auto labels = refuse_labels(base);
  for (const auto& [pointer, message] : labels) {
    errors.add(pointer, message);
  }
  auto reading = read_job(base, no_fmus, map_member);
  engine::MapJob map = default_map(reading.job);
  if (own) {
    read_members(Value(*own, "/map", errors), words_of(reading.job), map);
  }
  auto planned = plan_of(std::move(reading));
  auto* plan = std::get_if<engine::Plan>(&planned);
  auto all = std::move(errors).take();
  if (!plan) {
    auto& of_base = std::get<engine::FieldErrors>(planned);
    of_base.insert(of_base.end(), all.begin(), all.end());
    return std::move(of_base);
  }
  if (all.empty()) {
    all = engine::check_map(map, *plan);
  }
  if (!all.empty()) {
    return all;
  }
  return MapPlan{std::move(*plan), std::move(map)};
}

nlohmann::ordered_json map_job_json(const MapPlan& job) {
  auto json = job_json(job.plan.job);
  const auto& map = job.map;
  json["kind"] = map_kind;
  json["map"] = {{"x", axis_json(map.x)},
                 {"y", axis_json(map.y)},
                 {"macro_steps_s", map.macro_steps_s},
                 {"quantity", to_string(map.quantity)},
                 {"error_max", map.error_max},
                 {"test", map.test}};
  return json;
}

std::string unit_of(const engine::Plan& plan, const std::string& parameter) {
  const auto* built_in = engine::find_built_in(plan.job.problem);
  if (!built_in) {
    return {};
  }
  const auto dot = parameter.find('.');
  std::string of_group = parameter;
  if (const auto* subsystem = plan.problem.find_subsystem(parameter.substr(0, dot));
      subsystem && dot != std::string::npos) {
    of_group = subsystem->group + parameter.substr(dot);
  }
  for (const auto& info : built_in->parameters) {
    if (info.path == parameter || info.path == of_group) {
      return info.unit;
    }
  }
  return {};
}

}  // namespace macrostep::server::json
