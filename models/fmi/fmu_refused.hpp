// Why an FMU cannot be used, as a sentence for its user.
#pragma once

#include <stdexcept>
#include <string>

namespace macrostep::models::fmi {

struct FmuRefused : std::runtime_error {
  explicit FmuRefused(const std::string& why) : std::runtime_error(why) {}
};

}  // namespace macrostep::models::fmi
