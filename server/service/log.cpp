#include "server/service/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "server/service/identity.hpp"

namespace macrostep::server::service {

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

std::unique_ptr<spdlog::logger> make_logger(Log::Form form) {
  if (form == Log::Form::silent) {
    return nullptr;
  }
  if (form == Log::Form::json) {
    auto logger = std::make_unique<spdlog::logger>(
        "macrostep", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    return logger;
  }
  auto logger = std::make_unique<spdlog::logger>(
      "macrostep", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%H:%M:%S %^%-7l%$ %v");
  return logger;
}

Json value_json(const LogField& field) {
  return std::visit([](const auto& value) { return Json(value); }, field.second);
}

}  // namespace

std::string log_line(Log::Form form, Log::Level level, std::string_view time,
                     std::string_view message, const std::vector<LogField>& fields) {
  if (form == Log::Form::json) {
    Json line = {{"time", time}, {"level", name_of(level)}, {"message", message}};
    for (const auto& field : fields) {
      line[std::string(field.first)] = value_json(field);
    }
    return line.dump(-1, ' ', false, replace_broken_utf8);
  }
  // JSON's quotation marks and escapes keep a text within its line and its field.
  const auto escaped = [](const Json& value) {
    return value.dump(-1, ' ', true, replace_broken_utf8);
  };
  const std::string quoted = escaped(Json(message));
  std::string line = quoted.substr(1, quoted.size() - 2);
  for (const auto& field : fields) {
    line += "  " + std::string(field.first) + "=" + escaped(value_json(field));
  }
  return line;
}

Log::Log() : Log(isatty(STDERR_FILENO) == 1 ? Form::people : Form::json) {}
Log::Log(Form form) : form_(form), logger_(make_logger(form)) {}
Log::~Log() = default;

void Log::write(Level level, std::string_view message, const std::vector<LogField>& fields) {
  if (!logger_) {
    return;
  }
  const std::string line = log_line(form_, level, utc_now(), message, fields);
  logger_->log(spdlog_level(level), spdlog::string_view_t(line));
  logger_->flush();
}

}  // namespace macrostep::server::service
