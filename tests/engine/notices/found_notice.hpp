// Looks notices up in lists: tests ask for codes and numbers, not for words.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "engine/notices/notice.hpp"

namespace macrostep::engine {

/// For the messages of failed checks.
inline std::ostream& operator<<(std::ostream& out, NoticeCode code) {
  return out << to_string(code);
}

inline std::ostream& operator<<(std::ostream& out, const Notice& notice) {
  return out << to_string(notice.code) << ": " << sentence(notice);
}

}  // namespace macrostep::engine

namespace macrostep::tests {

/// The first notice with the code; without one the test has failed.
inline engine::Notice found_notice(std::span<const engine::Notice> list, engine::NoticeCode code) {
  const auto found = std::ranges::find(list, code, &engine::Notice::code);
  REQUIRE_MESSAGE(found != list.end(), to_string(code));
  return *found;
}

inline bool has_notice(std::span<const engine::Notice> list, engine::NoticeCode code) {
  return std::ranges::find(list, code, &engine::Notice::code) != list.end();
}

inline std::vector<engine::NoticeCode> codes_of(std::span<const engine::Notice> list) {
  std::vector<engine::NoticeCode> codes;
  for (const auto& notice : list) {
    codes.push_back(notice.code);
  }
  return codes;
}

/// A number of the notice; without it the test has failed.
inline double number_of(const engine::Notice& notice, std::string_view name) {
  const auto found = std::ranges::find(notice.numbers, name, &engine::NoticeNumber::name);
  REQUIRE_MESSAGE(found != notice.numbers.end(), name);
  return found->value;
}

}  // namespace macrostep::tests
