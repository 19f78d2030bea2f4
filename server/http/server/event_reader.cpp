#include "server/http/server/event_reader.hpp"

#include <charconv>
#include <stdexcept>

namespace macrostep::server::http {

void EventReader::take(std::string_view piece, const std::function<void(const Event&)>& found) {
  for (const char c : piece) {
    const bool ends_return = after_return_ && c == '\n';
    after_return_ = c == '\r';
    if (ends_return) {
      continue;
    }
    if (c == '\n' || c == '\r') {
      take_line(found);
      line_.clear();
    } else {
      line_ += c;
    }
    if (line_.size() + event_.data.size() > max_event_bytes) {
      throw std::length_error("an event of the stream is too long");
    }
  }
}

void EventReader::reset() {
  *this = EventReader();
}

void EventReader::take_line(const std::function<void(const Event&)>& found) {
  if (line_.empty()) {
    if (has_data_) {
      found(event_);
    }
    // The sequence stays: it is that of the last event.
    event_.name.clear();
    event_.data.clear();
    has_data_ = false;
    return;
  }
  const std::string_view line = line_;
  const auto colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) {
    value.remove_prefix(1);
  }
  if (field == "event") {
    event_.name = value;
  } else if (field == "data") {
    event_.data += has_data_ ? "\n" : "";
    event_.data += value;
    has_data_ = true;
  } else if (field == "id") {
    std::int64_t sequence = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), sequence);
    if (error == std::errc() && end == value.data() + value.size()) {
      event_.sequence = sequence;
    }
  }
}

}  // namespace macrostep::server::http
