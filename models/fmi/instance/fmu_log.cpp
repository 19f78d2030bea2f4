#include "models/fmi/instance/fmu_log.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace macrostep::models::fmi {

namespace {

/// Both versions of the standard predefine these names, and others of less interest.
constexpr std::array<std::string_view, 4> standard_error_categories{
    "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"};

}  // namespace

std::vector<const char*> error_categories(const ModelDescription& description) {
  std::vector<const char*> categories;
  for (const auto& declared : description.log_categories) {
    if (std::ranges::find(standard_error_categories, declared) != standard_error_categories.end()) {
      categories.push_back(declared.c_str());
    }
  }
  return categories;
}

void FmuLog::add(const char* message) {
  if (message == nullptr) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  auto& slot = messages_[count_++ % max_kept_messages];
  slot.assign(message, strnlen(message, max_message_length));
  // Control characters would tear tables and logs apart.
  std::ranges::replace_if(
      slot, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  while (slot.ends_with(' ')) {
    slot.pop_back();
  }
}

void FmuLog::clear() {
  const std::scoped_lock lock(mutex_);
  count_ = 0;
}

std::string FmuLog::tail() const {
  const std::scoped_lock lock(mutex_);
  std::string text;
  const std::size_t first = count_ > max_kept_messages ? count_ - max_kept_messages : 0;
  for (std::size_t i = first; i < count_; ++i) {
    text += "; " + messages_[i % max_kept_messages];
  }
  return text;
}

}  // namespace macrostep::models::fmi
