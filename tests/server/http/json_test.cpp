#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "server/http/message/json_body.hpp"

using macrostep::server::http::JsonLimits;
using macrostep::server::http::read_json;

namespace {

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

}  // namespace

TEST_CASE("well-formed JSON is read exactly") {
  nlohmann::json value;
  CHECK_FALSE(read_json(R"( {"a":[1,-2,0.1,1e-5,true,null,"é\u00e9😀"],"b":{}} )", value));
  CHECK(value["a"][0] == 1);
  CHECK(value["a"][2].get<double>() == 0.1);
  CHECK(value["a"][6] == "éé😀");
  CHECK(value["b"].is_object());
  CHECK_FALSE(read_json("18446744073709551615", value));
  CHECK(value.get<std::uint64_t>() == 18446744073709551615u);
  CHECK_FALSE(read_json(nested(32), value));
}

TEST_CASE("whatever is not strictly JSON is refused with its place") {
  struct Case {
    const char* text;
    std::size_t byte;
    const char* pointer;
    const char* message;
  };
  const Case cases[] = {
      {"", 0, "", "unexpected end of input"},
      {"{", 1, "", "unexpected end of input"},
      {R"({"a":1)", 6, "/a", "unexpected end of input"},
      {R"({"a":1,})", 7, "/a", "expected string literal"},
      {R"({"a":1} x)", 8, "", "expected end of input"},
      {R"({"a":1,"b":{"c":1,"c":2}})", 20, "/b/c", "duplicate member \"c\""},
      {R"({"a":[1,NaN]})", 8, "/a/0", "invalid literal"},
      {R"({"a":Infinity})", 5, "/a", "invalid literal"},
      {R"([1e999])", 6, "/0", "number overflow"},
      {R"([-])", 2, "/0", "invalid number"},
      {R"([01])", 3, "/0", "unexpected number literal"},
      {"[\"\xff\"]", 2, "/0", "UTF-8"},
      {"[\"\xc0\xaf\"]", 2, "/0", "UTF-8"},
      {"[\"\xed\xa0\x80\"]", 3, "/0", "UTF-8"},
      {R"(["\ud800"])", 8, "/0", "surrogate"},
      {R"(["a\u0000b"])", 10, "/0", "U+0000"},
      {R"({"a\u0000":1})", 9, "", "U+0000"},
      {"[\"a\nb\"]", 3, "/0", "control character"},
      {"{'a':1}", 1, "", "invalid literal"},
      {"[1 /* x */]", 3, "/0", "invalid literal"},
  };
  for (const Case& test : cases) {
    CAPTURE(test.text);
    nlohmann::json value = 1;
    const auto error = read_json(test.text, value);
    REQUIRE(error.has_value());
    CAPTURE(error->message);
    CHECK(error->byte == test.byte);
    CHECK(error->pointer == test.pointer);
    CHECK(error->message.find(test.message) != std::string::npos);
    CHECK(value.is_null());
  }
  nlohmann::json value;
  CHECK(read_json(std::string_view("[1]\0[", 5), value)->byte == 3);
}

TEST_CASE("the message names line, column and byte") {
  nlohmann::json value;
  const auto error = read_json("{\n \"a\": 1,\n \"a\": 2}", value);
  REQUIRE(error.has_value());
  CHECK(error->message == "line 3, column 4 (byte 14): duplicate member \"a\"");
}

TEST_CASE("size, depth and number of values are bounded") {
  nlohmann::json value;
  CHECK(read_json(nested(33), value)->message.find("32 levels") != std::string::npos);
  CHECK(read_json(std::string(1'000'000, '['), value)->message.find("32 levels") !=
        std::string::npos);
  JsonLimits limits;
  limits.bytes = 10;
  CHECK(read_json("[1,2,3,4,5]", value, limits)->message.find("10 bytes") != std::string::npos);
  limits = {};
  limits.values = 3;
  CHECK_FALSE(read_json("[1,2]", value, limits));
  CHECK(read_json("[1,2,3]", value, limits)->message.find("3 values") != std::string::npos);
  // What the parser quotes of the input is cut short.
  CHECK(read_json('"' + std::string(100'000, 'a'), value)->message.size() < 500);
}
