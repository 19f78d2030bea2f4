#include "server/ops/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "server/base/identity.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;
constexpr auto replace_broken_utf8 = Json::error_handler_t::replace;

std::string_view name_of(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return "info";
    case Log::Level::warning:
      return "warning";
    case Log::Level::error:
      return "error";
  }
  return "error";
}

spdlog::level::level_enum spdlog_level(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return spdlog::level::info;
    case Log::Level::warning:
      return spdlog::level::warn;
    case Log::Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::shared_ptr<spdlog::logger> make_logger(Log::Form form) {
  if (form == Log::Form::silent) {
    return nullptr;
  }
  if (form == Log::Form::json) {
    auto logger = std::make_shared<spdlog::logger>(
        "macrostep", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    return logger;
  }
  auto logger = std::make_shared<spdlog::logger>(
      "macrostep", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%H:%M:%S %^%-7l%$ %v");
  return logger;
}

Json value_json(const LogField& field) {
  return std::visit([](const auto& value) { return Json(value); }, field.second);
}

/// Quotation marks and escapes keep a text within its line and its field; in ASCII, as there are
/// characters that end a line or turn it around where it is shown.
std::string escaped_json(const Json& value) {
  return value.dump(-1, ' ', true, replace_broken_utf8);
}

}  // namespace

std::string log_line(Log::Form form, Log::Level level, std::string_view time,
                     std::string_view message, const std::vector<LogField>& fields) {
  if (form == Log::Form::json) {
    Json line = {{"time", time}, {"level", name_of(level)}, {"message", message}};
    for (const auto& field : fields) {
      line[std::string(field.first)] = value_json(field);
    }
    return escaped_json(line);
  }
  const std::string quoted = escaped_json(Json(message));
  std::string line = quoted.substr(1, quoted.size() - 2);
  for (const auto& field : fields) {
    line += "  " + std::string(field.first) + "=" + escaped_json(value_json(field));
  }
  return line;
}

Log::Log() : Log(isatty(STDERR_FILENO) == 1 ? Form::people : Form::json) {}
Log::Log(Form form) : Log(form, make_logger(form), {}) {}
Log::Log(Form form, std::shared_ptr<spdlog::logger> logger, Always always)
    : form_(form), logger_(std::move(logger)), always_(std::move(always)) {}
Log::~Log() = default;

Log Log::with(std::string name, std::string value) const {
  Always always = always_;
  if (!value.empty()) {
    always.emplace_back(std::move(name), std::move(value));
  }
  return {form_, logger_, std::move(always)};
}

void Log::write(Level level, std::string_view message, const std::vector<LogField>& fields) {
  if (!logger_) {
    return;
  }
  std::vector<LogField> all = fields;
  for (const auto& [name, value] : always_) {
    all.emplace_back(name, value);
  }
  const std::string line = log_line(form_, level, utc_now(), message, all);
  logger_->log(spdlog_level(level), spdlog::string_view_t(line));
  logger_->flush();
}

}  // namespace macrostep::server
