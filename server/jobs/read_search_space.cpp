#include "server/jobs/read_search_space.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/job/preset.hpp"
#include "engine/plan/check_job.hpp"
#include "server/jobs/correction_json.hpp"
#include "server/json/choices.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::json {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// A list of different names, each turned into a value by `from`.
template <class Item, class From>
std::optional<std::vector<Item>> read_names(const Value& list,
                                            const std::vector<std::string>& available, From from) {
  std::vector<Item> items;
  std::set<std::string> seen;
  const auto elements = list.elements();
  if (list.json().is_array() && elements.empty()) {
    list.fail("must name at least one; available: " + listed(available));
    return std::nullopt;
  }
  for (const Value& element : elements) {
    const auto name = element.text();
    if (!name) {
      continue;
    }
    const std::optional<Item> item = from(*name);
    if (!item || !contains(available, *name)) {
      element.fail(unknown_name(*name, available));
    } else if (!seen.insert(*name).second) {
      element.fail(in_quotes(*name) + " is listed twice");
    } else {
      items.push_back(*item);
    }
  }
  return items.empty() ? std::nullopt : std::optional(std::move(items));
}

const auto read_positive = [](const Value& value) { return value.positive(); };

void read_macro_step(const Value& value, engine::MacroStepGrid& grid) {
  Members members(value);
  for (const auto& [name, target] :
       {std::pair{"initial_s", &grid.initial_s}, std::pair{"increment_s", &grid.increment_s},
        std::pair{"maximum_s", &grid.maximum_s}}) {
    const auto member = members.find(name);
    if (member && !member->is_left_open()) {
      *target = member->positive().value_or(*target);
    }
  }
}

void read_linear_region(const Value& value, engine::LinearRegionSettings& settings) {
  using engine::Rule;
  Members members(value);
  read_choice(members, "rule", settings.rule, engine::rule_from,
              std::array{Rule::local_power_law, Rule::tangent, Rule::baseline_power_law});
  read_member(members, "tolerance", settings.tolerance, read_positive);
  settings.points = engine::usual_points(settings.rule);
  read_member(members, "points", settings.points, [](const Value& points) {
    return points.integer(engine::min_fit_points, engine::max_fit_points);
  });
  if (settings.rule != Rule::baseline_power_law && settings.scan == engine::ScanKind::refined) {
    settings.scan = engine::ScanKind::geometric;  // unless it is asked for
  }
  read_choice(members, "scan", settings.scan, engine::scan_from, engine::all_scans);
  read_member(members, "ratio", settings.ratio, [](const Value& ratio) {
    auto number = ratio.number();
    if (number && *number <= 1) {
      ratio.fail("must be greater than 1");
      number.reset();
    }
    return number;
  });
}

void read_integrators(const Value& value, const Vocabulary& words, engine::SearchSpace& space) {
  for (const auto& [group, list] : value.entries()) {
    const auto offered = words.integrators.find(group);
    if (words.known && offered == words.integrators.end()) {
      std::vector<std::string> groups;
      for (const auto& [known, integrators] : words.integrators) {
        groups.push_back(known);
      }
      list.fail(unknown_name(group, groups));
      continue;
    }
    const auto names = words.known ? offered->second : names_of(models::all_integrators);
    if (auto read = read_names<models::Integrator>(list, names, models::integrator_from)) {
      space.integrators[group] = std::move(*read);
    }
  }
}

std::optional<std::vector<double>> read_allowed_macro_steps(const Value& value) {
  std::vector<double> allowed;
  if (value.is_null()) {
    return allowed;
  }
  for (const Value& element : value.elements()) {
    if (const auto step = element.positive()) {
      allowed.push_back(*step);
    }
  }
  if (value.json().is_array() && value.json().empty()) {
    value.fail("must list at least one macro-step, or be null for any");
  }
  std::ranges::sort(allowed);
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  return allowed;
}

/// Lists of subsystem names; the plan checks that each names them all.
std::optional<std::vector<std::vector<std::string>>> read_orders(const Value& value) {
  std::vector<std::vector<std::string>> orders;
  for (const Value& element : value.elements()) {
    auto& order = orders.emplace_back();
    for (const Value& name : element.elements()) {
      order.push_back(name.text().value_or(""));
    }
  }
  return orders;
}

/// The share of H; nothing where there is no limit.
std::optional<double> read_real_time(const Value& value) {
  if (value.is_null()) {
    return std::nullopt;
  }
  Members members(value);
  const auto share = members.find("share");
  if (!share && value.json().is_object()) {
    value.fail("needs its share: of H that 99.9 % of the macro-steps may take, as in " +
               std::string(R"({"share": 0.8})"));
  }
  return share ? share->number() : std::nullopt;
}

void read_iteration(const Value& value, engine::Iteration& iteration) {
  Members members(value);
  const auto count = [](int minimum) {
    return
        [minimum](const Value& number) { return number.integer(minimum, engine::max_iterations); };
  };
  read_member(members, "tolerance", iteration.tolerance, read_positive);
  read_member(members, "maximum", iteration.maximum, count(1));
  if (const auto repeats = members.find("repeats")) {
    iteration.repeats = repeats->is_null() ? std::nullopt : count(0)(*repeats);
  }
}

/// A member of which only one value is available.
void read_fixed(Members& members, std::string_view name, const nlohmann::json& only) {
  const auto value = members.find(name);
  if (!value || value->json() == only) {
    return;
  }
  if (only.is_string()) {
    if (const auto text = value->text()) {
      value->fail(unknown_name(*text, std::vector{only.get<std::string>()}));
    }
    return;
  }
  value->fail("is not available: leave it out, or write " + only.dump());
}

/// First of all, as the other members are held against it.
void read_preset(Members& members, engine::Job& job) {
  const auto value = members.find("preset");
  if (!value || value->is_null()) {
    return;
  }
  const auto name = value->text();
  const auto preset = name ? engine::preset_from(*name) : std::nullopt;
  if (!preset) {
    if (name) {
      value->fail(unknown_name(*name, names_of(engine::all_presets)));
    }
    return;
  }
  engine::apply(*preset, job);
  const auto* built_in = engine::find_built_in(job.problem);
  if (built_in != nullptr && built_in->paper_grid) {
    job.macro_step = *built_in->paper_grid;
  }
}

}  // namespace

void read_search_space(const Value& value, const Vocabulary& words, engine::Job& job) {
  using engine::Correction;
  using engine::Extrapolation;
  using engine::Scheme;
  Members members(value);
  engine::SearchSpace& space = job.space;
  read_preset(members, job);
  read_member(members, "couplings", space.couplings, [&](const Value& list) {
    if (!words.known) {
      return std::optional<std::vector<std::string>>();
    }
    return read_names<std::string>(list, words.couplings,
                                   [](const std::string& name) { return std::optional(name); });
  });
  read_member(members, "schemes", space.schemes, [](const Value& list) {
    return read_names<Scheme>(list, names_of(engine::all_schemes), engine::scheme_from);
  });
  read_member(members, "orders", space.orders, read_orders);
  if (const auto iteration = members.find("iteration")) {
    read_iteration(*iteration, job.iteration);
  }
  read_member(members, "extrapolation", space.extrapolation, [](const Value& list) {
    return read_names<Extrapolation>(list, names_of(engine::all_extrapolations),
                                     engine::extrapolation_from);
  });
  if (const auto integrators = members.find("integrators")) {
    read_integrators(*integrators, words, space);
    space.integrator_sets = engine::IntegratorSets::product;  // all that is named, if not said
  }
  read_choice(members, "integrator_sets", space.integrator_sets, engine::integrator_sets_from,
              engine::all_integrator_sets);
  read_member(members, "corrections", space.corrections, [](const Value& list) {
    return read_names<Correction>(list, names_of(engine::all_corrections), engine::correction_from);
  });
  if (const auto parameters = members.find("correction_parameters")) {
    read_correction_parameters(*parameters, space.correction_parameters);
  }
  if (const auto grid = members.find("macro_step")) {
    read_macro_step(*grid, job.macro_step);
    if (grid->json().is_object() && gives_number(grid->json(), "increment_s") &&
        job.linear_region.scan == engine::ScanKind::refined) {
      job.linear_region.scan = engine::ScanKind::arithmetic;  // unless another one is asked for
    }
  }
  read_member(members, "allowed_macro_steps_s", job.allowed_macro_steps_s,
              read_allowed_macro_steps);
  if (const auto region = members.find("linear_region")) {
    read_linear_region(*region, job.linear_region);
  }
  read_member(members, "event_phases", job.event_phases,
              [](const Value& count) { return count.integer(1, engine::most_event_phases); });
  if (const auto limit = members.find("relative_residual_max")) {
    job.relative_residual_max = limit->is_null() ? std::nullopt : limit->positive();
  }
  if (const auto accuracy = members.find("accuracy")) {
    job.accuracy = accuracy->is_null() ? std::nullopt : accuracy->positive();
  }
  read_choice(members, "stability_check", job.stability_check, engine::stability_check_from,
              engine::all_stability_checks);
  read_member(members, "validate_unseen", job.validate_unseen,
              [](const Value& choice) { return choice.boolean(); });
  read_member(members, "minimum_macro_steps", job.minimum_macro_steps,
              [](const Value& count) { return count.integer(1, std::numeric_limits<int>::max()); });
  if (const auto real_time = members.find("real_time")) {
    job.real_time_share = read_real_time(*real_time);
  }
  read_fixed(members, "indicator", "residual_energy");
}

}  // namespace macrostep::server::json
