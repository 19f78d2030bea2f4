// Answers that are kept for those who ask again and again.
#include "server/respond/answer_cache.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

using server::AnswerCache;
using server::http::Response;
using namespace std::chrono_literals;

const AnswerCache::Time noon{12h};

Response answer_of(std::string body) {
  return Response{.status = 200, .headers = {}, .body = std::move(body), .stream = {}};
}

/// The body; "none" where nothing is kept.
std::string kept(const AnswerCache& cache, const std::string& id,
                 const AnswerCache::Revisions& revisions, AnswerCache::Time now = noon) {
  const auto found = cache.find(id, revisions, now);
  return found ? found->body : "none";
}

TEST_CASE("an answer is kept until the store or the service has another revision") {
  AnswerCache cache;
  cache.keep("a", {7, 3}, answer_of("first"), noon);
  CHECK(kept(cache, "a", {7, 3}) == "first");
  CHECK(kept(cache, "b", {7, 3}) == "none");
  CHECK(kept(cache, "a", {8, 3}) == "none");
  CHECK(kept(cache, "a", {7, 4}) == "none");
  cache.keep("a", {8, 4}, answer_of("second"), noon);
  CHECK(kept(cache, "a", {7, 3}) == "none");
  CHECK(kept(cache, "a", {8, 4}) == "second");
}

TEST_CASE("an answer is kept for 50 ms") {
  AnswerCache cache;
  cache.keep("a", {}, answer_of("old"), noon);
  CHECK(kept(cache, "a", {}, noon + 50ms) == "old");
  CHECK(kept(cache, "a", {}, noon + 51ms) == "none");
  cache.keep("a", {}, answer_of("new"), noon + 60ms);
  CHECK(kept(cache, "a", {}, noon + 110ms) == "new");
}

TEST_CASE("of many answers the oldest is given up first") {
  AnswerCache cache;
  const auto all = static_cast<int>(AnswerCache::most_entries);
  for (int i = 0; i < all; ++i) {
    cache.keep(std::to_string(i), {}, answer_of("one"), noon);
  }
  CHECK(kept(cache, "0", {}) == "one");
  CHECK(kept(cache, std::to_string(all - 1), {}) == "one");
  cache.keep("0", {}, answer_of("again"), noon);  // now 1 is the oldest
  cache.keep("more", {}, answer_of("one"), noon);
  CHECK(kept(cache, "0", {}) == "again");
  CHECK(kept(cache, "1", {}) == "none");
  CHECK(kept(cache, "2", {}) == "one");
  CHECK(kept(cache, "more", {}) == "one");
}

TEST_CASE("a large answer is not kept") {
  AnswerCache cache;
  cache.keep("a", {}, answer_of(std::string(AnswerCache::largest_answer, 'x')), noon);
  CHECK(kept(cache, "a", {}).size() == AnswerCache::largest_answer);
  cache.keep("b", {}, answer_of(std::string(AnswerCache::largest_answer + 1, 'x')), noon);
  CHECK(kept(cache, "b", {}) == "none");
}

/// A search that waits behind another, cancelled; its answer as it is then.
struct CancelledSearch {
  explicit CancelledSearch(const Api& api) {
    const auto running = api.submit(endless_job());
    api.wait_for(running, "running");
    id = api.submit(small_job());
    api.json("POST", path() + "/cancel", 200);
    answer = api.call("GET", path());
  }
  std::string path() const { return "/api/v1/searches/" + id; }

  std::string id;
  Response answer;
};

TEST_CASE("a client finds a search as it has just made it") {
  Api api;
  const CancelledSearch search(api);
  CHECK(Json::parse(search.answer.body).at("status") == "cancelled");
  // A change is stored first and queued then. Whoever asks in between finds it half made, and this
  // may be kept with the revisions of that moment.
  const auto keep_half_made = [&, before = api.service.revision()](const Json& half) {
    auto answer = answer_of(half.dump());
    api.application().answers.keep(search.id, {.store = api.store.revision(), .service = before},
                                   answer, std::chrono::steady_clock::now());
  };
  CHECK(api.json("POST", search.path() + "/resume", 200).at("queue_position") == 1);
  keep_half_made(Json::parse(search.answer.body));
  const auto resumed = api.get(search.path());
  CHECK(resumed.at("status") == "queued");
  CHECK(resumed.at("queue_position") == 1);

  const auto other = api.submit(small_job());
  CHECK(api.get(search.path()).at("queue_position") == 1);
  const auto before = api.service.revision();
  api.json("PATCH", "/api/v1/searches/" + other, 200, R"({"priority": 9})");
  CHECK(api.service.revision() > before);
  CHECK(api.get(search.path()).at("queue_position") == 2);
  api.json("POST", "/api/v1/searches/" + other + "/cancel", 200);
  CHECK(api.get(search.path()).at("queue_position") == 1);
  CHECK(api.call("DELETE", search.path()).status == 204);
  CHECK(api.call("GET", search.path()).status == 404);
}

TEST_CASE(
    "an answer is given again while nothing changes, but If-Match is held against a new one") {
  Api api;
  const CancelledSearch search(api);
  auto older = search.answer;
  auto body = Json::parse(older.body);
  body["progress"]["trials_done"] = 12345;  // as if it had run on meanwhile
  older.body = body.dump();
  older.with("etag", "\"older\"");
  const auto keep = [&] {
    api.application().answers.keep(
        search.id, {.store = api.store.revision(), .service = api.service.revision()}, older,
        std::chrono::steady_clock::now());
  };
  CHECK(eventually([&] {  // a machine may take 50 ms between the two
    keep();
    return *api.call("GET", search.path()).header("etag") == "\"older\"";
  }));
  keep();
  CHECK(api.call("PATCH", search.path(), "{}", {{"if-match", "\"older\""}}).status == 412);
  keep();
  CHECK(api.call("PATCH", search.path(), "{}", {{"if-match", *search.answer.header("etag")}})
            .status == 200);
}

}  // namespace
}  // namespace macrostep::tests
