// Server-sent events: what a stream sends, and the hub that wakes streams that wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// Server-sent events: what a handler returns to keep a response open and what wakes it.
///
/// A stream is pulled, not pushed: the connection asks its source for the events after the last
/// sequence it wrote, whenever the hub has been notified and the previous write has been taken by
/// the client. So a slow reader costs one batch of memory, and replay and live are the same call.
namespace macrostep::server::http {

/// One event of a stream; `sequence` is the persisted number the client sends back in
/// Last-Event-ID, `data` is usually one line of JSON.
struct Event {
  std::int64_t sequence = 0;
  std::string name;
  std::string data;
};

struct EventBatch {
  std::vector<Event> events;
  /// Nothing will ever follow these events: the stream ends once they are written.
  bool finished = false;
};

/// Returns at most `limit` events with a sequence above `after`, in ascending order. Called on the
/// listener's threads, never twice at once for one stream; must be quick, may throw (the stream
/// then ends and the client reconnects).
using EventSource = std::function<EventBatch(std::int64_t after, std::size_t limit)>;

/// Wakes the streams when new events are stored. Thread-safe.
class EventHub {
 public:
  using Wake = std::function<void()>;

  /// Ends the subscription when destroyed; the wake is not running and never called afterwards.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(Subscription&&) noexcept = default;
    Subscription& operator=(Subscription&& other) noexcept;
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    ~Subscription();

   private:
    friend class EventHub;
    struct State;
    Subscription(std::shared_ptr<State> state, std::list<Wake>::iterator position);
    std::shared_ptr<State> state_;
    std::list<Wake>::iterator position_;
  };

  EventHub();

  /// `wake` runs inside notify() under the hub's lock: it must only hand over, never block or
  /// touch the hub.
  Subscription subscribe(Wake wake);
  /// Call after the events are visible to the sources.
  void notify();

 private:
  std::shared_ptr<Subscription::State> state_;
};

/// The open part of a response (see message.hpp).
struct EventStream {
  EventSource source;
  std::shared_ptr<EventHub> hub;
  /// The client has everything up to and including this sequence.
  std::int64_t after = 0;
};

/// The frame of one event as sent: id, event and data lines and the empty line.
std::string event_frame(const Event& event);

}  // namespace macrostep::server::http
