// A listener on 127.0.0.1 with shortened timeouts, and what it serves, for tests over real sockets.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/http/message/problem.hpp"
#include "server/http/server/listener.hpp"
#include "server/http/server/router.hpp"
#include "tests/server/http/http_client.hpp"

namespace macrostep::tests {

using namespace server::http;
using namespace std::chrono_literals;

/// Events as a store would keep them: appended by one thread, listed by the streams.
class EventLog {
 public:
  void append(std::string data, bool last = false) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back({static_cast<std::int64_t>(events_.size()) + 1, "points", std::move(data)});
      finished_ = last;
    }
    hub->notify();
  }

  EventBatch list(std::int64_t after, std::size_t limit) {
    const std::lock_guard lock(mutex_);
    EventBatch batch;
    for (const Event& event : events_) {
      if (event.sequence > after && batch.events.size() < limit) {
        batch.events.push_back(event);
      }
    }
    batch.finished = finished_ && (batch.events.empty() ||
                                   batch.events.back().sequence == events_.back().sequence);
    return batch;
  }

  std::shared_ptr<EventHub> hub = std::make_shared<EventHub>();

 private:
  std::mutex mutex_;
  std::vector<Event> events_;
  bool finished_ = false;
};

class TestServer {
 public:
  explicit TestServer(ListenerOptions options = {}) {
    router_.add("GET", "/hello", [](const Request&) { return json_response(200, "{\"a\":1}"); });
    router_.add("POST", "/echo", [](const Request& r) { return json_response(201, r.body); });
    router_.add("GET", "/big", [](const Request&) {
      return text_response(200, "text/plain", std::string(3'000'000, 'x'));
    });
    router_.add("GET", "/huge", [](const Request&) {  // more than sockets buffer
      return text_response(200, "text/plain", std::string(huge_bytes, 'x'));
    });
    const auto lengthy = [this](const Request&) {
      ++lengthy_begun_;
      for (int i = 0; i < 1000 && !may_end; ++i) {
        std::this_thread::sleep_for(10ms);
      }
      return text_response(200, "text/plain", "done");
    };
    router_.add("GET", "/lengthy", lengthy, Work::lengthy);
    const auto has_much = [](const Request& r) { return r.body == "\"much\""; };
    router_.add(
        "POST", "/work",
        [=](const Request& r) { return has_much(r) ? lengthy(r) : json_response(201, r.body); },
        [=](const Request& r) { return has_much(r) ? Work::lengthy : Work::quick; });
    router_.add("GET", "/throws",
                [](const Request&) -> Response { throw std::runtime_error("secret cause"); });
    router_.add("GET", "/events", [this](const Request& request) {
      Response response;
      response.stream = EventStream{
          [this](std::int64_t after, std::size_t limit) { return events.list(after, limit); },
          events.hub, request.last_event_id().value_or(0)};
      return response;
    });
    router_.add("GET", "/flood", [this](const Request&) {
      Response response;
      response.stream =
          EventStream{[](std::int64_t after, std::size_t) {
                        return EventBatch{{{after + 1, "flood", std::string(100'000, 'x')}}, false};
                      },
                      events.hub, 0};
      return response;
    });
    options.port = 0;
    listener_ = std::make_unique<Listener>(options, router_, [this](const AccessRecord& record) {
      const std::lock_guard lock(mutex_);
      records_.push_back(record);
    });
    listener_->start();
  }

  /// The records once there are at least `count` of them (or after ten seconds).
  std::vector<AccessRecord> records(std::size_t count) {
    for (int i = 0; i < 1000; ++i) {
      {
        const std::lock_guard lock(mutex_);
        if (records_.size() >= count) {
          return records_;
        }
      }
      std::this_thread::sleep_for(10ms);
    }
    const std::lock_guard lock(mutex_);
    return records_;
  }

  /// Whether so many lengthy requests are being worked on, or were, within ten seconds.
  bool has_begun_lengthy(int count) const {
    for (int i = 0; i < 1000 && lengthy_begun_ < count; ++i) {
      std::this_thread::sleep_for(10ms);
    }
    return lengthy_begun_ >= count;
  }

  std::uint16_t port() const { return listener_->port(); }
  Listener& listener() { return *listener_; }
  std::string get(std::string_view path, std::string_view headers = "") const {
    return request_text(port(), "GET " + std::string(path), headers);
  }

  EventLog events;
  std::atomic<bool> may_end = false;  ///< what is lengthy; after ten seconds it ends
  static constexpr std::size_t huge_bytes = 30'000'000;

 private:
  Router router_;
  std::mutex mutex_;
  std::vector<AccessRecord> records_;
  std::atomic<int> lengthy_begun_ = 0;
  std::unique_ptr<Listener> listener_;  // last: its threads use the members above
};

inline int status_of(const std::string& response) {
  return response.starts_with("HTTP/1.1 ") ? std::stoi(response.substr(9, 3)) : 0;
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// What a client that sends these bytes and then waits gets back.
inline std::string exchange(std::uint16_t port, std::string_view bytes) {
  RawClient client(port);
  client.send(bytes);
  return client.read_response();
}

inline constexpr const char* json_header = "Content-Type: application/json\r\n";

}  // namespace macrostep::tests
