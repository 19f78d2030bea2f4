#include "server/service/fmu_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "server/service/identity.hpp"

namespace macrostep::server::service {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_opened = 64;
constexpr int max_attempts = 100;
constexpr const char* archive_name = "archive.fmu";
constexpr const char* files_name = "files";

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

/// Only the owner looks into it. False if it is there already.
bool make_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0) {
    return true;
  }
  if (errno != EEXIST) {
    fail(path);
  }
  return false;
}

/// −1 where somebody else has it, or it is gone.
int lock_directory(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) {
    return -1;
  }
  struct stat opened {};
  struct stat named {};
  const bool ours = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &opened) == 0 &&
                    ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
  if (!ours) {
    ::close(file);
    return -1;
  }
  return file;
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

/// A lock that can be had belongs to nobody who lives.
void remove_leftovers(const fs::path& incoming) {
  std::error_code gone;
  for (const fs::directory_entry& entry : fs::directory_iterator(incoming, gone)) {
    const int lock = lock_directory(entry.path());
    if (lock < 0) {
      continue;
    }
    remove_quietly(entry.path());
    ::close(lock);
  }
}

void save(const fs::path& path, int (*to_disk)(int)) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail(path);
  }
  const bool saved = to_disk(file) == 0;
  ::close(file);
  if (!saved) {
    fail(path);
  }
}

}  // namespace

IncomingDirectory::IncomingDirectory(const fs::path& incoming) {
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    path_ = incoming / new_search_id();
    if (!make_directory(path_)) {
      continue;
    }
    lock_ = lock_directory(path_);
    if (lock_ >= 0) {
      return;
    }
  }
  errno = EAGAIN;
  fail(incoming);
}

IncomingDirectory::IncomingDirectory(IncomingDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

IncomingDirectory::~IncomingDirectory() {
  if (lock_ < 0) {
    return;
  }
  if (!path_.empty()) {
    remove_quietly(path_);
  }
  ::close(lock_);
}

bool IncomingDirectory::rename_to(const fs::path& target) {
  if (::rename(path_.c_str(), target.c_str()) == 0) {
    path_.clear();
    return true;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) {
    fail(target);
  }
  return false;
}

FmuUpload::FmuUpload(IncomingDirectory directory, std::uint64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {
  const fs::path path = directory_.path() / archive_name;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file_ < 0) {
    fail(path);
  }
}

FmuUpload::FmuUpload(FmuUpload&& other) noexcept
    : directory_(std::move(other.directory_)),
      max_bytes_(other.max_bytes_),
      bytes_(other.bytes_),
      file_(std::exchange(other.file_, -1)) {}

FmuUpload::~FmuUpload() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

void FmuUpload::write(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > max_bytes_) {
    throw engine::FmuRefused("the archive has more than " + std::to_string(max_bytes_ >> 20) +
                             " MB");
  }
  while (!bytes.empty()) {
    const ssize_t put = ::write(file_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      fail(directory_.path());
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

FmuFiles::FmuFiles(fs::path directory, engine::ArchiveLimits limits)
    : directory_(fs::absolute(directory)), limits_(limits) {
  if (!fs::exists(directory_.parent_path())) {
    fs::create_directories(directory_.parent_path());
  }
  make_directory(directory_);
  make_directory(incoming());
  remove_leftovers(incoming());
}

FmuUpload FmuFiles::begin_upload() const {
  return FmuUpload(IncomingDirectory(incoming()), limits_.bytes);
}

/// True if it was not there before.
bool FmuFiles::settle(IncomingDirectory& directory, const std::string& sha256) {
  save(directory.path(), ::syncfs);  // all the files in it
  const bool is_new = directory.rename_to(place_of(sha256));
  save(directory_, ::fsync);
  return is_new;
}

FmuFiles::Added FmuFiles::add(FmuUpload upload) {
  const fs::path archive = upload.directory_.path() / archive_name;
  if (::close(std::exchange(upload.file_, -1)) != 0) {
    fail(archive);
  }
  const auto sha256 = engine::archive_sha256(archive, limits_);
  try {
    if (auto known = open(sha256)) {
      return {std::move(known), upload.bytes_, false};
    }
  } catch (const engine::FmuRefused&) {
    remove(sha256);  // damaged on our disk: here it is again
  }
  engine::unpack_archive(archive, upload.directory_.path() / files_name, limits_);
  const bool is_new = settle(upload.directory_, sha256);
  return {open(sha256), upload.bytes_, is_new};
}

engine::FmuPointer FmuFiles::cache(const fs::path& archive) {
  const auto sha256 = engine::archive_sha256(archive, limits_);
  try {
    if (auto known = open(sha256)) {
      return known;
    }
  } catch (const engine::FmuRefused&) {
    remove(sha256);
  }
  IncomingDirectory directory(incoming());
  const auto fmu = engine::unpack_archive(archive, directory.path() / files_name, limits_);
  settle(directory, fmu.sha256);
  return open(fmu.sha256);
}

engine::FmuPointer FmuFiles::open(const std::string& sha256) const {
  if (!engine::is_sha256(sha256) || !fs::is_directory(place_of(sha256))) {
    return nullptr;
  }
  const std::scoped_lock turn(mutex_);
  if (const auto found = opened_.find(sha256); found != opened_.end()) {
    return found->second;
  }
  auto fmu = std::make_shared<const engine::Fmu>(
      engine::open_unpacked(place_of(sha256) / files_name, sha256));
  if (opened_.size() >= max_opened) {
    opened_.clear();
  }
  opened_[sha256] = fmu;
  return fmu;
}

bool FmuFiles::remove(const std::string& sha256) {
  if (!engine::is_sha256(sha256)) {
    return false;
  }
  {
    const std::scoped_lock turn(mutex_);
    opened_.erase(sha256);
  }
  // Away at once, whatever happens to what it takes to delete the rest.
  const IncomingDirectory away(incoming());
  if (::rename(place_of(sha256).c_str(), (away.path() / sha256).c_str()) != 0) {
    if (errno == ENOENT) {
      return false;
    }
    fail(place_of(sha256));
  }
  return true;
}

std::vector<std::string> FmuFiles::hashes() const {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_)) {
    const auto name = entry.path().filename().string();
    if (engine::is_sha256(name)) {
      found.push_back(name);
    }
  }
  return found;
}

std::optional<fs::path> fmu_cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  // As XDG has it, a relative path in the variable does not count.
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "macrostep" / "fmus";
  }
  if (const auto home = variable("HOME"); home.is_absolute()) {
    return home / ".cache" / "macrostep" / "fmus";
  }
  return std::nullopt;
}

}  // namespace macrostep::server::service
