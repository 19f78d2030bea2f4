// Answers that are kept for those who ask again and again.
#include <doctest/doctest.h>

#include <string>

#include "server/api/answer_cache.hpp"

using macrostep::server::api::AnswerCache;
using macrostep::server::http::Response;

TEST_CASE("an answer is kept until the store has another revision") {
  AnswerCache cache;
  cache.keep("a", 7, Response{.status = 200, .headers = {}, .body = "seven", .stream = {}});
  // The other revision first: a slow machine may let the answer grow too old before the next line.
  CHECK_FALSE(cache.find("a", 8));
  CHECK_FALSE(cache.find("b", 7));
  cache.keep("a", 8, Response{.status = 200, .headers = {}, .body = "eight", .stream = {}});
  CHECK_FALSE(cache.find("a", 7));
  if (const auto found = cache.find("a", 8)) {
    CHECK(found->body == "eight");
  }
}

TEST_CASE("of many answers the oldest are given up, and a large one is not kept at all") {
  AnswerCache cache;
  const auto answer = [](std::string body) {
    return Response{.status = 200, .headers = {}, .body = std::move(body), .stream = {}};
  };
  for (int i = 0; i < 100; ++i) {
    cache.keep(std::to_string(i), 1, answer("small"));
  }
  CHECK_FALSE(cache.find("0", 1));
  cache.keep("large", 1, answer(std::string(2u << 20, 'x')));
  CHECK_FALSE(cache.find("large", 1));
}
