#include "server/cli/serve/serve.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "db/schema/error.hpp"
#include "db/store/store.hpp"
#include "engine/base/provenance.hpp"
#include "server/api/frame/application.hpp"
#include "server/api/routes.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/settings.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/token_file.hpp"
#include "server/cli/serve/serve_options.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/http/server/listener.hpp"
#include "server/ops/control_groups.hpp"
#include "server/ops/landlock_version.hpp"
#include "server/ops/notify.hpp"
#include "web/assets.hpp"

namespace macrostep::server {

namespace {

constexpr auto signal_poll_interval = std::chrono::milliseconds(50);

void make_directory_of(const std::filesystem::path& file) {
  const auto directory = file.parent_path();
  std::error_code error;
  if (!directory.empty() && !std::filesystem::is_directory(directory, error) &&
      !std::filesystem::create_directories(directory, error) && error) {
    throw CommandError(Failure::failed, "cannot create the directory " + directory.string() + ": " +
                                            error.message());
  }
}

/// `where` says what names the file: a new database in a new directory would hide a slip of the
/// pen.
void require_directory_of(const std::filesystem::path& file, const std::string& where) {
  using std::filesystem::file_type;
  const auto directory = file.parent_path();
  std::error_code ignored;  // of one that nobody may look at: opening the file says why
  const auto type = std::filesystem::status(directory, ignored).type();
  if (!directory.empty() && type != file_type::directory && type != file_type::none &&
      type != file_type::unknown) {
    throw CommandError(Failure::bad_usage, where + ": there is no directory " + directory.string() +
                                               " to keep " + file.filename().string() +
                                               " in: correct the path, or make it first");
  }
}

bool is_new(const std::filesystem::path& file) {
  std::error_code ignored;  // likewise
  return std::filesystem::status(file, ignored).type() == std::filesystem::file_type::not_found;
}

/// Before anything is made: where the address is taken, no new database is left behind.
void require_free_address(const http::ListenerOptions& listening) {
  try {
    http::try_address(listening);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::address_in_use) {
      throw;
    }
    throw CommandError(Failure::failed,
                       std::string(error.what()) +
                           ", perhaps by another macrostep serve: name another port with --listen "
                           "ADDRESS:PORT; 0 takes a free one");
  }
}

/// Bounded in number, whatever clients ask for.
std::string route_label(const std::string& pattern) {
  if (pattern.empty()) {
    return "none";
  }
  return web::find_asset(pattern) != nullptr ? "dashboard" : pattern;
}

/// Every request goes into the log and into the metrics.
http::AccessLog access_log(Log& log, Metrics& metrics) {
  return [&](const http::AccessRecord& record) {
    const double duration_s = std::chrono::duration<double>(record.duration).count();
    metrics.count_request(route_label(record.route), record.method, record.status, duration_s);
    std::vector<LogField> fields = {{"request_id", record.request_id},
                                    {"remote", record.remote},
                                    {"method", record.method},
                                    {"path", record.path},
                                    {"status", std::int64_t{record.status}},
                                    {"bytes", static_cast<std::int64_t>(record.bytes)},
                                    {"duration_s", duration_s}};
    if (record.cut_by != http::CutBy::nobody) {
      fields.emplace_back("aborted", record.cut_by == http::CutBy::stop ? "stop" : "client");
    }
    if (!record.error.empty()) {
      fields.emplace_back("error", record.error);
    }
    log.write(record.error.empty() ? Log::Level::info : Log::Level::error, "request", fields);
  };
}

/// What whoever runs the server should know before it is ready.
void warn_if_open_to_all(Log& log, const ServeOptions& options) {
  if (open_to_all(options)) {
    log.write(Log::Level::warning, "insecure: whoever reaches this address may do everything",
              {{"listen", options.listen}});
  }
}

/// After it is ready, since a sandbox takes longer to try than all else to start; what needs it
/// waits.
void tell_how_fmus_run(Log& log, const Planner& planner, SandboxMode sandbox) {
  if (const auto& reason = planner.no_foreign_code()) {
    log.write(Log::Level::warning, "no FMUs", {{"reason", *reason}});
    return;
  }
  if (const auto* reason = std::get_if<std::string>(&control_groups())) {
    log.write(Log::Level::info, "no control groups: FMUs have the limits of processes alone",
              {{"reason", *reason}});
  }
  if (sandbox == SandboxMode::none) {
    return;
  }
  const auto landlock = landlock_version();
  if (const auto* reason = std::get_if<std::string>(&landlock)) {
    log.write(Log::Level::info, "no Landlock: the mounts of the sandbox alone restrict writing",
              {{"reason", *reason}});
  } else {
    log.write(Log::Level::info, "Landlock restricts where FMUs may write",
              {{"landlock_version", std::int64_t{std::get<long>(landlock)}}});
  }
}

void tell_ready(Log& log, const http::Listener& listener, const std::filesystem::path& file,
                bool file_is_new) {
  print("macrostep serves " + listener.url() + "/ (" + (file_is_new ? "new " : "") + "database " +
        printable(file.string()) + ")\n");
  notify_service_manager("READY=1");
  if (file_is_new) {
    log.write(Log::Level::info, "new database", {{"database", file.string()}});
  }
  log.write(Log::Level::info, "ready",
            {{"url", listener.url() + "/"},
             {"database", file.string()},
             {"version", engine::provenance().version}});
}

/// After it, a second signal ends the process at once.
void wait_for_signal(std::optional<Interrupt>& interrupt) {
  while (!interrupt->requested()) {
    std::this_thread::sleep_for(signal_poll_interval);
  }
  interrupt.reset();
}

void log_migration(Log& log, const db::Store& store) {
  if (const auto& migration = store.migration()) {
    log.write(Log::Level::info, "database migrated",
              {{"from_schema", migration->from},
               {"to_schema", migration->to},
               {"backup", migration->backup.string()}});
  }
}

/// The flag, the variable or the line of the file that names the database; empty: none does.
std::string source_of_database(const Settings& settings) {
  return std::ranges::find(settings.all, "db", &Setting::name)->where;
}

int serve(const ServeOptions& options, const Settings& settings) {
  // A log or a client that nobody reads any more is no reason to end.
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<Interrupt> interrupt(std::in_place);
  const std::filesystem::path file = database_of(options);
  auto listening = listener_options(options);
  const auto batch = batch_offer(options.batch, options.threads, settings);
  Access access(options.token_file.empty() ? "" : read_token(options.token_file));
  require_free_address(listening);
  if (options.database.empty()) {
    make_directory_of(file);
  } else {
    require_directory_of(file, source_of_database(settings));
  }
  const bool file_is_new = is_new(file);

  Log log;
  db::Store store(file);
  log_migration(log, store);
  FmuStore fmus(store, fmu_directory_of(file), fmu_store_bytes(options));
  Metrics metrics;
  SearchService service(store, log,
                        {.threads = options.threads,
                         .max_queued = static_cast<std::size_t>(options.max_queued),
                         .foreign = options.foreign,
                         .fmus = fmus.source(),
                         .retention = options.retention,
                         .max_job_cost = options.max_job_cost,
                         .batch = batch,
                         .metrics = &metrics});
  TrialReplay replay(store, log, options.foreign, fmus.source());
  Application application{store, service, replay, fmus, metrics, log, access, file};
  const http::Router router = make_router(application);
  http::Listener listener(
      std::move(listening), router, access_log(log, metrics),
      [&access](const http::Request& request) { return access.refuse(request); });
  application.listener = &listener;
  warn_if_open_to_all(log, options);
  service.start();
  listener.start();
  tell_ready(log, listener, file, file_is_new);
  tell_how_fmus_run(log, service.planner(), options.foreign.sandbox);

  wait_for_signal(interrupt);
  notify_service_manager("STOPPING=1");
  log.write(Log::Level::info, "stopping; a second signal ends at once");
  service.drain();
  listener.stop();
  replay.stop();
  service.stop();
  log.write(Log::Level::info, "stopped");
  return exit_success;  // the store's end moves its log into the file
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Serve REST and the dashboard, and run submitted searches");
  add_serve_options(*command, *options);
  command->footer(
      "Prints one line when it is ready and logs to stderr. SIGTERM or Ctrl-C ends it in order: a\n"
      "search that runs is interrupted and goes on at the next start, from its stored trials. A\n"
      "second signal ends it at once; nothing that was reported is lost.\n"
      "\n"
      "Every option can also stand in a variable or a file (--config); macrostep config show\n"
      "tells what holds and where it comes from.\n"
      "\n"
      "Examples:\n"
      "  macrostep serve\n"
      "  macrostep serve --listen localhost:9000 --db crane.db --threads 4\n"
      "  (umask 077; head -c 24 /dev/urandom | base64 | tr -d '\\n' > token)\n"
      "  macrostep serve --listen 192.168.1.5:8080 --token-file token");
  command->callback([command, options, &action] {
    action = [command, options] {
      const auto settings = settle(*command, options->config);
      return serve(*options, settings);
    };
  });
}

}  // namespace macrostep::server
