// What an instance of an exported FMU throws where a call cannot be carried out.
#pragma once

#include <stdexcept>
#include <string>

namespace macrostep::engine {

/// Why a call cannot be carried out.
struct CallRefused : std::runtime_error {
  explicit CallRefused(const std::string& why, bool is_discard = false)
      : std::runtime_error(why), discard(is_discard) {}
  bool discard;  ///< the instance is as good as before
};

}  // namespace macrostep::engine
