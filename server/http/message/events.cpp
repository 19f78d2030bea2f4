#include "server/http/message/events.hpp"

#include <iterator>
#include <string_view>
#include <utility>

namespace macrostep::server::http {

struct EventHub::Subscription::State {
  std::mutex mutex;
  std::list<Wake> wakes;
};

EventHub::EventHub() : state_(std::make_shared<Subscription::State>()) {}

EventHub::Subscription EventHub::subscribe(Wake wake) {
  const std::lock_guard lock(state_->mutex);
  state_->wakes.push_back(std::move(wake));
  return {state_, std::prev(state_->wakes.end())};
}

void EventHub::notify() {
  const std::lock_guard lock(state_->mutex);
  for (const Wake& wake : state_->wakes) {
    wake();
  }
}

EventHub::Subscription::Subscription(std::shared_ptr<State> state,
                                     std::list<Wake>::iterator position)
    : state_(std::move(state)), position_(position) {}

EventHub::Subscription& EventHub::Subscription::operator=(Subscription&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(position_, other.position_);
  return *this;
}

EventHub::Subscription::~Subscription() {
  if (!state_) {
    return;
  }
  const std::lock_guard lock(state_->mutex);
  state_->wakes.erase(position_);
}

std::string event_frame(const Event& event) {
  std::string frame = "id: " + std::to_string(event.sequence) + '\n';
  if (!event.name.empty()) {
    frame += "event: ";
    // A line break in a name would start a forged field.
    for (const char c : event.name) {
      frame += c == '\n' || c == '\r' ? ' ' : c;
    }
    frame += '\n';
  }
  // CR, LF and CRLF all end a line of the stream, so every line of the data gets its own field.
  frame += "data: ";
  for (std::size_t i = 0; i < event.data.size(); ++i) {
    const char c = event.data[i];
    if (c == '\r' && i + 1 < event.data.size() && event.data[i + 1] == '\n') {
      continue;
    }
    if (c == '\n' || c == '\r') {
      frame += "\ndata: ";
    } else {
      frame += c;
    }
  }
  frame += "\n\n";
  return frame;
}

}  // namespace macrostep::server::http
