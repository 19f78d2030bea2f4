#include "server/commands/csv_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/text.hpp"
#include "server/commands/command.hpp"

namespace macrostep::server::commands {

CsvFile::CsvFile(std::string path, const std::string& header) : path_(std::move(path)) {
  if (path_ == standard_output) {
    file_.reset(fdopen(dup(STDOUT_FILENO), "w"));
    if (!file_) {
      fail();
    }
  } else {
    open();
  }
  write(header);
  write("\n");
}

void CsvFile::open() {
  std::error_code ignored;
  const auto type = std::filesystem::status(path_, ignored).type();
  if (type == std::filesystem::file_type::directory) {
    errno = EISDIR;
    fail();
  }
  const bool replaceable = !std::filesystem::is_symlink(path_, ignored) &&
                           (type == std::filesystem::file_type::not_found ||
                            type == std::filesystem::file_type::regular);
  const std::string target = replaceable ? path_ + ".part-" + std::to_string(getpid()) : path_;
  file_.reset(type == std::filesystem::file_type::fifo ? open_pipe()
                                                       : std::fopen(target.c_str(), "w"));
  if (!file_) {
    fail();
  }
  if (replaceable) {
    temporary_ = target;
  }
}

/// Without waiting for a reader, which no signal would end.
std::FILE* CsvFile::open_pipe() const {
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

CsvFile::~CsvFile() {
  if (!temporary_.empty()) {
    std::remove(temporary_.c_str());
  }
}

void CsvFile::value(double value) {
  cell(std::isfinite(value) ? engine::exact_text(value) : "");
}

void CsvFile::time(double time_s) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.15g", time_s);
  cell(text.data());
}

void CsvFile::cell(std::string_view text) {
  if (std::exchange(row_begun_, true)) {
    write(",");
  }
  write(text);
}

void CsvFile::end_row() {
  write("\n");
  row_begun_ = false;
}

void CsvFile::commit() {
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

void CsvFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    fail();
  }
}

void CsvFile::fail() const {
  throw CommandError(Failure::failed, "cannot write " + path_ + ": " + std::strerror(errno));
}

void write_text(const std::string& path, std::string_view text) {
  text.remove_suffix(1);  // the line break, which the header gets
  CsvFile file(path, std::string(text));
  file.commit();
}

}  // namespace macrostep::server::commands
