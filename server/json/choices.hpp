// Members of a job whose value is one of several names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

/// The names of enumerators, for messages.
template <class Enums>
std::vector<std::string> names_of(const Enums& values) {
  std::vector<std::string> names;
  for (const auto value : values) {
    names.emplace_back(to_string(value));
  }
  return names;
}

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
