// What a person must know, as a code with its numbers: notices.
//
// The engine hands out notices, never sentences. One table (the other files of this room) has a row
// for every code: its name, its severity and its sentence with placeholders. The sentence is made
// where it is shown: terminal, page, API and database say the same words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

/// A value in SI, with the unit in its name: macro_step_s, power_W; counts and shares have none:
/// curves, share.
struct NoticeNumber {
  std::string name;
  double value = 0;

  bool operator==(const NoticeNumber&) const = default;
};

struct Notice {
  NoticeCode code = NoticeCode::bond_factor;
  std::string subject = {};  ///< tests, subsystem, connection or configuration
  std::vector<NoticeNumber> numbers = {};
  std::string detail = {};          ///< text that comes from elsewhere, as an FMU's message
  std::string check = {};           ///< of verification: growth, change, swing, unseen …
  std::vector<Notice> causes = {};  ///< what it was found by

  bool operator==(const Notice&) const = default;
};

/// All rows, one for each code, in the order of the codes.
std::span<const NoticeSentence> notice_sentences();

std::string_view to_string(Severity severity);

/// The name of a code, as in JSON and SQL: "little_margin".
std::string_view to_string(NoticeCode code);

std::optional<NoticeCode> notice_code_from(std::string_view name);

Severity severity_of(NoticeCode code);

/// What it says, in plain words, without a full stop. A number that the sentence wants and the
/// notice lacks is our bug: the program ends.
std::string sentence(const Notice& notice);

/// The sentences of all, in their order.
std::vector<std::string> sentences(std::span<const Notice> notices);

/// All sentences as one: "…; …".
std::string joined_sentences(std::span<const Notice> notices);

/// Sorts by severity, errors first; notices of one severity keep their order, and those that follow
/// another one (NoticeSentence::follows) stay behind it.
void put_worst_first(std::vector<Notice>& notices);

/// What a cliff is: the same words wherever one is told of.
inline constexpr std::string_view cliff_meaning =
    "where runs fail or their residual exceeds its line tenfold";

}  // namespace macrostep::engine
