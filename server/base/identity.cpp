#include "server/base/identity.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "server/base/time_text.hpp"

namespace macrostep::server {

std::string new_search_id() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, bits);
  return text.data();
}

std::string utc_now() {
  return utc_text(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
}

}  // namespace macrostep::server
