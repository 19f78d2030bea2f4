#include "server/commands/serve_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <system_error>

#include "server/commands/command.hpp"
#include "server/commands/foreign_options.hpp"
#include "server/commands/option_values.hpp"
#include "server/commands/settings.hpp"
#include "server/commands/text.hpp"
#include "server/http/listener.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::commands {

namespace {

constexpr double gigabyte = 1 << 30;
constexpr double most_gigabytes = 1e6;
constexpr int most_queued = 100'000;
constexpr int most_searches_kept = 1'000'000'000;
constexpr int most_days_kept = 36'500;

struct Endpoint {
  std::string address;
  std::uint16_t port = 0;
};

/// "127.0.0.1:8080", "[::1]:8080": an IP address and a port; 0 takes any free one.
std::optional<Endpoint> endpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) {
    return std::nullopt;
  }
  Endpoint result{text.substr(0, colon)};
  if (result.address.starts_with('[') && result.address.ends_with(']')) {
    result.address = result.address.substr(1, result.address.size() - 2);
  }
  const char* end = text.data() + text.size();
  const auto port = std::from_chars(text.data() + colon + 1, end, result.port);
  const bool right = !result.address.empty() && port.ec == std::errc() && port.ptr == end;
  return right ? std::optional(result) : std::nullopt;
}

}  // namespace

std::filesystem::path default_database() {
  // Of a service; the manager lists several with colons between.
  const std::string state = environment_variable("STATE_DIRECTORY");
  if (state.starts_with('/')) {
    return std::filesystem::path(state.substr(0, state.find(':'))) / "macrostep.db";
  }
  // As XDG has it, a relative path in the variable does not count.
  std::filesystem::path data = environment_variable("XDG_DATA_HOME");
  if (!data.is_absolute()) {
    const std::string home = environment_variable("HOME");
    if (home.empty()) {
      throw CommandError(Failure::bad_usage,
                         "no home directory to keep the database in: name a file with --db");
    }
    data = std::filesystem::path(home) / ".local" / "share";
  }
  return data / "macrostep" / "macrostep.db";
}

std::filesystem::path database_of(const ServeOptions& options) {
  return options.database.empty() ? default_database() : std::filesystem::path(options.database);
}

std::uint64_t fmu_store_bytes(const ServeOptions& options) {
  return static_cast<std::uint64_t>(options.fmu_store_gb * gigabyte);
}

http::ListenerOptions listener_options(const ServeOptions& options) {
  const auto endpoint = endpoint_of(options.listen).value();
  http::ListenerOptions result{.address = endpoint.address, .port = endpoint.port};
  result.allowed_hosts = options.allowed_hosts;
  result.allow_remote = options.insecure || !options.token_file.empty();
  if (!result.allow_remote && !http::is_loopback(result.address)) {
    throw CommandError(Failure::bad_usage,
                       "--listen " + options.listen +
                           ": other machines reach this address; give a token with --token-file "
                           "FILE, or let everybody in with --insecure");
  }
  return result;
}

void add_serve_options(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--listen", options.listen,
                  "Where to listen. Other addresses than this machine's own want\n--token-file or "
                  "--insecure. Port 0 takes any free one\n(default 127.0.0.1:8080)")
      ->check([](const std::string& text) {
        return endpoint_of(text)
                   ? std::string()
                   : "must be ADDRESS:PORT, as 127.0.0.1:8080, not " + json::in_quotes(text);
      })
      ->default_str(options.listen)
      ->option_text("ADDRESS:PORT");
  expect_file(command
                  .add_option("--db", options.database,
                              "SQLite file to keep everything in (default "
                              "${XDG_DATA_HOME:-~/.local/share}/macrostep/macrostep.db)")
                  ->option_text("FILE"));
  expect_whole_number(
      command.add_option("--threads", options.threads, "Threads for trials; 0: all processors")
          ->default_str(std::to_string(options.threads))
          ->option_text("N"),
      0, max_threads);
  expect_whole_number(
      command
          .add_option(
              "--max-queued", options.max_queued,
              "Searches and analyses that may wait to be run (default 1000, at most 100000)")
          ->default_str(std::to_string(options.max_queued))
          ->option_text("N"),
      1, most_queued);
  command
      .add_option(
          "--max-job-cost", options.max_job_cost,
          "What a search, map or tuning may be expected to cost, in right-hand sides times\n"
          "the weight of their model; more is refused (default 1e14)")
      ->check([](const std::string& text) {
        const auto value = finite_number(text);
        return value && *value > 0 ? std::string()
                                   : "must be a positive number, not " + json::in_quotes(text);
      })
      ->default_str("1e14")
      ->option_text("N");
  expect_whole_number(command
                          .add_option("--keep-searches", options.retention.keep_searches,
                                      "Keep the N searches without a tag that ended last, and all "
                                      "with one; older ones are\n"
                                      "deleted while nothing waits (default: all are kept)")
                          ->option_text("N"),
                      0, most_searches_kept);
  expect_whole_number(
      command
          .add_option(
              "--keep-days", options.retention.keep_days,
              "Keep searches for D days after their end, those with a tag for ever (default: all)")
          ->option_text("D"),
      1, most_days_kept);
  expect_host(
      command
          .add_option("--allow-host", options.allowed_hosts,
                      "A name under which browsers may reach this server besides localhost; "
                      "repeatable")
          ->option_text("NAME"));
  expect_file(command
                  .add_option("--token-file", options.token_file,
                              "File whose first line is a token that everybody must show;\nonly "
                              "its owner may have access to it")
                  ->option_text("FILE"));
  command
      .add_flag("--insecure", options.insecure,
                "Listen where other machines reach it, without a token")
      ->default_str("false");
  add_foreign_options(command, options.foreign);
  command
      .add_option("--fmu-store-limit", options.fmu_store_gb,
                  "GB that uploaded FMUs may take on the disk, with what is unpacked of\nthem "
                  "(default 20)")
      ->check([](const std::string& text) {
        const auto value = finite_number(text);
        return value && *value > 0 && *value <= most_gigabytes
                   ? std::string()
                   : "must be a positive number of gigabytes, not " + json::in_quotes(text);
      })
      ->default_str("20")
      ->option_text("GB")
      ->group("FMUs");
  add_config_option(command, options.config);
}

}  // namespace macrostep::server::commands
