#include "models/fmi/archive/zip_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "models/fmi/archive/sha256.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/own_refusal.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t piece_bytes = 256 * 1024;

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

[[noreturn]] void refuse_entry(std::string_view name, const std::string& why) {
  throw FmuRefused("the archive's entry \"" + shown(name) + "\" " + why);
}

int open_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail(path);
  return file;
}

std::string reason_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

// The upper half of the attributes are the permissions and kind of a file on Unix; 0 elsewhere.
void refuse_special(zip_t* archive, const ZipEntry& entry) {
  std::uint8_t system = 0;
  std::uint32_t attributes = 0;
  zip_file_get_external_attributes(archive, entry.index, 0, &system, &attributes);
  const mode_t kind = (attributes >> 16) & S_IFMT;
  if (kind == S_IFLNK) refuse_entry(entry.name, "is a symbolic link");
  if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
    refuse_entry(entry.name, "is a device, pipe or socket");
  if ((kind == S_IFDIR && !entry.is_directory) || (kind == S_IFREG && entry.is_directory))
    refuse_entry(entry.name, "is a file and a directory at once");
  if (entry.is_directory && entry.declared_bytes != 0)
    refuse_entry(entry.name, "is a directory with content");
}

}  // namespace

ZipReader::ZipReader(const std::filesystem::path& archive, std::uint64_t max_bytes)
    : file_(open_file(archive)) {
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file_);
    throw FmuRefused("the archive is no file");
  }
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  if (bytes_ > max_bytes) {
    ::close(file_);
    throw OwnRefusal("the archive has more than " + std::to_string(max_bytes >> 20) + " MB");
  }
  const int copy = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  int code = 0;
  if (copy >= 0) zip_ = zip_fdopen(copy, 0, &code);
  if (zip_) return;
  char start[2] = {};
  const bool begins_so = ::pread(file_, start, 2, 0) == 2 && start[0] == 'P' && start[1] == 'K';
  if (copy >= 0) ::close(copy);
  ::close(file_);
  if (begins_so) throw FmuRefused("the archive is cut off or damaged: " + reason_of(code));
  throw FmuRefused("the file is not a zip archive");
}

ZipReader::~ZipReader() {
  if (zip_) zip_discard(zip_);
  ::close(file_);
}

std::string ZipReader::sha256() const {
  Sha256 hash;
  std::vector<char> piece(piece_bytes);
  for (std::uint64_t at = 0; at < bytes_;) {
    const ssize_t got = ::pread(file_, piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("the archive");
    if (got == 0) throw FmuRefused("the archive became shorter while it was read");
    hash.add({piece.data(), static_cast<std::size_t>(got)});
    at += static_cast<std::uint64_t>(got);
  }
  return hash.finish();
}

std::uint64_t ZipReader::entry_count() const {
  return static_cast<std::uint64_t>(zip_get_num_entries(zip_, 0));
}

ZipEntry ZipReader::entry(std::uint64_t index) const {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(zip_, index, 0, &status) != 0 || !(status.valid & ZIP_STAT_NAME))
    throw FmuRefused("the archive's directory is damaged: " + std::string(zip_strerror(zip_)));
  ZipEntry entry{.index = index, .name = status.name};
  entry.is_directory = entry.name.ends_with('/');
  if (status.valid & ZIP_STAT_SIZE) entry.declared_bytes = status.size;
  if (status.valid & ZIP_STAT_COMP_SIZE) entry.compressed_bytes = status.comp_size;
  if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) && status.encryption_method != ZIP_EM_NONE)
    refuse_entry(entry.name, "is encrypted");
  if (!(status.valid & ZIP_STAT_COMP_METHOD) ||
      (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE))
    refuse_entry(entry.name, "is compressed by another method than deflation (method " +
                                 std::to_string(status.comp_method) + ")");
  refuse_special(zip_, entry);
  return entry;
}

void ZipReader::inflate(const ZipEntry& entry,
                        const std::function<void(std::string_view piece)>& take) const {
  const auto close = [](zip_file_t* file) { zip_fclose(file); };
  const std::unique_ptr<zip_file_t, decltype(close)> file(zip_fopen_index(zip_, entry.index, 0),
                                                          close);
  if (!file) refuse_entry(entry.name, "cannot be read: " + std::string(zip_strerror(zip_)));
  std::vector<char> piece(piece_bytes);
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0)
      refuse_entry(entry.name, "is damaged: " + std::string(zip_file_strerror(file.get())));
    if (got == 0) return;
    take({piece.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace macrostep::models::fmi
