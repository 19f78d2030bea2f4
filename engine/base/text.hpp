// Numbers and texts in messages for people.
#pragma once

#include <string>

#include "models/subsystem/utf8.hpp"

namespace macrostep::engine {

/// Four significant digits: "0.3021", "1.8", "3790".
std::string number_text(double value);

/// As many digits as it takes to read back the same number: "0.1", "1e-07".
std::string exact_text(double value);

/// "1.8 ms" of a time ≥ 0 in s, rounded down to three digits: an H that is shown is never larger
/// than the one that was found. From 10 s on in s, below 1 µs in µs.
std::string macro_step_text(double time_s);

/// "less than a second", "about 42 s", "about 3.5 min", "about 2.1 h", "about 12 days", "about 3.2
/// years" of a time in s that is an estimate.
std::string rough_duration_text(double time_s);

/// "0.34 %", "120 %" of a share.
std::string percent_text(double share);

/// ln of a growth within a session that is rounding: what grows by less neither grows nor decays.
inline constexpr double smallest_exponent = 1e-6;

/// A rate of growth, and how long a session is.
struct GrowthOverSession {
  double rate_per_s = 0;
  double session_s = 0;
};

/// "decays", "neither grows nor decays", "grows by 4 % in a session of 100 s", "doubles every 7 s";
/// of an infinite rate "grows beyond all numbers within one macro-step".
std::string growth_text(const GrowthOverSession& growth);

/// A user's text at a length that fits a message.
std::string shortened(const std::string& text);

using models::character_count;
using models::whole_characters;

}  // namespace macrostep::engine
