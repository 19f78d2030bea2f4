#include "server/compare/comparison.hpp"

#include <algorithm>

#include "engine/base/field_error.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<const Json*>;  ///< one per search; null: absent

template <class Difference>
void list(Differences<Difference>& differences, Difference difference) {
  if (differences.listed.size() < max_listed_differences) {
    differences.listed.push_back(std::move(difference));
  } else {
    ++differences.more;
  }
}

Json shown(const Json* value) {
  if (value == nullptr) {
    return nullptr;
  }
  const bool is_long = value->is_array() && value->size() > max_shown_elements;
  return is_long ? Json::object({{"elements", value->size()}}) : *value;
}

bool all_alike(const Values& values) {
  return std::ranges::all_of(values, [&](const Json* value) {
    const Json* first = values.front();
    return value == first || (value != nullptr && first != nullptr && *value == *first);
  });
}

bool all_are(const Values& values, const auto& is) {
  return std::ranges::all_of(values,
                             [&](const Json* value) { return value != nullptr && is(*value); });
}

void compare(const std::string& pointer, const Values& values,
             Differences<MemberDifference>& differences);

/// The members that any of these objects has, in the order of their first appearance.
void compare_objects(const std::string& pointer, const Values& values,
                     Differences<MemberDifference>& differences) {
  std::vector<std::string> names;
  for (const auto* value : values) {
    for (const auto& [name, member] : value->items()) {
      if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  for (const auto& name : names) {
    Values members;
    for (const auto* value : values) {
      const auto found = value->find(name);
      members.push_back(found == value->end() ? nullptr : &*found);
    }
    compare(pointer + "/" + engine::pointer_token(name), members, differences);
  }
}

void compare_elements(const std::string& pointer, const Values& values,
                      Differences<MemberDifference>& differences) {
  std::size_t longest = 0;
  for (const auto* value : values) {
    longest = std::max(longest, value->size());
  }
  for (std::size_t i = 0; i < longest; ++i) {
    Values elements;
    for (const auto* value : values) {
      elements.push_back(i < value->size() ? &(*value)[i] : nullptr);
    }
    compare(pointer + "/" + std::to_string(i), elements, differences);
  }
}

/// Lists of names and numbers are one value; lists of objects, as of tests, are not.
void compare(const std::string& pointer, const Values& values,
             Differences<MemberDifference>& differences) {
  if (all_alike(values)) {
    return;
  }
  if (all_are(values, [](const Json& value) { return value.is_object(); })) {
    return compare_objects(pointer, values, differences);
  }
  if (all_are(values, [](const Json& value) {
        return value.is_array() && !value.empty() && value.front().is_object();
      })) {
    return compare_elements(pointer, values, differences);
  }
  MemberDifference difference{.pointer = pointer, .values = {}};
  for (const auto* value : values) {
    difference.values.push_back(shown(value));
  }
  list(differences, std::move(difference));
}

Differences<MemberDifference> compare_all(const std::vector<Json>& documents) {
  Values values;
  for (const auto& document : documents) {
    values.push_back(&document);
  }
  Differences<MemberDifference> differences;
  compare("", values, differences);
  return differences;
}

Json cost_of(const std::optional<db::Cost>& cost) {
  return cost ? Json::object({{"trials", cost->trials}, {"rhs_evaluations", cost->rhs_evaluations}})
              : Json(nullptr);
}

bool has_none(const auto& differences) {
  return differences.listed.empty();
}

}  // namespace

bool Comparison::identical() const {
  return has_none(job) && has_none(recommendation) && has_none(cost) && has_none(curves) &&
         has_none(only_some);
}

void Comparing::add(const SearchRows& search) {
  const std::size_t at = searches_.size();
  searches_.push_back(search.row.summary);
  const auto& recommendation = search.row.summary.recommendation;
  jobs_.push_back(Json::parse(search.row.plan));
  recommendations_.push_back(recommendation ? Json::parse(*recommendation) : Json(nullptr));
  if (recommendation) {
    recommendations_.back().erase("real_time");  // as measured: no two searches agree in it
  }
  costs_.push_back(cost_of(search.row.cost));
  wall_s_.push_back(search.row.cost ? std::optional(search.row.cost->wall_s) : std::nullopt);
  for (const auto& curve : search.curves) {
    const auto& configuration =
        search.configurations.at(static_cast<std::size_t>(curve.configuration_id)).json;
    auto& ends = curves_[{configuration, curve.test}];
    ends.resize(count_);
    ends[at] = {.present = true, .bend_s = curve.bend_s, .cliff_s = curve.cliff_s};
  }
}

Comparison Comparing::result() const {
  Comparison comparison{.searches = searches_,
                        .job = compare_all(jobs_),
                        .recommendation = compare_all(recommendations_),
                        .cost = compare_all(costs_),
                        .curves = {},
                        .only_some = {},
                        .wall_s = wall_s_};
  for (const auto& [key, ends] : curves_) {
    if (std::ranges::adjacent_find(ends, std::ranges::not_equal_to()) == ends.end()) {
      continue;
    }
    CurveDifference difference{
        .configuration = key.first, .test = key.second, .present = {}, .bend_s = {}, .cliff_s = {}};
    for (const auto& [present, bend_s, cliff_s] : ends) {
      difference.present.push_back(present);
      difference.bend_s.push_back(bend_s);
      difference.cliff_s.push_back(cliff_s);
    }
    const bool all = std::ranges::all_of(ends, &Ends::present);
    list(all ? comparison.curves : comparison.only_some, std::move(difference));
  }
  return comparison;
}

}  // namespace macrostep::server
