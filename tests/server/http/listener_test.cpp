// The listener over real sockets on 127.0.0.1, port 0. Timeouts are shortened, every wait is
// bounded.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tests/server/http/http_fixture.hpp"

using namespace macrostep::server::http;
using namespace macrostep::tests;

TEST_CASE("requests on one connection are answered in order and logged") {
  TestServer server;
  RawClient client(server.port());
  client.send(server.get("/hello"));
  const std::string first = client.read_response();
  CHECK(status_of(first) == 200);
  CHECK(first.ends_with("\r\n\r\n{\"a\":1}"));
  CHECK(has(first, "content-security-policy: default-src 'self'"));
  CHECK(has(first, "x-content-type-options: nosniff"));
  CHECK(has(first, "x-request-id: "));
  // Three at once: pipelined requests wait for their turn.
  client.send(request_text(server.port(), "POST /echo", json_header, "{\"b\":2}") +
              server.get("/none") + request_text(server.port(), "DELETE /hello"));
  CHECK(client.read_response().ends_with("{\"b\":2}"));
  CHECK(status_of(client.read_response()) == 404);
  const std::string refused = client.read_response();
  CHECK(status_of(refused) == 405);
  CHECK(has(refused, "allow: GET, HEAD, OPTIONS"));
  client.send(server.get("/hello", "Connection: close\r\n"));
  CHECK(has(client.read_response(), "connection: close"));
  CHECK(client.read_to_end().empty());
  CHECK(client.ended());

  const auto records = server.records(5);
  REQUIRE(records.size() == 5);
  CHECK(records[0].method == "GET");
  CHECK(records[0].path == "/hello");
  CHECK(records[0].status == 200);
  CHECK(records[0].bytes == first.size());
  CHECK(has(first, "x-request-id: " + records[0].request_id + "\r\n"));
  CHECK(records[0].request_id != records[1].request_id);
  CHECK(records[2].status == 404);
}

TEST_CASE("HEAD has the headers of GET and no body; a known ETag is 304") {
  TestServer server;
  RawClient client(server.port());
  client.send(request_text(server.port(), "HEAD /hello"));
  const std::string head = client.read_response(true);
  CHECK(has(head, "content-length: 7\r\n"));
  const std::size_t at = head.find("etag: ");
  REQUIRE(at != std::string::npos);
  const std::string tag = head.substr(at + 6, head.find("\r\n", at) - at - 6);
  client.send(server.get("/hello", "If-None-Match: " + tag + "\r\n"));
  const std::string unchanged = client.read_response(true);
  CHECK(status_of(unchanged) == 304);
  CHECK_FALSE(has(unchanged, "content-length"));
  client.send(request_text(server.port(), "OPTIONS /hello"));
  CHECK(status_of(client.read_response(true)) == 204);
  client.send(server.get("/hello"));
  CHECK(client.read_response().ends_with("{\"a\":1}"));
}

TEST_CASE("requests that are refused get their status and the connection ends") {
  TestServer server;
  const std::uint16_t port = server.port();
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  struct Case {
    std::string bytes;
    int status;
  };
  const Case cases[] = {
      {"GET /hello HTTP/1.1\r\n\r\n", 400},
      {"GET /hello HTTP/1.1\r\n" + host + host + "\r\n", 400},
      {"nonsense\r\n\r\n", 400},
      {"POST /echo HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n", 400},
      {"GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
      {"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 421},
      {request_text(port, "POST /echo", "Content-Type: text/plain\r\n", "{}"), 415},
      {request_text(port, "POST /echo", "Content-Type: text/plain\r\nOrigin: http://evil\r\n",
                    "{}"),
       403},
      {request_text(port, "POST /echo", std::string(json_header) + "Sec-Fetch-Site: cross-site\r\n",
                    "{}"),
       403},
      {request_text(port, "GET /" + std::string(20'000, 'a')), 431},
  };
  for (const Case& test : cases) {
    CAPTURE(test.bytes.substr(0, 200));
    RawClient client(port);
    client.send(test.bytes);
    const std::string response = client.read_response();
    CHECK(status_of(response) == test.status);
    CHECK(has(response, "application/problem+json"));
    CHECK(has(response, "connection: close"));
    CHECK(client.read_to_end().empty());
    CHECK(client.ended());
  }
}

TEST_CASE("a body of 10 MB is refused with an answer that arrives") {
  TestServer server;
  const std::string body(10'000'000, ' ');
  SUBCASE("announced") {
    const auto bytes = request_text(server.port(), "POST /echo", json_header, body);
    CHECK(status_of(exchange(server.port(), bytes)) == 413);
  }
  SUBCASE("in chunks") {
    std::string bytes = request_text(server.port(), "POST /echo",
                                     std::string(json_header) + "Transfer-Encoding: chunked\r\n");
    for (std::size_t at = 0; at < body.size(); at += 100'000) {
      bytes += "186a0\r\n" + body.substr(at, 100'000) + "\r\n";
    }
    CHECK(status_of(exchange(server.port(), bytes + "0\r\n\r\n")) == 413);
  }
  SUBCASE("8 MiB are accepted") {
    const auto bytes =
        request_text(server.port(), "POST /echo", json_header, body.substr(0, 8u << 20));
    CHECK(status_of(exchange(server.port(), bytes)) == 201);
  }
}

TEST_CASE("Expect: 100-continue is answered before the body, or by the refusal") {
  TestServer server;
  RawClient client(server.port());
  const std::string headers = std::string(json_header) + "Expect: 100-continue\r\n";
  client.send(request_text(server.port(), "POST /echo", headers + "Content-Length: 2\r\n"));
  CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("{}");
  CHECK(client.read_response().ends_with("{}"));
  client.send(request_text(server.port(), "POST /echo", headers + "Content-Length: 90000000\r\n"));
  CHECK(status_of(client.read_response()) == 413);
}

TEST_CASE("a handler that throws is a 500 that does not tell why; the log does") {
  TestServer server;
  RawClient client(server.port());
  client.send(server.get("/throws") + server.get("/hello"));
  const std::string response = client.read_response();
  CHECK(status_of(response) == 500);
  CHECK_FALSE(has(response, "secret"));
  CHECK(status_of(client.read_response()) == 200);
  const auto records = server.records(2);
  REQUIRE(records.size() == 2);
  CHECK(records[0].error == "secret cause");
  CHECK(records[1].error.empty());
}

TEST_CASE("slow clients are closed: silent, in the headers, in the body, reading") {
  ListenerOptions options;
  options.timeouts.idle = options.timeouts.header = options.timeouts.body = 200ms;
  options.timeouts.write = options.timeouts.linger = 200ms;
  TestServer server(options);
  SUBCASE("nothing sent") {
    RawClient client(server.port());
    CHECK(client.read_to_end().empty());
    CHECK(client.ended());
  }
  SUBCASE("a byte now and then does not extend the deadline of the headers") {
    RawClient client(server.port());
    client.send("GET /hello HTTP/1.1\r\nX: ");
    bool taken = true;
    for (int i = 0; i < 500 && taken; ++i) {
      taken = client.send("a");
      std::this_thread::sleep_for(20ms);
    }
    CHECK_FALSE(taken);
  }
  SUBCASE("headers not finished") {
    RawClient client(server.port());
    client.send("GET /hello HTTP/1.1\r\n");
    CHECK(status_of(client.read_to_end()) == 408);
    CHECK(client.ended());
  }
  SUBCASE("body not finished") {
    RawClient client(server.port());
    client.send(request_text(server.port(), "POST /echo",
                             std::string(json_header) + "Content-Length: 10\r\n") +
                "{");
    CHECK(status_of(client.read_to_end()) == 408);
    CHECK(client.ended());
  }
  SUBCASE("answer not read") {
    RawClient client(server.port());
    for (int i = 0; i < 10; ++i) {
      client.send(server.get("/big"));  // more than the system buffers
    }
    const auto records = server.records(1);
    for (int i = 0; i < 500 && server.records(1).back().cut_by == CutBy::nobody; ++i) {
      std::this_thread::sleep_for(20ms);
    }
    CHECK(server.records(1).back().cut_by == CutBy::client);
  }
}

TEST_CASE("connections beyond the limit are turned away, and welcome again later") {
  ListenerOptions options;
  options.max_connections = 2;
  TestServer server(options);
  auto first = std::make_unique<RawClient>(server.port());
  RawClient second(server.port());
  first->send(server.get("/hello"));
  first->read_response();
  second.send(server.get("/hello"));
  second.read_response();
  RawClient third(server.port());
  const std::string refusal = third.read_response();
  CHECK(status_of(refusal) == 503);
  CHECK(refusal.find("content-type: application/problem+json\r\n") != std::string::npos);
  CHECK(refusal.find("\"status\":503") != std::string::npos);
  first.reset();
  bool welcome = false;
  for (int i = 0; i < 500 && !welcome; ++i) {
    welcome = status_of(exchange(server.port(), server.get("/hello"))) == 200;
    if (!welcome) {
      std::this_thread::sleep_for(10ms);
    }
  }
  CHECK(welcome);
}

TEST_CASE("stopping ends streams and idle connections; the port is free again") {
  auto server = std::make_unique<TestServer>();
  const std::uint16_t port = server->port();
  RawClient idle(port);
  idle.send(server->get("/hello"));
  idle.read_response();
  RawClient stream(port);
  stream.send(server->get("/events"));
  stream.read_until("retry: 2000\n\n");
  server->listener().stop();
  CHECK(idle.read_to_end().empty());
  CHECK(idle.ended());
  CHECK(stream.read_to_end().empty());
  CHECK(stream.ended());
  CHECK_THROWS_AS(RawClient{port}, std::runtime_error);
  for (const AccessRecord& record : server->records(2)) {
    CHECK(record.cut_by == CutBy::nobody);
  }
  server.reset();
  ListenerOptions options;
  options.port = port;
  CHECK_NOTHROW(Listener(options, Router{}));
}

TEST_CASE("stopping drops after its time what does not end by itself") {
  ListenerOptions options;
  options.timeouts.shutdown = 100ms;
  TestServer server(options);
  RawClient unread(server.port());
  unread.send(server.get("/flood"));
  RawClient half(server.port());
  half.send("GET /hello HTTP/1.1\r\n");
  unread.read_until("data: ");
  server.listener().stop();
  half.read_to_end();
  CHECK(half.ended());
}

TEST_CASE("an answer that is being read slowly when the server stops arrives whole") {
  TestServer server;
  RawClient client(server.port(), 4096);
  client.send(server.get("/huge") + server.get("/hello"));  // the second is not under way
  std::string text = client.read_until("\r\n\r\n");
  CHECK(status_of(text) == 200);
  std::thread stopping([&] { server.listener().stop(); });
  std::size_t received = 0;
  for (int i = 0; i < 20; ++i) {
    received += client.read_at_least(TestServer::huge_bytes / 25).size();
    std::this_thread::sleep_for(50ms);
  }
  CHECK(received < TestServer::huge_bytes);
  text = client.read_to_end();
  stopping.join();
  // The second was read with the first, and is answered before the connection ends.
  const std::size_t at = text.find("HTTP/1.1 ");
  REQUIRE(at != std::string::npos);
  CHECK(received + at == TestServer::huge_bytes);
  CHECK(has(text, "connection: close"));
  const auto records = server.records(2);
  REQUIRE(records.size() == 2);
  CHECK(records[0].path == "/huge");
  CHECK(records[0].cut_by == CutBy::nobody);
}

TEST_CASE("a reader that never reads holds a stop for its time, and is cut by the stop") {
  ListenerOptions options;
  options.timeouts.shutdown = 300ms;
  TestServer server(options);
  RawClient client(server.port(), 4096);
  client.send(server.get("/huge"));
  client.read_until("\r\n\r\n");
  {
    RawClient gone(server.port(), 4096);
    gone.send(server.get("/huge"));
    gone.read_until("\r\n\r\n");
  }
  CHECK(server.records(1).at(0).cut_by == CutBy::client);
  const auto begin = std::chrono::steady_clock::now();
  server.listener().stop();
  CHECK(std::chrono::steady_clock::now() - begin >= 300ms);
  const auto records = server.records(2);
  REQUIRE(records.size() == 2);
  CHECK(records[1].cut_by == CutBy::stop);
  CHECK(records[1].route == "/huge");
}

TEST_CASE("clients that come and go in every state leave nothing behind") {
  TestServer server;
  std::vector<std::thread> threads;
  std::atomic<bool> stop = false;
  threads.emplace_back([&] {
    for (int i = 0; i < 100'000 && !stop; ++i) {
      if (i < 2'000) {
        server.events.append("x");
      }
      std::this_thread::sleep_for(1ms);
    }
  });
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        RawClient client(server.port());
        const int state = (i + t) % 4;  // 0: connected only
        if (state == 1) {
          client.send("GET /hel");
        }
        if (state == 2) {
          client.send(server.get("/events"));
        }
        if (state == 3) {
          client.send(server.get("/big") + server.get("/hello"));
        }
        if (state >= 2 && i % 3 == 0) {
          client.read_until("HTTP/1.1 200");
        }
      }
    });
  }
  for (std::size_t t = 1; t < threads.size(); ++t) {
    threads[t].join();
  }
  stop = true;
  threads[0].join();
  CHECK(status_of(exchange(server.port(), server.get("/hello"))) == 200);
}

TEST_CASE("an address that cannot be listened on is one clear sentence") {
  const Router router;
  ListenerOptions options;
  options.port = 0;
  CHECK_NOTHROW(try_address(options));
  const Listener taken(options, router);
  CHECK(taken.url() == "http://127.0.0.1:" + std::to_string(taken.port()));
  options.port = taken.port();
  CHECK_THROWS_WITH_AS(Listener(options, router),
                       ("cannot listen on 127.0.0.1 port " + std::to_string(taken.port()) +
                        ": Address already in use")
                           .c_str(),
                       std::runtime_error);
  CHECK_THROWS_AS(try_address(options), std::system_error);
  options.address = "nowhere";
  CHECK_THROWS_AS(Listener(options, router), std::runtime_error);
  options.address = "0.0.0.0";
  CHECK_THROWS_WITH_AS(Listener(options, router),
                       "cannot listen on 0.0.0.0: only loopback addresses are allowed",
                       std::runtime_error);
}
