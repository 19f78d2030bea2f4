// The client against a real listener on 127.0.0.1, port 0, and events read back from their frames.
#include <doctest/doctest.h>

#include <stdexcept>

#include "server/http/server/client.hpp"
#include "server/http/server/event_reader.hpp"
#include "tests/server/http/http_fixture.hpp"

using namespace macrostep::server::http;
using namespace macrostep::tests;

namespace {

const std::atomic<bool> goes_on{false};

ClientRequest request_to(std::uint16_t port, const std::string& target) {
  return {.host = "127.0.0.1", .port = port, .target = target, .headers = {}, .limits = {}};
}

std::vector<Event> events_in(const std::string& text, std::size_t piece) {
  std::vector<Event> events;
  EventReader reader;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    reader.take(std::string_view(text).substr(at, piece),
                [&](const Event& event) { events.push_back(event); });
  }
  return events;
}

std::string failure_of(const ClientRequest& request, const std::atomic<bool>& stop = goes_on) {
  try {
    get(request, stop);
  } catch (const ClientError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("events are read as they were written, however their bytes are cut") {
  const std::vector<Event> written{
      {1, "points", R"({"a":1})"}, {2, "", "two\nlines"}, {30, "x", " "}};
  std::string text = "retry: 2000\n\n: heartbeat\n\n";
  for (const auto& event : written) {
    text += event_frame(event);
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, text.size()}) {
    CAPTURE(piece);
    const auto read = events_in(text, piece);
    REQUIRE(read.size() == written.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      CHECK(read[i].sequence == written[i].sequence);
      CHECK(read[i].name == written[i].name);
      CHECK(read[i].data == written[i].data);
    }
  }
  // The other two ways to end a line; a sequence stays until the next; what is cut off is no event.
  const auto other = events_in("id:7\r\ndata:a\r\n\r\ndata: b\rid: x\r\rdata: cut off\n", 1);
  REQUIRE(other.size() == 2);
  CHECK(other[0].data == "a");
  CHECK(other[1].data == "b");
  CHECK(other[1].sequence == 7);
}

TEST_CASE("an event without end is refused, and forgotten with its connection") {
  EventReader reader;
  const std::string much(1 << 20, 'x');
  const auto none = [](const Event&) { FAIL("there is no event"); };
  CHECK_THROWS_AS(
      [&] {
        for (std::size_t bytes = 0; bytes <= EventReader::max_event_bytes; bytes += much.size()) {
          reader.take(much, none);
        }
      }(),
      std::length_error);
  reader.reset();
  std::size_t found = 0;
  reader.take("data: 1\n\n", [&](const Event& event) { found += event.data == "1" ? 1 : 0; });
  CHECK(found == 1);
}

TEST_CASE("the client gets what a listener answers, and says who does not") {
  TestServer server;
  const auto hello = get(request_to(server.port(), "/hello"), goes_on);
  CHECK(hello.status == 200);
  CHECK(hello.body == R"({"a":1})");
  CHECK(get(request_to(server.port(), "/none"), goes_on).status == 404);
  CHECK(get(request_to(server.port(), "/big"), goes_on).body.size() == 3'000'000);

  auto small = request_to(server.port(), "/big");
  small.limits.body_bytes = 1000;
  CHECK(has(failure_of(small), "the answer is too long"));
  auto silent = request_to(server.port(), "/lengthy");
  silent.limits.silence = 150ms;
  CHECK(has(failure_of(silent), "it takes too long"));
  server.may_end = true;

  std::uint16_t nobody = 0;
  {
    TestServer gone;
    nobody = gone.port();
  }
  const auto refused = failure_of(request_to(nobody, "/hello"));
  CHECK(has(refused, "127.0.0.1:" + std::to_string(nobody)));
  CHECK(has(refused, "cannot connect"));
  CHECK(authority("::1", 80) == "[::1]:80");
}

TEST_CASE("the client follows a stream to its end, and stops when it is told to") {
  TestServer server;
  server.events.append("one");
  server.events.append("two", true);
  auto request = request_to(server.port(), "/events");
  std::vector<std::string> seen;
  EventReader reader;
  const auto take = [&](std::string_view piece) {
    reader.take(piece, [&](const Event& event) { seen.push_back(event.data); });
  };
  const auto whole = get(request, goes_on, take);
  CHECK(whole.status == 200);
  CHECK(whole.body.empty());
  CHECK(seen == std::vector<std::string>{"one", "two"});
  request.headers.emplace_back("Last-Event-ID", "2");
  CHECK(get(request, goes_on, take).status == 204);

  TestServer endless;
  endless.events.append("one");
  std::atomic<bool> stop{false};
  seen.clear();
  reader.reset();
  get(request_to(endless.port(), "/events"), stop, [&](std::string_view piece) {
    take(piece);
    stop = !seen.empty();
  });
  CHECK(seen == std::vector<std::string>{"one"});
}
