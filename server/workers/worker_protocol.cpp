#include "server/workers/worker_protocol.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace macrostep::server {

namespace {

constexpr const char* init_word = "init";
constexpr const char* plain_word = "plain";
constexpr std::size_t argument_count = 6;

bool read(const std::string& text, std::int64_t& value) {
  const auto* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && value >= 0;
}

bool read(const std::string& text, int& value) {
  std::int64_t wide = 0;
  const bool good = read(text, wide) && wide <= std::numeric_limits<int>::max();
  value = good ? static_cast<int>(wide) : 0;
  return good;
}

}  // namespace

std::vector<std::string> worker_arguments(WorkerMode mode, const Limits& limits) {
  return {mode == WorkerMode::init ? init_word : plain_word,
          std::to_string(limits.memory_bytes),
          std::to_string(limits.file_bytes),
          std::to_string(limits.cpu_s),
          std::to_string(limits.files),
          std::to_string(limits.threads)};
}

std::optional<WorkerCommand> read_worker_arguments(std::span<const std::string> arguments) {
  WorkerCommand command;
  auto& limits = command.limits;
  if (arguments.size() != argument_count ||
      (arguments[0] != init_word && arguments[0] != plain_word) ||
      !read(arguments[1], limits.memory_bytes) || !read(arguments[2], limits.file_bytes) ||
      !read(arguments[3], limits.cpu_s) || !read(arguments[4], limits.files) ||
      !read(arguments[5], limits.threads)) {
    return std::nullopt;
  }
  command.mode = arguments[0] == init_word ? WorkerMode::init : WorkerMode::plain;
  return command;
}

std::string settings_text(const WorkerSettings& settings) {
  const nlohmann::json json = {{"build_id", settings.build_id},
                               {"parent_process", settings.parent_process},
                               {"directory", settings.directory},
                               {"fmus", settings.fmus}};
  return json.dump();
}

WorkerSettings read_settings(std::string_view text) {
  const auto json = nlohmann::json::parse(text);
  return {.build_id = json.at("build_id").get<std::string>(),
          .parent_process = json.at("parent_process").get<std::int64_t>(),
          .directory = json.at("directory").get<std::string>(),
          .fmus = json.at("fmus").get<std::map<std::string, std::string>>()};
}

}  // namespace macrostep::server
