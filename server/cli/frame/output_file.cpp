#include "server/cli/frame/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "db/schema/side_files.hpp"
#include "server/cli/frame/command.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view archive_begin = "PK";
constexpr std::string_view database_begin = "SQLite format 3";
constexpr std::size_t looked_at_bytes = 4096;
constexpr const char* json_option = "--json";

/// Whether the path leads to the file, pipe or socket that is open there.
bool is_open_as(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino &&
         (S_ISREG(opened.st_mode) || S_ISFIFO(opened.st_mode) || S_ISSOCK(opened.st_mode));
}

/// What this process has open already under that name: opened once more it would begin anew.
std::optional<int> open_descriptor(const std::string& path) {
  if (path == Output::standard_output || path == "/dev/stdout" || is_open_as(path, STDOUT_FILENO)) {
    return STDOUT_FILENO;
  }
  if (path == "/dev/stderr" || is_open_as(path, STDERR_FILENO)) {
    return STDERR_FILENO;
  }
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.starts_with(folder)) {
      const auto number = std::string_view(path).substr(folder.size());
      int descriptor = 0;
      const auto* end = number.data() + number.size();
      const auto read = std::from_chars(number.data(), end, descriptor);
      return read.ec == std::errc{} && read.ptr == end ? std::optional(descriptor) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// The name under which a file is written beside its place until it is whole.
std::string temporary_name(const std::string& file) {
  return file + ".part-" + std::to_string(getpid());
}

bool has_standard_output(const Output& output) {
  return open_descriptor(*output.path) == STDOUT_FILENO;
}

/// From the root on, without links, of a file that may not be there yet.
fs::path whole_path(const fs::path& name) {
  std::error_code failed;
  return fs::weakly_canonical(fs::absolute(name, failed), failed);
}

bool same_file(const fs::path& one, const fs::path& other) {
  std::error_code unknown;
  return fs::equivalent(one, other, unknown) || whole_path(one) == whole_path(other);
}

std::string begin_of(const std::string& file) {
  std::string begin(looked_at_bytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin;
}

/// The database that the file, or a folder that it is in, is kept beside.
std::optional<fs::path> database_of(const fs::path& file) {
  std::error_code unknown;
  for (fs::path place = whole_path(file); place.has_relative_path(); place = place.parent_path()) {
    for (const std::string_view ending : db::side_endings) {
      const auto name = place.string();
      if (name.ends_with(ending)) {
        const auto database = name.substr(0, name.size() - ending.size());
        if (fs::is_regular_file(database, unknown) &&
            begin_of(database).starts_with(database_begin)) {
          return database;
        }
      }
    }
  }
  return std::nullopt;
}

/// Why something of this content must not take the file's place; empty: it may.
std::string why_not_replaced(const std::string& file, Content content) {
  const auto begin = begin_of(file);
  if (begin.starts_with(database_begin)) {
    return "it is a database";
  }
  if (::access(file.c_str(), W_OK) != 0) {
    return std::strerror(errno);
  }
  if (content == Content::text) {
    return begin.find('\0') == begin.npos ? "" : "it is there and holds no text";
  }
  return begin.empty() || begin.starts_with(archive_begin) ? ""
                                                           : "it is there and is no zip archive";
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::string why_no_room(const fs::path& folder) {
  if (::access(folder.c_str(), W_OK | X_OK) == 0) {
    return "";
  }
  return errno == ENOENT ? "there is no folder " + folder.string()
                         : folder.string() + ": " + std::strerror(errno);
}

/// A file is written beside its place first, what a link leads to where it is.
std::string why_not_made(const fs::path& file) {
  std::error_code unknown;
  if (fs::is_symlink(file, unknown)) {
    return why_no_room(folder_of(folder_of(file) / fs::read_symlink(file, unknown)));
  }
  const auto folder = folder_of(file);
  const long longest = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  const auto length = static_cast<long>(temporary_name(file.filename()).size());
  if (longest > 0 && length > longest) {
    return "its name is " + std::to_string(length - longest) + " bytes too long";
  }
  return why_no_room(folder);
}

std::string why_not_written(const Output& output) {
  if (const auto database = database_of(*output.path)) {
    return "it belongs to the database " + database->string();
  }
  std::error_code unknown;
  switch (fs::status(*output.path, unknown).type()) {
    case fs::file_type::directory:
      return "it is a directory";
    case fs::file_type::block:
      return "it is a device";
    case fs::file_type::regular: {
      const auto why = why_not_replaced(*output.path, output.content);
      return why.empty() && !fs::is_symlink(*output.path, unknown) ? why_not_made(*output.path)
                                                                   : why;
    }
    case fs::file_type::not_found:
    case fs::file_type::none:
      return why_not_made(*output.path);
    default:
      return "";
  }
}

[[noreturn]] void refuse(Failure failure, const Output& output, const std::string& why) {
  throw CommandError(failure, output.option + ": cannot write " + *output.path + ": " + why);
}

}  // namespace

Output json_output(bool wanted) {
  return {.option = json_option,
          .path = wanted ? std::optional<std::string>(Output::standard_output) : std::nullopt};
}

Outputs::Outputs(std::vector<Output> outputs) : outputs_(std::move(outputs)) {
  std::erase_if(outputs_, [](const Output& output) { return !output.path; });
  for (auto output = outputs_.begin(); output != outputs_.end(); ++output) {
    const auto descriptor = open_descriptor(*output->path);
    for (auto before = outputs_.begin(); before != output; ++before) {
      if (has_standard_output(*output) && has_standard_output(*before)) {
        throw CommandError(Failure::bad_usage, output->option + " " + *output->path +
                                                   ": must be a file where " + before->option +
                                                   " has the standard output");
      }
      if (descriptor ? descriptor == open_descriptor(*before->path)
                     : same_file(*output->path, *before->path)) {
        refuse(Failure::bad_usage, *output, "it is the file of " + before->option);
      }
    }
    if (const auto why = descriptor ? "" : why_not_written(*output); !why.empty()) {
      refuse(Failure::failed, *output, why);
    }
  }
}

void Outputs::require_apart(std::string_view what, const fs::path& file) const {
  for (const auto& output : outputs_) {
    if (!has_standard_output(output) && same_file(*output.path, file)) {
      refuse(Failure::bad_usage, output, "it is " + std::string(what));
    }
  }
}

void Outputs::require_apart_from_database(const fs::path& database) const {
  require_apart("the database", database);
  for (const auto* ending : db::side_endings) {
    require_apart("a file of the database", db::beside(database, ending));
  }
}

bool Outputs::file_has_standard_output() const {
  return std::ranges::any_of(outputs_, [](const Output& output) {
    return has_standard_output(output) && output.option != json_option;
  });
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (const auto descriptor = open_descriptor(path_)) {
    file_.reset(fdopen(dup(*descriptor), "w"));
  } else {
    open();
  }
  if (!file_) {
    fail();
  }
}

void OutputFile::open() {
  std::error_code ignored;
  const auto type = fs::status(path_, ignored).type();
  if (type == fs::file_type::directory) {
    errno = EISDIR;
    return;
  }
  const bool replaceable = !fs::is_symlink(path_, ignored) &&
                           (type == fs::file_type::not_found || type == fs::file_type::regular);
  const std::string target = replaceable ? temporary_name(path_) : path_;
  file_.reset(type == fs::file_type::fifo ? open_pipe() : std::fopen(target.c_str(), "w"));
  if (replaceable && file_) {
    temporary_ = target;
    keep_protection();
  }
}

/// Who may read and write what is replaced may do so of what replaces it, as far as its group and
/// owner can be kept: another owner by root alone, another group by its members.
void OutputFile::keep_protection() {
  struct stat before {};
  if (::stat(path_.c_str(), &before) != 0) {
    return;  // there is nothing to replace
  }
  constexpr auto unchanged = static_cast<uid_t>(-1);
  const int file = ::fileno(file_.get());
  const bool keeps_group = ::fchown(file, unchanged, before.st_gid) == 0;
  static_cast<void>(::fchown(file, before.st_uid, unchanged) == 0);
  // What the group was allowed is not for another one.
  const mode_t mode = before.st_mode & (keeps_group ? 07777U : 07707U);
  if (::fchmod(file, mode) != 0) {
    const int why = errno;
    std::remove(std::exchange(temporary_, {}).c_str());
    errno = why;
    fail();
  }
}

/// Without waiting for a reader, which no signal would end.
std::FILE* OutputFile::open_pipe() const {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO) {
    throw CommandError(Failure::failed, "cannot write " + path_ +
                                            ": it is a pipe that nobody reads; start the "
                                            "reader first");
  }
  if (descriptor < 0 || fcntl(descriptor, F_SETFL, 0) != 0) {
    fail();
  }
  return fdopen(descriptor, "w");
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    std::remove(temporary_.c_str());
  }
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail();
  }
}

void OutputFile::commit() {
  if (std::fclose(file_.release()) != 0) {
    fail();
  }
  if (!temporary_.empty()) {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
      fail();
    }
    temporary_.clear();
  }
}

void OutputFile::fail() const {
  throw CommandError(Failure::failed, "cannot write " + path_ + ": " + std::strerror(errno));
}

void write_output(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace macrostep::server
