// Texts taken apart: what headers, lists in queries and variables, and lines of files share.
#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "server/base/text.hpp"

using macrostep::server::parts_of;
using macrostep::server::trimmed;
using Parts = std::vector<std::string_view>;

TEST_CASE("blanks around a text are spaces, tabs and ends of lines") {
  CHECK(trimmed(" \t a b\t\r\n") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("a list has one part more than separators, empty ones among them") {
  CHECK(parts_of("a,b", ',') == Parts{"a", "b"});
  CHECK(parts_of(",a,,", ',') == Parts{"", "a", "", ""});
  CHECK(parts_of("", ',') == Parts{""});
  CHECK(parts_of("a; b", ';') == Parts{"a", " b"});
}
