#include "server/results/study_json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/json/json_text.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;
using Plain = nlohmann::json;

/// Throws what reading a field of another type throws, too.
[[noreturn]] void refuse(const Plain& value) {
  throw Plain::other_error::create(501, "no study writes this", &value);
}

struct Range {
  double least = 0, most = std::numeric_limits<double>::max();
};

double number_from(const Plain& value, const Range& range = {}) {
  const auto number = value.get<double>();
  if (!(number >= range.least && number <= range.most)) {
    refuse(value);
  }
  return number;
}

double positive_from(const Plain& value) {
  return number_from(value, {.least = std::numeric_limits<double>::min()});
}

std::optional<double> optional_from(const Plain& value) {
  return value.is_null() ? std::nullopt : std::optional(number_from(value));
}

template <class Whole>
Whole whole_from(const Plain& value) {
  if (!value.is_number_unsigned() || !std::in_range<Whole>(value.get<std::uint64_t>())) {
    refuse(value);
  }
  return value.get<Whole>();
}

Json outcome_json(const engine::RuleOutcome& outcome) {
  const bool recommends = outcome.configuration.has_value();
  return {{"rule", outcome.rule},
          {"configuration", recommends ? Json(*outcome.configuration) : Json()},
          {"macro_step_s", recommends ? number(outcome.macro_step_s) : Json()},
          {"stable", recommends ? Json(outcome.quality.stable) : Json()},
          {"nrmse", number(outcome.quality.nrmse)},
          {"worst_input", recommends ? Json(outcome.quality.input) : Json()},
          {"cost", number(outcome.cost)},
          {"agreed", outcome.agreed.empty() ? Json() : Json(outcome.agreed)}};
}

engine::RuleOutcome outcome_from(const Plain& json) {
  engine::RuleOutcome outcome{
      .rule = json.at("rule").get<std::string>(), .configuration = {}, .quality = {}, .agreed = {}};
  if (!json.at("configuration").is_null()) {
    outcome.configuration = whole_from<std::size_t>(json.at("configuration"));
    outcome.macro_step_s = positive_from(json.at("macro_step_s"));
    outcome.quality.stable = json.at("stable").get<bool>();
    outcome.quality.nrmse = optional_from(json.at("nrmse"));
    outcome.quality.input = json.at("worst_input").get<std::string>();
  }
  outcome.cost = number_from(json.at("cost"));
  if (!json.at("agreed").is_null()) {
    outcome.agreed = json.at("agreed").get<std::string>();
    if (outcome.agreed != "growth" && outcome.agreed != "swing") {
      refuse(json);
    }
  }
  return outcome;
}

}  // namespace

Json study_row_json(const engine::StudyRow& row) {
  Json configurations = Json::array();
  for (std::size_t i = 0; i < row.configurations.size(); ++i) {
    const auto& limits = row.limits[i];
    configurations.push_back({{"configuration", row.configurations[i]},
                              {"stable_up_to_s", number(limits.stable_s)},
                              {"nrmse_1_percent_up_to_s", number(limits.accurate_s[0])},
                              {"nrmse_5_percent_up_to_s", number(limits.accurate_s[1])}});
  }
  Json rules = Json::array();
  for (const auto& outcome : row.outcomes) {
    rules.push_back(outcome_json(outcome));
  }
  return {{"number", row.number},
          {"family", row.family},
          {"linear", row.linear},
          {"description", row.description},
          {"initial_macro_step_s", number(row.initial_macro_step_s)},
          {"largest_macro_step_s", number(row.largest_macro_step_s)},
          {"unseen_share", number(row.unseen_share)},
          {"configurations", std::move(configurations)},
          {"rules", std::move(rules)},
          {"failure", row.failure.empty() ? Json() : Json(row.failure)}};
}

namespace {

/// Whether it has an outcome of every rule, in their order, each of a configuration of its own.
bool fits(const engine::StudyRow& row, engine::StudyRules which) {
  if (!row.failure.empty()) {
    return true;
  }
  const auto& rules = engine::study_rules(which);
  return row.outcomes.size() == rules.size() &&
         std::ranges::equal(row.outcomes, rules, {}, &engine::RuleOutcome::rule,
                            &engine::StudyRule::name) &&
         std::ranges::all_of(row.outcomes, [&](const engine::RuleOutcome& outcome) {
           return !outcome.configuration || *outcome.configuration < row.limits.size();
         });
}

}  // namespace

std::optional<engine::StudyRow> study_row_from(const Plain& json, engine::StudyRules rules) {
  try {
    engine::StudyRow row{.number = whole_from<std::uint64_t>(json.at("number")),
                         .family = json.at("family").get<std::string>(),
                         .linear = json.at("linear").get<bool>(),
                         .description = json.at("description").get<std::string>(),
                         .initial_macro_step_s = positive_from(json.at("initial_macro_step_s")),
                         .largest_macro_step_s = positive_from(json.at("largest_macro_step_s")),
                         .unseen_share = number_from(json.at("unseen_share"), {.most = 1}),
                         .configurations = {},
                         .limits = {},
                         .outcomes = {},
                         .failure = {}};
    for (const auto& one : json.at("configurations")) {
      row.configurations.push_back(one.at("configuration").get<std::string>());
      row.limits.push_back({.stable_s = optional_from(one.at("stable_up_to_s")),
                            .accurate_s = {optional_from(one.at("nrmse_1_percent_up_to_s")),
                                           optional_from(one.at("nrmse_5_percent_up_to_s"))}});
    }
    for (const auto& one : json.at("rules")) {
      row.outcomes.push_back(outcome_from(one));
    }
    if (!json.at("failure").is_null()) {
      row.failure = json.at("failure").get<std::string>();
    }
    return fits(row, rules) ? std::optional(row) : std::nullopt;
  } catch (const Plain::exception&) {
    return std::nullopt;
  }
}

Json score_json(const engine::Score& score) {
  Json rules = Json::array();
  for (const auto& rule : score.rules) {
    rules.push_back({{"rule", rule.rule},
                     {"problems", rule.problems},
                     {"recommended", rule.recommended},
                     {"unsafe", rule.unsafe},
                     {"unsafe_rate_95_percent", {rule.unsafe_rate.low, rule.unsafe_rate.high}},
                     {"efficiency", number(rule.efficiency)},
                     {"efficiency_of_best", number(rule.efficiency_of_best)},
                     {"with_limit", rule.with_limit},
                     {"rank", number(rule.rank)},
                     {"relative_cost", number(rule.cost)}});
  }
  return {{"criterion", to_string(score.criterion)},
          {"without_limit", score.without_limit},
          {"rules", std::move(rules)}};
}

Json check_count_json(const engine::CheckCount& count) {
  const auto rate = engine::wilson_interval(count.stable, count.recommended);
  return {{"check", count.check},
          {"family", count.family ? Json(*count.family) : Json()},
          {"recommended", count.recommended},
          {"stable", count.stable},
          {"stable_rate_95_percent", {rate.low, rate.high}}};
}

}  // namespace macrostep::server::json
