#include "server/ops/process_figures.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

// Fields of /proc/PID/stat behind the name in parentheses, which may itself hold anything.
constexpr int state_field = 0;
constexpr int parent_field = 1;
constexpr int start_field = 19;

std::string stat_field(const fs::path& process, int wanted) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string field;
  for (int i = 0; i <= wanted; ++i) {
    fields >> field;
  }
  return fields ? field : "";
}

std::optional<std::int64_t> number(const std::string& text) {
  const bool digits = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  return digits ? std::optional(std::int64_t{std::stoll(text)}) : std::nullopt;
}

std::optional<double> start_time_s() {
  std::ifstream file("/proc/stat");
  for (std::string name, value; file >> name && std::getline(file, value);) {
    if (name != "btime") {
      continue;
    }
    const auto ticks = number(stat_field("/proc/self", start_field));
    const auto ticks_per_s = sysconf(_SC_CLK_TCK);
    if (!ticks || ticks_per_s <= 0) {
      break;
    }
    return std::stod(value) + static_cast<double>(*ticks) / static_cast<double>(ticks_per_s);
  }
  return std::nullopt;
}

std::optional<std::int64_t> resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  return file >> all >> resident ? std::optional(resident * sysconf(_SC_PAGESIZE)) : std::nullopt;
}

std::optional<std::int64_t> open_descriptors() {
  std::error_code error;
  std::int64_t count = -1;  // the listing itself has one
  for (fs::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
       at.increment(error)) {
    ++count;
  }
  return error ? std::nullopt : std::optional(count);
}

std::optional<std::int64_t> max_descriptors() {
  rlimit limit{};
  const bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? std::optional(static_cast<std::int64_t>(limit.rlim_cur)) : std::nullopt;
}

std::optional<std::int64_t> children() {
  const std::string self = std::to_string(getpid());
  std::error_code error;
  std::int64_t count = 0;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const auto& process = at->path();
    const bool ours = number(process.filename()) && stat_field(process, parent_field) == self;
    count += ours && stat_field(process, state_field) != "Z" ? 1 : 0;
  }
  return error ? std::nullopt : std::optional(count);
}

}  // namespace

ProcessFigures process_figures() {
  return {.start_time_s = start_time_s(),
          .resident_bytes = resident_bytes(),
          .open_descriptors = open_descriptors(),
          .max_descriptors = max_descriptors(),
          .children = children()};
}

}  // namespace macrostep::server
