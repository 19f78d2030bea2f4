#include "server/commands/record_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/commands/command.hpp"
#include "server/commands/text.hpp"

namespace macrostep::server::commands {

namespace {

constexpr std::size_t max_points = 1'000'000;

std::string_view trimmed(std::string_view text) {
  const auto blank = " \t\r\"";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

class RecordFile {
 public:
  RecordFile(const std::string& name, std::string pointer)
      : name_(name), pointer_(std::move(pointer)) {}

  void read_into(nlohmann::json& test) {
    errno = 0;
    std::ifstream file(name_);
    if (!file) {
      fail("cannot be read: " + std::string(std::strerror(errno)));
    }
    auto time_s = nlohmann::json::array();
    auto value = nlohmann::json::array();
    std::string line;
    for (line_ = 1; std::getline(file, line); ++line_) {
      const auto comma = line.find_first_of(",;");
      if (trimmed(line).empty()) {
        continue;
      }
      const auto first = finite_number(trimmed(std::string_view(line).substr(0, comma)));
      const auto second = comma == std::string::npos
                              ? std::nullopt
                              : finite_number(trimmed(std::string_view(line).substr(comma + 1)));
      if (!first || !second) {
        if (line_ == 1 && !first && !second) {
          continue;  // names of the columns
        }
        fail("line " + std::to_string(line_) +
             " must be two finite numbers, time in s and value: " + line.substr(0, 60));
      }
      if (!time_s.empty() && *first <= time_s.back().get<double>()) {
        fail("line " + std::to_string(line_) + " must be later than the line before");
      }
      if (time_s.size() == max_points) {
        fail("has more than " + std::to_string(max_points) + " points");
      }
      time_s.push_back(*first);
      value.push_back(*second);
    }
    if (time_s.empty()) {
      fail("holds no points");
    }
    test.erase("file");
    test["time_s"] = std::move(time_s);
    test["value"] = std::move(value);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw CommandError(Failure::bad_job, "a recorded test cannot be read",
                       {{pointer_, name_ + " " + message}});
  }

  std::string name_;
  std::string pointer_;
  std::size_t line_ = 0;
};

}  // namespace

void inline_records(nlohmann::json& job) {
  if (!job.is_object() || !job.contains("tests") || !job["tests"].is_array()) {
    return;
  }
  auto& tests = job["tests"];
  for (std::size_t i = 0; i < tests.size(); ++i) {
    auto& test = tests[i];
    if (test.is_object() && test.contains("file") && test["file"].is_string()) {
      RecordFile(test["file"].get<std::string>(), "/tests/" + std::to_string(i) + "/file")
          .read_into(test);
    }
  }
}

}  // namespace macrostep::server::commands
