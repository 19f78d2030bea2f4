#include "models/fmi/fmu_log.hpp"

#include <algorithm>
#include <cstring>

namespace macrostep::models::fmi {

void FmuLog::add(const char* message) {
  if (message == nullptr) {
    return;
  }
  auto& slot = messages_[count_++ % max_kept_messages];
  slot.assign(message, strnlen(message, max_message_length));
  // Control characters would tear tables and logs apart.
  std::ranges::replace_if(
      slot, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  while (slot.ends_with(' ')) {
    slot.pop_back();
  }
}

std::string FmuLog::tail() const {
  std::string text;
  const std::size_t first = count_ > max_kept_messages ? count_ - max_kept_messages : 0;
  for (std::size_t i = first; i < count_; ++i) {
    text += "; " + messages_[i % max_kept_messages];
  }
  return text;
}

}  // namespace macrostep::models::fmi
