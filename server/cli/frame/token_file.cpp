#include "server/cli/frame/token_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "server/base/descriptor.hpp"
#include "server/cli/frame/command.hpp"

namespace macrostep::server {

namespace {

constexpr mode_t of_others = 077;

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw CommandError(Failure::bad_usage, "token file " + file + ": " + reason);
}

/// There access lists do what modes cannot tell.
bool is_credential(const std::string& file) {
  const char* directory = std::getenv("CREDENTIALS_DIRECTORY");
  return directory != nullptr && *directory == '/' &&
         std::filesystem::path(file).parent_path() == std::filesystem::path(directory);
}

}  // namespace

std::string read_token(const std::string& file) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) {
    refuse(file, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    refuse(file, "not a regular file");
  }
  if ((status.st_mode & of_others) != 0 && !is_credential(file)) {
    refuse(file, "others than its owner have access to it; chmod 600 it");
  }
  std::array<char, max_token_bytes + 1> bytes{};
  const auto count = ::read(descriptor.get(), bytes.data(), bytes.size());
  if (count < 0) {
    refuse(file, std::strerror(errno));
  }
  std::string line(bytes.data(), static_cast<std::size_t>(count));
  line.resize(std::min(line.find('\n'), line.size()));
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  const bool printable = std::ranges::all_of(line, [](char c) { return c > 0x20 && c < 0x7f; });
  if (!printable || line.size() < min_token_bytes || line.size() > max_token_bytes) {
    refuse(file, "its first line must be " + std::to_string(min_token_bytes) + " to " +
                     std::to_string(max_token_bytes) +
                     " printable ASCII characters without spaces");
  }
  return line;
}

}  // namespace macrostep::server
