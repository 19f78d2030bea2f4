#include "server/commands/serve.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "db/error.hpp"
#include "db/store.hpp"
#include "engine/provenance.hpp"
#include "server/api/application.hpp"
#include "server/commands/foreign_options.hpp"
#include "server/commands/option_values.hpp"
#include "server/commands/terminal.hpp"
#include "server/commands/text.hpp"
#include "server/http/listener.hpp"
#include "server/json/nearest_name.hpp"
#include "server/service/fmu_store.hpp"

namespace macrostep::server::commands {

namespace {

using service::Log;

constexpr auto signal_poll_interval = std::chrono::milliseconds(50);
constexpr double gigabyte = 1 << 30;
constexpr double most_gigabytes = 1e6;

struct ServeOptions {
  std::string listen = "127.0.0.1:8080";
  std::string database;
  int threads = 0;
  std::vector<std::string> allowed_hosts;
  executors::ForeignSettings foreign;
  double max_job_cost = engine::default_max_job_cost;
  double fmu_store_gb = static_cast<double>(service::default_fmu_store_bytes) / gigabyte;
};

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path default_database() {
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

void make_directory_of(const std::filesystem::path& file) {
  const auto directory = file.parent_path();
  std::error_code error;
  if (!directory.empty() && !std::filesystem::is_directory(directory, error) &&
      !std::filesystem::create_directories(directory, error) && error) {
    throw CommandError(Failure::failed, "cannot create the directory " + directory.string() + ": " +
                                            error.message());
  }
}

/// "127.0.0.1:8080", "[::1]:8080": an IP address and a port; 0 takes any free one.
http::ListenerOptions listener_options(const ServeOptions& options) {
  http::ListenerOptions result;
  result.allowed_hosts = options.allowed_hosts;
  const std::string& text = options.listen;
  const std::size_t colon = text.rfind(':');
  std::string address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  const char* end = text.data() + text.size();
  const auto port = colon == text.npos
                        ? std::from_chars_result{text.data(), std::errc::invalid_argument}
                        : std::from_chars(text.data() + colon + 1, end, result.port);
  if (address.empty() || port.ec != std::errc() || port.ptr != end) {
    throw CommandError(Failure::bad_usage,
                       "--listen takes ADDRESS:PORT, as 127.0.0.1:8080, not " + text);
  }
  result.address = address;
  return result;
}

http::AccessLog access_log(Log& log) {
  return [&log](const http::AccessRecord& record) {
    std::vector<service::LogField> fields = {
        {"request_id", record.request_id},
        {"remote", record.remote},
        {"method", record.method},
        {"path", record.path},
        {"status", std::int64_t{record.status}},
        {"bytes", static_cast<std::int64_t>(record.bytes)},
        {"duration_s", std::chrono::duration<double>(record.duration).count()}};
    if (record.aborted) {
      fields.emplace_back("aborted", "client");
    }
    if (!record.error.empty()) {
      fields.emplace_back("error", record.error);
    }
    log.write(record.error.empty() ? Log::Level::info : Log::Level::error, "request", fields);
  };
}

int serve(const ServeOptions& options) {
  // A log or a client that nobody reads any more is no reason to end.
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<Interrupt> interrupt(std::in_place);
  const std::filesystem::path file =
      options.database.empty() ? default_database() : std::filesystem::path(options.database);
  auto listening = listener_options(options);
  make_directory_of(file);

  Log log;
  db::Store store(file);
  service::FmuStore fmus(store, service::fmu_directory_of(file),
                         static_cast<std::uint64_t>(options.fmu_store_gb * gigabyte));
  service::SearchService service(store, log,
                                 {.threads = options.threads,
                                  .foreign = options.foreign,
                                  .fmus = fmus.source(),
                                  .max_job_cost = options.max_job_cost});
  api::Application application{store, service, fmus, log};
  const http::Router router = api::make_router(application);
  http::Listener listener(
      std::move(listening),
      [&router](const http::Request& request) { return router.handle(request); }, access_log(log),
      [&router](const http::Request& request) { return router.upload_of(request); });
  if (const auto& reason = service.no_foreign_code()) {
    log.write(Log::Level::warning, "no FMUs", {{"reason", *reason}});
  }
  service.start();
  listener.start();
  print("macrostep serves " + listener.url() + "/ (database " + file.string() + ")\n");
  log.write(Log::Level::info, "ready",
            {{"url", listener.url() + "/"},
             {"database", file.string()},
             {"version", engine::provenance().version}});

  while (!interrupt->requested()) {
    std::this_thread::sleep_for(signal_poll_interval);
  }
  interrupt.reset();
  log.write(Log::Level::info, "stopping; a second signal ends at once");
  service.drain();
  listener.stop();
  service.stop();
  log.write(Log::Level::info, "stopped");
  return exit_success;  // the store's end moves its log into the file
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Serve REST and the dashboard, and run submitted searches");
  command
      ->add_option("--listen", options->listen,
                   "Where to listen; only addresses of this machine. Port 0 takes any free one "
                   "(default 127.0.0.1:8080)")
      ->option_text("ADDRESS:PORT");
  expect_file(command
                  ->add_option("--db", options->database,
                               "SQLite file to keep everything in (default "
                               "${XDG_DATA_HOME:-~/.local/share}/macrostep/macrostep.db)")
                  ->option_text("FILE"));
  CLI::Option* threads =
      command->add_option("--threads", options->threads, "Threads for trials; 0: all processors");
  expect_whole_number(threads->option_text("N"), 0, max_threads);
  expect_host(
      command
          ->add_option("--allow-host", options->allowed_hosts,
                       "A name under which browsers may reach this server besides localhost; "
                       "repeatable")
          ->option_text("NAME"));
  command
      ->add_option("--max-job-cost", options->max_job_cost,
                   "Right-hand-side evaluations that a search may be expected to take; more are\n"
                   "refused (default 1e13)")
      ->check([](const std::string& text) {
        const auto value = finite_number(text);
        return value && *value > 0 ? std::string()
                                   : "must be a positive number, not " + json::in_quotes(text);
      })
      ->option_text("N");
  add_foreign_options(*command, options->foreign);
  command
      ->add_option("--fmu-store-limit", options->fmu_store_gb,
                   "GB that uploaded FMUs may take on the disk, with what is unpacked of\nthem "
                   "(default 20)")
      ->check([](const std::string& text) {
        const auto value = finite_number(text);
        return value && *value > 0 && *value <= most_gigabytes
                   ? std::string()
                   : "must be a positive number of gigabytes, not " + json::in_quotes(text);
      })
      ->option_text("GB")
      ->group("FMUs");
  command->footer(
      "Prints one line when it is ready and logs to stderr. SIGTERM or Ctrl-C ends it in order: a\n"
      "search that runs is interrupted and goes on at the next start, from its stored trials. A\n"
      "second signal ends it at once; nothing that was reported is lost.\n"
      "\n"
      "Examples:\n"
      "  macrostep serve\n"
      "  macrostep serve --listen 127.0.0.1:9000 --db crane.db --threads 4");
  command->callback([options, &action] { action = [options] { return serve(*options); }; });
}

}  // namespace macrostep::server::commands
