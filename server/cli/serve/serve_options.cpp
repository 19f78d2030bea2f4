#include "server/cli/serve/serve_options.hpp"

#include <arpa/inet.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "server/cli/frame/command.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/settings.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/http/server/listener.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

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

bool is_ip_address(const std::string& text) {
  in6_addr unused{};                                                // room for either
  const std::string without_zone = text.substr(0, text.find('%'));  // fe80::1%eth0
  return inet_pton(AF_INET, text.c_str(), &unused) == 1 ||
         inet_pton(AF_INET6, without_zone.c_str(), &unused) == 1;
}

/// "127.0.0.1:8080", "[::1]:8080": an IP address and a port; 0 takes any free one. Of names only
/// localhost: what another one stands for is for others to decide, and so who is let in.
std::optional<Endpoint> endpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) {
    return std::nullopt;
  }
  Endpoint result{text.substr(0, colon)};
  if (result.address.starts_with('[') && result.address.ends_with(']')) {
    result.address = result.address.substr(1, result.address.size() - 2);
  }
  if (result.address == "localhost") {
    result.address = "127.0.0.1";
  }
  const char* end = text.data() + text.size();
  const auto port = std::from_chars(text.data() + colon + 1, end, result.port);
  const bool right = is_ip_address(result.address) && port.ec == std::errc() && port.ptr == end;
  return right ? std::optional(result) : std::nullopt;
}

/// Who may reach the server, and how.
void add_listening(CLI::App& command, ServeOptions& options) {
  show_default(
      command.add_option("--listen", options.listen,
                         "Where to listen: an IP address, or localhost for 127.0.0.1, and a port; "
                         "0 takes any free one. Other addresses than this machine's own want "
                         "--token-file or --insecure"))
      ->check([](const std::string& text) {
        return endpoint_of(text)
                   ? std::string()
                   : "must be ADDRESS:PORT, as 127.0.0.1:8080, with an IP address or localhost, "
                     "not " +
                         json::in_quotes(text);
      })
      ->option_text("ADDRESS:PORT");
  expect_file(command
                  .add_option("--token-file", options.token_file,
                              "File whose first line is a token that everybody must show; only "
                              "its owner may have access to it (default: no token)")
                  ->option_text("FILE"));
  command
      .add_flag("--insecure", options.insecure,
                "Listen where other machines reach it without a token: whoever reaches it may "
                "submit, read, change and delete everything")
      ->default_str(options.insecure ? "true" : "false");
  expect_host(command
                  .add_option("--allow-host", options.allowed_hosts,
                              "A name under which browsers may reach this server besides "
                              "localhost and the address of --listen (repeatable)")
                  ->option_text("NAME"));
}

/// Where searches are kept, and for how long.
void add_keeping(CLI::App& command, ServeOptions& options) {
  expect_file(command
                  .add_option("--db", options.database,
                              "SQLite file to keep everything in, in a directory that is there "
                              "(default: ${XDG_DATA_HOME:-~/.local/share}/macrostep/macrostep.db, "
                              "whose directory is made)")
                  ->option_text("FILE"));
  expect_whole_number(
      command
          .add_option("--keep-searches", options.retention.keep_searches,
                      "Keep the N searches without a tag that ended last, and all with one; older "
                      "ones are deleted while nothing waits (default: all are kept)")
          ->option_text("N"),
      0, most_searches_kept);
  expect_whole_number(command
                          .add_option("--keep-days", options.retention.keep_days,
                                      "Keep searches for D days after their end, those with a tag "
                                      "for ever (default: all are kept)")
                          ->option_text("D"),
                      1, most_days_kept);
}

/// How much may be asked of it.
void add_limits(CLI::App& command, ServeOptions& options) {
  add_threads(command, options.threads, "Threads for trials");
  expect_whole_number(
      show_default(command.add_option("--max-queued", options.max_queued,
                                      "Searches and analyses that may wait to be run, at most " +
                                          std::to_string(most_queued)))
          ->option_text("N"),
      1, most_queued);
  expect_positive(
      show_default(command.add_option("--max-job-cost", options.max_job_cost,
                                      "What a search, map or tuning may be expected to cost, in "
                                      "right-hand sides times the weight of their model; more "
                                      "is refused"))
          ->option_text("N"),
      "a positive number", std::numeric_limits<double>::max());
}

}  // namespace

std::filesystem::path default_database() {
  // Set by the service manager, which separates several directories by colons.
  const std::string state = environment_variable("STATE_DIRECTORY");
  if (state.starts_with('/')) {
    return std::filesystem::path(state.substr(0, state.find(':'))) / "macrostep.db";
  }
  const auto data = user_directory("XDG_DATA_HOME", ".local/share");
  if (!data) {
    throw CommandError(Failure::bad_usage,
                       "no home directory to keep the database in: name a file with --db");
  }
  return *data / "macrostep" / "macrostep.db";
}

std::filesystem::path database_of(const ServeOptions& options) {
  return options.database.empty() ? default_database() : std::filesystem::path(options.database);
}

std::uint64_t fmu_store_bytes(const ServeOptions& options) {
  return static_cast<std::uint64_t>(options.fmu_store_gb * gigabyte);
}

bool open_to_all(const ServeOptions& options) {
  return options.token_file.empty() &&
         !http::is_loopback(endpoint_of(options.listen).value().address);
}

http::ListenerOptions listener_options(const ServeOptions& options) {
  const auto endpoint = endpoint_of(options.listen).value();
  http::ListenerOptions result{.address = endpoint.address, .port = endpoint.port};
  result.allowed_hosts = options.allowed_hosts;
  result.allow_remote = options.insecure || !options.token_file.empty();
  if (!options.insecure && open_to_all(options)) {
    throw CommandError(Failure::bad_usage,
                       "--listen " + options.listen +
                           ": other machines reach this address; give a token with --token-file "
                           "FILE, or let everybody in with --insecure");
  }
  return result;
}

void add_serve_options(CLI::App& command, ServeOptions& options) {
  add_listening(command, options);
  add_keeping(command, options);
  add_limits(command, options);
  add_batch_options(command, options.batch);
  add_chunk_templates(command, options.batch);
  add_foreign_options(command, options.foreign);
  expect_positive(show_default(command.add_option("--fmu-store-limit", options.fmu_store_gb,
                                                  "GB that uploaded FMUs may take on the disk, "
                                                  "with what is unpacked of them"))
                      ->option_text("GB")
                      ->group("FMUs"),
                  "a positive number of gigabytes", most_gigabytes);
  add_config_option(command, options.config);
}

}  // namespace macrostep::server
