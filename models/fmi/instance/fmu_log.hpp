// What one instance of an FMU has said through its logger: the last words before a failure become
// part of its reason. An FMU may log without end, so only the newest messages are kept, and those
// shortened.
//
// Most FMUs say nothing unless they are asked to: error_categories() are those to ask for.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

inline constexpr std::size_t max_kept_messages = 3;
inline constexpr std::size_t max_message_length = 300;

/// The categories of warnings and errors that the FMU declares under the names of the standard. All
/// others may speak at every step, and what they say is not why a trial fails. The description must
/// outlive them.
std::vector<const char*> error_categories(const ModelDescription& description);

/// FMUs log from threads of their own.
class FmuLog {
 public:
  void add(const char* message);
  /// Forgets what was said.
  void clear();
  /// The messages, oldest first, each after "; "; empty if there is none.
  std::string tail() const;

 private:
  mutable std::mutex mutex_;
  std::array<std::string, max_kept_messages> messages_;
  std::size_t count_ = 0;
};

}  // namespace macrostep::models::fmi
