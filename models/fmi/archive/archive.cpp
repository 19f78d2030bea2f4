#include "models/fmi/archive/archive.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "models/fmi/archive/archive_names.hpp"
#include "models/fmi/archive/platform_library.hpp"
#include "models/fmi/archive/zip_reader.hpp"
#include "models/fmi/description/read_description.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/own_refusal.hpp"
#include "models/fmi/xml/xml_guard.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view description_name = "modelDescription.xml";

[[noreturn]] void refuse_entry(const ZipEntry& entry, const std::string& why) {
  throw FmuRefused("the archive's entry \"" + shown(std::string_view(entry.name)) + "\" " + why);
}

std::string megabytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MB";
}

class Check {
 public:
  Check(const ZipReader& zip, const ArchiveLimits& limits) : zip_(zip), limits_(limits) {}

  CheckedArchive run() {
    checked_.bytes = zip_.bytes();
    checked_.sha256 = zip_.sha256();
    list();
    for (const ZipEntry& entry : entries_) inflate(entry);
    checked_.description = read_model_description(description_);
    libraries();
    return std::move(checked_);
  }

  const std::vector<ZipEntry>& entries() const { return entries_; }

 private:
  void list() {
    if (zip_.entry_count() > limits_.entries)
      throw OwnRefusal("the archive has more than " + std::to_string(limits_.entries) + " entries");
    std::uint64_t compressed = 0;
    std::uint64_t declared = 0;
    for (std::uint64_t i = 0; i < zip_.entry_count(); ++i) {
      ZipEntry entry = zip_.entry(i);
      names_.add(entry.name);
      if (entry.compressed_bytes > zip_.bytes() ||
          (compressed += entry.compressed_bytes) > zip_.bytes())
        throw FmuRefused("the archive's entries overlap: they claim more bytes than it has");
      if (entry.declared_bytes > limits_.inflated_bytes ||
          (declared += entry.declared_bytes) > limits_.inflated_bytes)
        throw_too_large();
      if (!entry.is_directory) ++checked_.files;
      entries_.push_back(std::move(entry));
    }
    if (!names_.has_file(description_name))
      throw FmuRefused("the archive has no " + std::string(description_name) + folder_hint());
  }

  // Where a folder was zipped, not what is in it.
  std::string folder_hint() const {
    for (const auto& file : names_.files()) {
      const std::size_t slash = file.find('/');
      if (slash != std::string::npos && file.substr(slash + 1) == description_name)
        return " at its top: it is in " + shown(std::string_view(file).substr(0, slash + 1)) +
               "; zip what is in that folder, not the folder itself";
    }
    return "";
  }

  [[noreturn]] void throw_too_large() const {
    throw OwnRefusal("the archive inflates to more than " + megabytes(limits_.inflated_bytes));
  }

  // What is kept of an entry: all of the description, the start of a library.
  std::size_t kept_bytes(const ZipEntry& entry) const {
    if (entry.name == description_name) return XmlLimits{}.bytes + 1;
    return entry.name.ends_with(".so") ? library_header_bytes : 0;
  }

  void inflate(const ZipEntry& entry) {
    if (entry.is_directory) return;
    const std::size_t wanted = kept_bytes(entry);
    std::uint64_t size = 0;
    std::string kept;
    zip_.inflate(entry, [&](std::string_view piece) {
      size += piece.size();
      checked_.inflated_bytes += piece.size();
      if (checked_.inflated_bytes > limits_.inflated_bytes) throw_too_large();
      if (size > limits_.ratio_from_bytes && size / limits_.ratio > entry.compressed_bytes)
        throw OwnRefusal("the archive's entry \"" + shown(std::string_view(entry.name)) +
                         "\" inflates to more than " + std::to_string(limits_.ratio) +
                         " times its size");
      if (kept.size() < wanted) kept += piece.substr(0, wanted - kept.size());
    });
    if (size != entry.declared_bytes) refuse_entry(entry, "is not as long as the archive says");
    if (entry.name == description_name)
      description_ = std::move(kept);
    else if (wanted > 0)
      headers_.emplace(entry.name, std::move(kept));
  }

  void libraries() {
    const std::vector<std::string> files(names_.files().begin(), names_.files().end());
    const PlatformLibraries found = find_libraries(checked_.description, files);
    for (const auto* library : {&found.co_simulation, &found.model_exchange}) {
      if (!*library) continue;
      if (const std::string why = library_refusal(headers_.at(**library)); !why.empty())
        throw FmuRefused("the archive's entry \"" + shown(std::string_view(**library)) + "\" " +
                         why);
    }
    checked_.co_simulation_library = found.co_simulation;
    checked_.model_exchange_library = found.model_exchange;
    for (const std::string& note : found.notes) checked_.description.notes.push_back(note);
  }

  const ZipReader& zip_;
  const ArchiveLimits& limits_;
  CheckedArchive checked_;
  EntryNames names_;
  std::vector<ZipEntry> entries_;
  std::string description_;
  std::map<std::string, std::string> headers_;  // of libraries
};

class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : path_(path),
        file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)) {
    if (file_ < 0) fail();
  }
  ~NewFile() {
    if (file_ >= 0) ::close(file_);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
  }

  void close() {
    if (::close(std::exchange(file_, -1)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::system_error(errno, std::generic_category(), path_.string());
  }

  const fs::path& path_;
  int file_;
};

// A second inflation, of what was found to be harmless: no more bytes than then.
void write_entry(const ZipReader& zip, const ZipEntry& entry, const fs::path& directory) {
  const fs::path path = directory / entry.name;
  if (entry.is_directory) {
    fs::create_directories(path);
    return;
  }
  fs::create_directories(path.parent_path());
  NewFile file(path);
  std::uint64_t size = 0;
  zip.inflate(entry, [&](std::string_view piece) {
    size += piece.size();
    if (size > entry.declared_bytes) refuse_entry(entry, "changed while it was read");
    file.write(piece);
  });
  file.close();
}

bool is_plain_file(const fs::path& path) {
  std::error_code missing;
  return fs::is_regular_file(fs::symlink_status(path, missing));
}

bool has_bytes_of(const ZipReader& zip, const ZipEntry& entry, const fs::path& path) {
  if (!is_plain_file(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string there;
  bool same = true;
  zip.inflate(entry, [&](std::string_view piece) {
    if (!same) return;
    there.resize(piece.size());
    file.read(there.data(), static_cast<std::streamsize>(there.size()));
    same = file && there == piece;
  });
  return same && file.peek() == std::ifstream::traits_type::eof();
}

// All that is no directory: files, and what has no business there.
std::size_t files_below(const fs::path& directory) {
  std::size_t files = 0;
  std::error_code missing;
  fs::recursive_directory_iterator entry(directory, missing);
  for (const fs::recursive_directory_iterator end; !missing && entry != end;
       entry.increment(missing))
    if (!fs::is_directory(entry->symlink_status())) ++files;
  return files;
}

}  // namespace

std::string archive_sha256(const fs::path& archive, const ArchiveLimits& limits) {
  return ZipReader(archive, limits.bytes).sha256();
}

CheckedArchive check_archive(const fs::path& archive, const ArchiveLimits& limits) {
  const ZipReader zip(archive, limits.bytes);
  return Check(zip, limits).run();
}

Fmu inspect_archive(const fs::path& archive, const ArchiveLimits& limits) {
  CheckedArchive checked = check_archive(archive, limits);
  return {.sha256 = std::move(checked.sha256),
          .description = std::move(checked.description),
          .co_simulation_library = checked.co_simulation_library,
          .model_exchange_library = checked.model_exchange_library};
}

Fmu unpack_archive(const fs::path& archive, const fs::path& directory,
                   const ArchiveLimits& limits) {
  const ZipReader zip(archive, limits.bytes);
  Check check(zip, limits);
  const CheckedArchive checked = check.run();
  if (!fs::create_directory(directory))
    throw std::system_error(EEXIST, std::generic_category(), directory.string());
  try {
    for (const ZipEntry& entry : check.entries()) write_entry(zip, entry, directory);
    return open_unpacked(directory, checked.sha256);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    throw;
  }
}

bool is_unpacked(const fs::path& archive, const fs::path& directory, const ArchiveLimits& limits) {
  const ZipReader zip(archive, limits.bytes);
  std::size_t files = 0;
  for (std::uint64_t i = 0; i < zip.entry_count(); ++i) {
    const ZipEntry entry = zip.entry(i);
    if (entry.is_directory) continue;
    if (!has_bytes_of(zip, entry, directory / entry.name)) return false;
    ++files;
  }
  return files_below(directory) == files;
}

}  // namespace macrostep::models::fmi
