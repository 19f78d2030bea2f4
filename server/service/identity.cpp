#include "server/service/identity.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <system_error>

namespace macrostep::server::service {

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
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  const auto now = std::chrono::floor<milliseconds>(system_clock::now());
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  const std::time_t time = system_clock::to_time_t(second);
  std::tm utc{};
  gmtime_r(&time, &utc);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text.data() + size, text.size() - size, ".%03dZ",
                static_cast<int>((now - second).count()));
  return text.data();
}

}  // namespace macrostep::server::service
