// The log of a server on stderr: lines for people on a terminal, else one JSON object per line.
//
// Texts may hold what a client chose (names, paths): nothing in them can end a line or forge a
// field.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace spdlog {
class logger;
}

namespace macrostep::server {

using LogField = std::pair<std::string_view, std::variant<std::string, std::int64_t, double>>;

class Log {
 public:
  enum class Form { people, json, silent };
  enum class Level { info, warning, error };

  /// As suits what stderr is.
  Log();
  explicit Log(Form form);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// A copy of this log with one field more in every line, unless its value is empty.
  Log with(std::string name, std::string value) const;

  /// From any thread.
  void write(Level level, std::string_view message, const std::vector<LogField>& fields = {});

 private:
  using Always = std::vector<std::pair<std::string, std::string>>;  // name and value

  Log(Form form, std::shared_ptr<spdlog::logger> logger, Always always);

  Form form_;
  std::shared_ptr<spdlog::logger> logger_;
  Always always_;
};

/// The line as written, without time and level for people, whole as JSON.
std::string log_line(Log::Form form, Log::Level level, std::string_view time,
                     std::string_view message, const std::vector<LogField>& fields);

}  // namespace macrostep::server
