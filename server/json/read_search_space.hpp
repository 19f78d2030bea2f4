// The member "search" of a job: its axes, the walk in H and the rule.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/job.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "server/json/vocabulary.hpp"

namespace macrostep::server::json {

/// Overwrites those settings of the job that the object has.
void read_search_space(const Value& value, const Vocabulary& words, engine::Job& job);

/// A member of which only one value is available.
void read_fixed(Members& members, std::string_view name, const nlohmann::json& only);

/// Overwrites `target` with the one of `all` that the member names, if the object has it.
template <class Enum, class From, class All>
void read_choice(Members& members, std::string_view name, Enum& target, From from, const All& all) {
  read_member(members, name, target, [&](const Value& value) -> std::optional<Enum> {
    const auto text = value.text();
    const auto known = text ? from(*text) : std::nullopt;
    if (text && !known) {
      value.fail(unknown_name(*text, names_of(all)));
    }
    return known;
  });
}

}  // namespace macrostep::server::json
