// Numbers in messages, at the edges of what a double holds.
#include "engine/base/text.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace macrostep::engine;

TEST_CASE("a long text is cut between its characters") {
  CHECK(shortened("N s/m") == "N s/m");
  CHECK(shortened(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(shortened(std::string(61, 'x')) == std::string(60, 'x') + "…");
  CHECK(shortened(std::string(59, 'x') + "µm") == std::string(59, 'x') + "…");
}

TEST_CASE("characters are counted, and cut off, whole") {
  CHECK(character_count("") == 0);
  CHECK(character_count("µs … 🚜") == 6);
  CHECK(whole_characters("µs", 9) == "µs");
  CHECK(whole_characters("µs", 2) == "µ");
  CHECK(whole_characters("µs", 1).empty());
  CHECK(whole_characters("a🚜b", 4) == "a");
  CHECK(whole_characters("a🚜b", 5) == "a🚜");
}

TEST_CASE("texts of huge and infinite numbers are short and true") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double largest = std::numeric_limits<double>::max();
  CHECK(macro_step_text(1e300) == "1e+300 s");
  CHECK(macro_step_text(1e308) == "1e+308 s");
  CHECK(macro_step_text(largest) == "1.79e+308 s");
  CHECK(macro_step_text(infinity) == "unknown ms");
  CHECK(percent_text(1e9) == "100000000000 %");
  CHECK(percent_text(1e300) == "1e+302 %");
  CHECK(percent_text(largest) == "unknown");
  CHECK(number_text(infinity) == "unknown");
  CHECK(exact_text(largest) == "1.7976931348623157e+308");
  CHECK(exact_text(-infinity) == "-inf");
}

TEST_CASE("a rough time is told in the unit that suits") {
  CHECK(rough_duration_text(4.19e-3) == "less than a second");
  CHECK(rough_duration_text(1.23) == "about 1.2 s");
  CHECK(rough_duration_text(61) == "about 61 s");
  CHECK(rough_duration_text(200) == "about 3.3 min");
  CHECK(rough_duration_text(4 * 3600) == "about 4 h");
  CHECK(rough_duration_text(72 * 3600) == "about 3 days");
  CHECK(rough_duration_text(1e9) == "about 31.7 years");
  CHECK(rough_duration_text(1e308).ends_with(" years"));
}

TEST_CASE("times are shown rounded down to three digits") {
  CHECK(macro_step_text(0.0018) == "1.8 ms");
  CHECK(macro_step_text(0.0017999999999999998) == "1.8 ms");  // the same but for rounding
  CHECK(macro_step_text(0.0211899) == "21.1 ms");
  CHECK(macro_step_text(9.999e-6) == "0.00999 ms");
  CHECK(macro_step_text(1.2399) == "1230 ms");
  CHECK(macro_step_text(9.999) == "9990 ms");
  CHECK(macro_step_text(10) == "10 s");
  CHECK(macro_step_text(388.2) == "388 s");
  CHECK(macro_step_text(1e-6) == "0.001 ms");
  CHECK(macro_step_text(2.739e-8) == "0.0273 µs");
  CHECK(macro_step_text(0) == "0 ms");
}
