// Reads server-sent events from another machine's server.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "server/http/message/events.hpp"

namespace macrostep::server::http {

/// Server-sent events out of the pieces of a stream, by the rules of the HTML standard: the other
/// end of event_frame(). Comments, such as heartbeats, and unknown fields are passed over; an event
/// without data is none.
class EventReader {
 public:
  /// Longer lines, or events, are refused: std::length_error.
  static constexpr std::size_t max_event_bytes = 64u << 20;

  /// Calls `found` for every event that is complete with this piece.
  void take(std::string_view piece, const std::function<void(const Event&)>& found);
  /// A new connection: what had come of an event is forgotten.
  void reset();

 private:
  void take_line(const std::function<void(const Event&)>& found);

  std::string line_;
  bool after_return_ = false;  ///< the last byte was CR: an LF that follows ends no further line
  Event event_;
  bool has_data_ = false;
};

}  // namespace macrostep::server::http
