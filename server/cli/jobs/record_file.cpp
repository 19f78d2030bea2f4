#include "server/cli/jobs/record_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/field_error.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/command.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t max_points = 1'000'000;
constexpr std::size_t max_line_bytes = 4096;
constexpr std::size_t max_file_bytes = std::size_t{64} << 20;
constexpr std::size_t max_shown_bytes = 60;

/// A cell without its quotes, if it has both.
std::string_view unquoted(std::string_view text) {
  const auto cell = trimmed(text);
  const bool quoted = cell.size() >= 2 && cell.starts_with('"') && cell.ends_with('"');
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

class RecordFile {
 public:
  RecordFile(const std::string& name, std::string pointer)
      : name_(name), pointer_(std::move(pointer)) {}

  void read_into(nlohmann::json& test) {
    if (test.contains("time_s") || test.contains("value")) {
      fail("is given beside time_s or value: give the file or the points, not both");
    }
    std::error_code unknown;  // of a file that is not there: opening it says why
    if (const auto type = std::filesystem::status(name_, unknown).type();
        type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character ||
        type == std::filesystem::file_type::socket) {
      fail("is no regular file");  // and may have no end
    }
    errno = 0;
    std::ifstream file(name_, std::ios::binary);
    if (file) {
      read_lines(file);
    }
    if (!file.is_open() || file.bad()) {
      const std::string reason = std::strerror(errno);
      fail("cannot be read: " + reason + looked_up_in());
    }
    if (time_s_.empty()) {
      fail("holds no points");
    }
    if (time_s_.size() == 1 && !test.contains("duration_s")) {
      fail("holds one point: give it a second one, or the test a duration_s");
    }
    test.erase("file");
    test["time_s"] = std::move(time_s_);
    test["value"] = std::move(value_);
  }

 private:
  /// Where a relative name was looked up.
  std::string looked_up_in() const {
    std::error_code unknown;
    const auto here = std::filesystem::current_path(unknown);
    return unknown || std::filesystem::path(name_).is_absolute()
               ? ""
               : "; it was looked up in " + here.string() + ", where the command runs";
  }

  void read_lines(std::istream& file) {
    std::array<char, max_line_bytes + 1> buffer{};
    std::size_t bytes = 0;
    for (line_ = 1; file.getline(buffer.data(), buffer.size()); ++line_) {
      const auto read = static_cast<std::size_t>(file.gcount());  // with the line break
      bytes += read;
      if (bytes > max_file_bytes) {
        fail_at_line("lies beyond " + std::to_string(max_file_bytes) +
                     " bytes, the limit of a file");
      }
      const std::string_view line(buffer.data(), file.eof() ? read : read - 1);
      read_point(line_ == 1 && line.starts_with(byte_order_mark)
                     ? line.substr(byte_order_mark.size())
                     : line);
    }
    if (!file.bad() && !file.eof()) {
      fail_at_line("is longer than " + std::to_string(max_line_bytes) + " bytes");
    }
  }

  void read_point(std::string_view line) {
    if (trimmed(line).empty()) {
      return;
    }
    const auto comma = line.find_first_of(",;");
    const auto first = finite_number(unquoted(line.substr(0, comma)));
    const auto second = comma == std::string_view::npos
                            ? std::nullopt
                            : finite_number(unquoted(line.substr(comma + 1)));
    if (!first || !second) {
      if (line_ == 1 && !first && !second) {
        return;  // names of the columns
      }
      fail_at_line("must be two finite numbers, time in s and value: " +
                   std::string(line.substr(0, max_shown_bytes)));
    }
    if (!time_s_.empty() && *first <= time_s_.back()) {
      fail_at_line("must be later than the line before");
    }
    if (time_s_.size() == max_points) {
      fail("has more than " + std::to_string(max_points) + " points");
    }
    time_s_.push_back(*first);
    value_.push_back(*second);
  }

  [[noreturn]] void fail_at_line(const std::string& message) const {
    fail("line " + std::to_string(line_) + " " + message);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw CommandError(Failure::bad_job, "a recorded test cannot be read",
                       {{pointer_, name_ + " " + message}});
  }

  std::string name_;
  std::string pointer_;
  std::size_t line_ = 0;
  std::vector<double> time_s_;
  std::vector<double> value_;
};

}  // namespace

void inline_records(nlohmann::json& job, const Outputs& outputs) {
  if (!job.is_object() || !job.contains("tests") || !job["tests"].is_array()) {
    return;
  }
  const auto inline_record = [&](nlohmann::json& record, const std::string& pointer) {
    if (record.is_object() && record.contains("file") && record["file"].is_string()) {
      const auto file = record["file"].get<std::string>();
      outputs.require_apart("a record of the job", file);
      RecordFile(file, pointer + "/file").read_into(record);
    }
  };
  auto& tests = job["tests"];
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::string pointer = "/tests/" + std::to_string(i);
    inline_record(tests[i], pointer);
    if (tests[i].is_object() && tests[i].contains("records") && tests[i]["records"].is_object()) {
      for (auto& [name, record] : tests[i]["records"].items()) {
        inline_record(record, pointer + "/records/" + engine::pointer_token(name));
      }
    }
  }
}

}  // namespace macrostep::server
