// Requests that take long, over real sockets: the others do not wait for them, nor does a stop.
#include <doctest/doctest.h>

#include <memory>
#include <thread>
#include <vector>

#include "tests/server/http/http_fixture.hpp"

using namespace macrostep::server::http;
using namespace macrostep::tests;

TEST_CASE("lengthy requests leave the others their threads, and are limited in number") {
  ListenerOptions options;
  options.threads = 1;
  options.lengthy_threads = 1;
  options.max_lengthy = 3;
  TestServer server(options);
  constexpr std::size_t asked = 8;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::size_t i = 0; i < asked; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(server.get("/lengthy"));
  }
  for (const auto& record : server.records(asked - options.max_lengthy)) {
    CHECK(record.status == 503);
  }
  CHECK(status_of(exchange(server.port(), server.get("/hello"))) == 200);
  server.may_end = true;
  std::size_t done = 0;
  for (const auto& client : clients) {
    const std::string response = client->read_response();
    if (status_of(response) == 200) {
      ++done;
    } else {
      CHECK(has(response, "retry-after: "));
    }
  }
  CHECK(done == options.max_lengthy);
  // Their places are free again, and a connection goes on as after any other request.
  clients[0]->send(server.get("/lengthy") + server.get("/hello"));
  CHECK(clients[0]->read_response().ends_with("done"));
  CHECK(status_of(clients[0]->read_response()) == 200);
}

TEST_CASE("a route of which some requests are lengthy answers the others at once") {
  ListenerOptions options;
  options.threads = 1;
  options.lengthy_threads = 1;
  options.max_lengthy = 1;
  TestServer server(options);
  RawClient client(server.port());
  client.send(request_text(server.port(), "POST /work", json_header, "\"much\""));
  REQUIRE(server.has_begun_lengthy(1));
  const auto ask = [&](const std::string& body) {
    return status_of(
        exchange(server.port(), request_text(server.port(), "POST /work", json_header, body)));
  };
  CHECK(ask("1") == 201);
  CHECK(ask("\"much\"") == 503);
  server.may_end = true;
  CHECK(client.read_response().ends_with("done"));
}

TEST_CASE("a lengthy request that is under way when the server stops is answered") {
  TestServer server;
  RawClient client(server.port());
  client.send(server.get("/lengthy"));
  REQUIRE(server.has_begun_lengthy(1));
  std::thread stopping([&] { server.listener().stop(); });
  std::this_thread::sleep_for(100ms);
  server.may_end = true;
  CHECK(client.read_to_end().ends_with("done"));
  client.close();
  stopping.join();
  CHECK(server.records(1).at(0).cut_by == CutBy::nobody);
}

TEST_CASE("lengthy requests that nobody has begun when a stop is over are cut by it") {
  ListenerOptions options;
  options.threads = 1;
  options.lengthy_threads = 1;
  options.timeouts.shutdown = 100ms;
  TestServer server(options);
  RawClient first(server.port());
  RawClient second(server.port());
  first.send(server.get("/lengthy"));
  REQUIRE(server.has_begun_lengthy(1));
  // The only thread of the sockets goes on with what came with a request before it answers others.
  second.send(server.get("/hello") + server.get("/lengthy"));
  CHECK(status_of(second.read_response()) == 200);
  CHECK(status_of(exchange(server.port(), server.get("/hello"))) == 200);
  std::thread ending([&] {
    std::this_thread::sleep_for(300ms);
    server.may_end = true;
  });
  server.listener().stop();
  ending.join();
  const auto records = server.records(4);
  REQUIRE(records.size() == 4);
  for (const auto& record : records) {
    CHECK(record.cut_by == (record.route == "/lengthy" ? CutBy::stop : CutBy::nobody));
  }
}
