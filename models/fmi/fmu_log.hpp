// What one instance of an FMU has said through its logger: the last words before a failure become
// part of its reason. An FMU may log without end, so only the newest messages are kept, and those
// shortened.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace macrostep::models::fmi {

inline constexpr std::size_t max_kept_messages = 3;
inline constexpr std::size_t max_message_length = 300;

class FmuLog {
 public:
  void add(const char* message);
  /// The messages, oldest first, each after "; "; empty if there is none.
  std::string tail() const;

 private:
  std::array<std::string, max_kept_messages> messages_;
  std::size_t count_ = 0;
};

}  // namespace macrostep::models::fmi
