#include "server/fmus/fmu_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/base/identity.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_opened = 64;
constexpr int max_attempts = 100;
/// The kernel counts times of files in steps of some milliseconds.
constexpr std::chrono::seconds time_to_settle{1};
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

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

/// The bytes of all files and directories below it, in whole blocks of the disk; of what goes away
/// meanwhile, perhaps a part.
std::uint64_t bytes_in(const fs::path& directory) {
  constexpr std::uint64_t disk_block_bytes = 4096;
  std::uint64_t bytes = 0;
  std::error_code gone;
  fs::recursive_directory_iterator entry(directory, gone);
  for (const fs::recursive_directory_iterator end; !gone && entry != end; entry.increment(gone)) {
    std::error_code unknown;
    const auto size =
        entry->is_regular_file(unknown) ? entry->file_size(unknown) : disk_block_bytes;
    bytes += unknown ? 0 : (size + disk_block_bytes - 1) / disk_block_bytes * disk_block_bytes;
  }
  return bytes;
}

/// Puts the directory in the place of the other, if there is one, at once: who runs what is in it
/// finds either.
void exchange(const fs::path& fresh, const fs::path& place) {
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) {
    return;
  }
  const bool cannot_exchange = errno == EINVAL || errno == ENOSYS;
  if (errno != ENOENT && !cannot_exchange) {
    fail(place);
  }
  if (cannot_exchange && ::rename(place.c_str(), (fresh.string() + ".damaged").c_str()) != 0 &&
      errno != ENOENT) {
    fail(place);
  }
  // Another process may have been faster.
  if (::rename(fresh.c_str(), place.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST) {
    fail(place);
  }
}

/// The time of its archive, its files and its directories, as the kernel keeps it: nobody can set
/// it back. Nothing where one of them is missing, or cannot be looked at, or where it is so short a
/// time ago that a further change may have the same time.
std::optional<std::int64_t> latest_change_ns(const fs::path& place) {
  std::optional<std::int64_t> latest_ns = 0;
  const auto look_at = [&](const fs::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      latest_ns.reset();
    } else if (latest_ns) {
      latest_ns = std::max(
          *latest_ns, std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec);
    }
  };
  look_at(place / archive_name);
  look_at(place / files_name);
  std::error_code gone;
  fs::recursive_directory_iterator entry(place / files_name, gone);
  for (const fs::recursive_directory_iterator end; !gone && entry != end; entry.increment(gone)) {
    look_at(entry->path());
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const bool settled = latest_ns && now - std::chrono::nanoseconds(*latest_ns) > time_to_settle;
  return settled && !gone ? latest_ns : std::nullopt;
}

/// A lock that can be had belongs to nobody who lives.
void remove_leftovers(const fs::path& incoming) {
  std::error_code gone;
  for (const fs::directory_entry& entry : fs::directory_iterator(incoming, gone)) {
    if (const auto alone = DirectoryLock::exclusive(entry.path())) {
      remove_quietly(entry.path());
    }
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
  for (int attempt = 0; attempt < max_attempts && !lock_; ++attempt) {
    path_ = incoming / new_search_id();
    if (make_directory(path_)) {
      lock_ = DirectoryLock::exclusive(path_);
    }
  }
  if (!lock_) {
    errno = EAGAIN;
    fail(incoming);
  }
}

IncomingDirectory::IncomingDirectory(IncomingDirectory&& other) noexcept
    : lock_(std::move(other.lock_)), path_(std::exchange(other.path_, {})) {}

IncomingDirectory::~IncomingDirectory() {
  if (!path_.empty()) {
    remove_quietly(path_);
  }
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
    throw models::fmi::FmuRefused("the archive has more than " + std::to_string(max_bytes_ >> 20) +
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

FmuFiles::FmuFiles(fs::path directory, models::fmi::ArchiveLimits limits)
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

FmuFiles::Added FmuFiles::add(FmuUpload upload, std::uint64_t max_total_bytes) {
  const fs::path archive = upload.directory_.path() / archive_name;
  if (::close(std::exchange(upload.file_, -1)) != 0) {
    fail(archive);
  }
  if (auto known = open_or_remove(models::fmi::archive_sha256(archive, limits_))) {
    return {std::move(known), upload.bytes_, false};
  }
  return unpack(upload.directory_, max_total_bytes);
}

FmuFiles::Added FmuFiles::add_copy(const fs::path& archive) {
  if (auto known = open_or_remove(models::fmi::archive_sha256(archive, limits_))) {
    return {std::move(known), fs::file_size(archive), false};
  }
  IncomingDirectory directory(incoming());
  fs::copy_file(archive, directory.path() / archive_name);
  return unpack(directory, unlimited_bytes);
}

/// The archive that lies in the directory.
FmuFiles::Added FmuFiles::unpack(IncomingDirectory& directory, std::uint64_t max_total_bytes) {
  const fs::path archive = directory.path() / archive_name;
  const auto bytes = fs::file_size(archive);
  const auto used = max_total_bytes == unlimited_bytes ? 0 : used_bytes();
  const auto require_room = [&](std::uint64_t needed) {
    if (used + needed > max_total_bytes) {
      throw FmuStoreFull(used, needed);
    }
  };
  require_room(bytes);
  const auto sha256 =
      models::fmi::unpack_archive(archive, directory.path() / files_name, limits_).sha256;
  require_room(bytes_in(directory.path()));
  if (!settle(directory, sha256)) {
    return {open(sha256), bytes, false};
  }
  const std::scoped_lock turn(mutex_);
  return {remember(sha256, latest_change_ns(place_of(sha256))), bytes, true};
}

/// What is damaged on our disk makes room for what comes again.
engine::FmuPointer FmuFiles::open_or_remove(const std::string& sha256) {
  try {
    return open(sha256);
  } catch (const models::fmi::FmuRefused&) {
    remove(sha256);
    return nullptr;
  }
}

engine::FmuPointer FmuFiles::open(const std::string& sha256) const {
  if (!has(sha256)) {
    return nullptr;
  }
  const std::scoped_lock turn(mutex_);
  const auto changed_ns = latest_change_ns(place_of(sha256));  // before anything is looked at
  const auto found = opened_.find(sha256);
  if (found != opened_.end() && changed_ns && found->second.changed_ns == changed_ns) {
    return found->second.fmu;
  }
  const bool is_as_before = !repair(sha256);
  if (found != opened_.end() && is_as_before) {
    found->second.changed_ns = changed_ns;
    return found->second.fmu;
  }
  return remember(sha256, changed_ns);
}

/// Has the files unpacked again unless they are those of the archive, which has to be what it was.
/// Returns whether it had to.
bool FmuFiles::repair(const std::string& sha256) const {
  const fs::path archive = place_of(sha256) / archive_name;
  const fs::path files = place_of(sha256) / files_name;
  if (!fs::exists(archive)) {
    throw models::fmi::FmuRefused("its archive is gone");
  }
  if (models::fmi::archive_sha256(archive, limits_) != sha256) {
    throw models::fmi::FmuRefused("its archive has changed on the disk");
  }
  if (models::fmi::is_unpacked(archive, files, limits_)) {
    return false;
  }
  const IncomingDirectory fresh(incoming());
  models::fmi::unpack_archive(archive, fresh.path() / files_name, limits_);
  save(fresh.path(), ::syncfs);
  exchange(fresh.path() / files_name, files);
  save(place_of(sha256), ::fsync);
  return true;
}

/// What has just been unpacked or looked at. The caller has the mutex.
engine::FmuPointer FmuFiles::remember(const std::string& sha256,
                                      std::optional<std::int64_t> changed_ns) const {
  auto fmu = std::make_shared<const models::fmi::Fmu>(
      models::fmi::open_unpacked(place_of(sha256) / files_name, sha256));
  if (opened_.size() >= max_opened) {
    opened_.clear();
  }
  opened_[sha256] = {fmu, changed_ns};
  return fmu;
}

fs::path FmuFiles::archive_of(const models::fmi::Fmu& fmu) {
  return fmu.directory.parent_path() / archive_name;
}

bool FmuFiles::has(const std::string& sha256) const {
  std::error_code unknown;
  return models::fmi::is_sha256(sha256) &&
         fs::status(place_of(sha256), unknown).type() != fs::file_type::not_found;
}

bool FmuFiles::remove(const std::string& sha256) {
  if (!models::fmi::is_sha256(sha256)) {
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

std::uint64_t FmuFiles::archive_bytes(const std::string& sha256) const {
  return fs::file_size(place_of(sha256) / archive_name);
}

std::uint64_t FmuFiles::bytes_of(const std::string& sha256) const {
  return bytes_in(place_of(sha256));
}

std::uint64_t FmuFiles::used_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& sha256 : hashes()) {
    bytes += bytes_of(sha256);
  }
  return bytes;
}

std::vector<std::string> FmuFiles::hashes() const {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_)) {
    const auto name = entry.path().filename().string();
    if (models::fmi::is_sha256(name)) {
      found.push_back(name);
    }
  }
  return found;
}

}  // namespace macrostep::server
