// Which form of an answer the Accept header wants.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "server/http/message/accept.hpp"

namespace {

namespace http = macrostep::server::http;

std::string accepted(std::vector<http::NamedValue> headers) {
  static constexpr std::array<std::string_view, 2> offered{"application/json", "text/csv"};
  http::Request request;
  request.headers = std::move(headers);
  return std::string(http::accepted_type(request, offered).value_or("none"));
}

}  // namespace

TEST_CASE("the Accept header chooses the form of an answer by its quality values") {
  CHECK(accepted({}) == "application/json");
  struct Row {
    const char* accept;
    const char* form;
  };
  const Row rows[] = {
      {"", "application/json"},
      {"*/*", "application/json"},
      {"text/csv", "text/csv"},
      {"TEXT/CSV; charset=utf-8; header=present", "text/csv"},
      {"text/*", "text/csv"},
      {"text/csv, application/json", "application/json"},  // alike: the default
      {"application/json;q=0.5, text/csv;q=0.6", "text/csv"},
      {"application/json;q=0.5 ,\ttext/csv ; q=0.4", "application/json"},
      {"*/*;q=0.1, text/csv;q=0.01", "application/json"},
      {"application/json;q=0, */*", "text/csv"},  // the more particular range counts
      {"text/csv;q=0, text/*", "none"},
      {"text/html, application/xhtml+xml, */*;q=0.8", "application/json"},
      {"image/png", "none"},
      {"application/json;q=0", "none"},
      {"application/json;q=2, text/csv;q=0.1", "text/csv"},  // what cannot be read is passed over
      {"json, /, */json, ;q=1,,", "none"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.accept);
    CHECK(accepted({{"accept", row.accept}}) == row.form);
  }
  CHECK(accepted({{"accept", "text/csv;q=0.2"}, {"accept", "application/json;q=0.1"}}) ==
        "text/csv");
}
