#include "server/base/durable_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

namespace {


constexpr mode_t file_mode = 0644;
constexpr std::size_t max_file_bytes = std::size_t{1} << 30U;
constexpr std::size_t block_bytes = std::size_t{1} << 16U;

[[noreturn]] void fail(int error, const std::filesystem::path& file) {
  throw std::system_error(error, std::generic_category(), file.string());
}

void sync(const Descriptor& descriptor, const std::filesystem::path& file) {
  if (::fsync(descriptor.get()) != 0) {
    fail(errno, file);
  }
}

void write_all(const Descriptor& out, std::string_view text, const std::filesystem::path& file) {
  while (!text.empty()) {
    const auto written = ::write(out.get(), text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      fail(errno, file);
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

}  // namespace

void write_durably(const std::filesystem::path& file, std::string_view text) {
  // Renaming would put a file in the place of a device or of a link to another file.
  const auto there = std::filesystem::symlink_status(file);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    fail(EEXIST, file);
  }
  // A name of its own: two runs of one chunk may write at the same time, on two machines.
  std::string beside = file.string() + ".XXXXXX";
  Descriptor out(::mkostemp(beside.data(), O_CLOEXEC));
  if (out.get() < 0) {
    fail(errno, file);
  }
  try {
    write_all(out, text, file);
    if (::fchmod(out.get(), file_mode) != 0) {
      fail(errno, file);
    }
    sync(out, file);
    std::filesystem::rename(beside, file);
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) {
    fail(errno, folder);
  }
  sync(directory, folder);
}

std::string read_whole(const std::filesystem::path& file) {
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (in.get() < 0 || ::fstat(in.get(), &status) != 0) {
    fail(errno, file);
  }
  if (!S_ISREG(status.st_mode)) {
    throw NoRegularFile(file);
  }
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + block_bytes);
    const auto taken = ::read(in.get(), text.data() + size, block_bytes);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(taken, 0)));
    if (taken == 0) {
      return text;
    }
    if (taken < 0 && errno != EINTR) {
      fail(errno, file);
    }
    if (text.size() > max_file_bytes) {
      fail(EFBIG, file);
    }
  }
}

}  // namespace macrostep::server
