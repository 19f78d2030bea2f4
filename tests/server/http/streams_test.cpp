// Event streams over real sockets on 127.0.0.1, port 0; every wait is bounded.
#include <doctest/doctest.h>

#include <thread>

#include "tests/server/http/http_fixture.hpp"

using namespace macrostep::server::http;
using namespace macrostep::tests;

TEST_CASE("an event stream replays after Last-Event-ID and continues live to its end") {
  TestServer server;
  server.events.append("one");
  server.events.append("two");
  RawClient client(server.port());
  client.send(server.get("/events", "Last-Event-ID: 1\r\n"));
  const std::string head = client.read_until("\r\n\r\n");
  CHECK(has(head, "content-type: text/event-stream"));
  CHECK(has(head, "cache-control: no-store"));
  CHECK(has(head, "nosniff"));
  const std::string replay = client.read_until("data: two\n\n");
  CHECK(has(replay, "id: 2\nevent: points\n"));
  CHECK_FALSE(has(replay, "data: one"));
  server.events.append("three");
  CHECK(client.read_until("data: three\n\n") == "id: 3\nevent: points\ndata: three\n\n");
  server.events.append("four", true);
  CHECK(client.read_to_end() == "id: 4\nevent: points\ndata: four\n\n");
  CHECK(client.ended());

  // Coming back after the last event is answered with 204, which ends a browser's retries.
  RawClient again(server.port());
  again.send(server.get("/events", "Last-Event-ID: 4\r\n"));
  CHECK(status_of(again.read_response(true)) == 204);
  RawClient head_only(server.port());
  head_only.send(request_text(server.port(), "HEAD /events"));
  CHECK(has(head_only.read_to_end(), "text/event-stream"));
}

TEST_CASE("notifications from many threads reach every stream exactly once and in order") {
  TestServer server;
  constexpr int stream_count = 8;
  constexpr int event_count = 400;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < stream_count; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(server.get("/events"));
    clients.back()->read_until("retry: 2000\n\n");
  }
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&] {
      for (int i = 0; i < event_count / 4; ++i) {
        server.events.append("x");
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  server.events.append("last", true);
  for (const auto& client : clients) {
    const std::string text = client->read_to_end();
    int next = 1;
    for (std::size_t at = 0; (at = text.find("id: ", at)) != std::string::npos; ++at) {
      if (std::stoi(text.substr(at + 4)) != next++) {
        break;
      }
    }
    CHECK(next == event_count + 2);
  }
}

TEST_CASE("a silent stream has heartbeats, and one whose client vanished is released") {
  ListenerOptions options;
  options.timeouts.heartbeat = 50ms;
  options.max_streams = 1;
  TestServer server(options);
  {
    RawClient client(server.port());
    client.send(server.get("/events"));
    client.read_until(": heartbeat\n\n");
    client.read_until(": heartbeat\n\n");
    const std::string refused = exchange(server.port(), server.get("/events"));
    CHECK(status_of(refused) == 503);
    CHECK(has(refused, "retry-after"));
  }
  const auto records = server.records(2);
  REQUIRE(records.size() == 2);
  // Two connections, so the order of the two records is open.
  CHECK(records[0].status + records[1].status == 200 + 503);
  CHECK((records[0].status == 200 ? records[0] : records[1]).cut_by == CutBy::client);
  RawClient next(server.port());
  next.send(server.get("/events"));
  CHECK(status_of(next.read_until("retry: 2000\n\n")) == 200);
}

TEST_CASE("a stream that is not read is dropped") {
  ListenerOptions options;
  options.timeouts.write = 200ms;
  TestServer server(options);
  RawClient client(server.port());
  client.send(server.get("/flood"));
  const auto records = server.records(1);
  REQUIRE(records.size() == 1);
  CHECK(records[0].cut_by == CutBy::client);
}
