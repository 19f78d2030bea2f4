#include "server/api/metrics.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "db/schema/side_files.hpp"
#include "engine/base/provenance.hpp"
#include "server/api/frame/application.hpp"
#include "server/http/server/listener.hpp"
#include "server/ops/metrics_text.hpp"
#include "server/respond/renewed.hpp"

namespace macrostep::server {

namespace {

/// What takes a walk through directories is looked up once in this time, however many scrapes.
constexpr std::chrono::seconds walked_figures_lifetime{10};

struct WalkedFigures {
  std::optional<std::int64_t> fmu_store_bytes;
  ProcessFigures process;
};

/// 0 where there is no file: a log that is empty is removed.
std::optional<std::int64_t> size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) {
    return error == std::errc::no_such_file_or_directory ? std::optional(std::int64_t{0})
                                                         : std::nullopt;
  }
  return static_cast<std::int64_t>(size);
}

std::optional<std::int64_t> fmu_bytes(const FmuStore& fmus) {
  try {
    return static_cast<std::int64_t>(fmus.used_bytes());
  } catch (const std::filesystem::filesystem_error&) {  // one was deleted meanwhile
    return std::nullopt;
  }
}

Gauges gauges(const Application& application, const WalkedFigures& walked) {
  const auto program = engine::provenance();
  Gauges now{.version = program.version,
             .build_id = program.build_id,
             .queue_length = static_cast<std::int64_t>(application.service.queue_length()),
             .database_bytes = size_of(application.database),
             .wal_bytes = size_of(db::beside(application.database, db::log_ending)),
             .fmu_store_bytes = walked.fmu_store_bytes,
             .process = walked.process};
  if (application.listener != nullptr) {
    const auto load = application.listener->load();
    now.connections = static_cast<std::int64_t>(load.connections);
    now.event_streams = static_cast<std::int64_t>(load.event_streams);
  }
  return now;
}

}  // namespace

void add_metrics(http::Router& router, Application& application) {
  const auto walked =
      std::make_shared<Renewed<WalkedFigures>>(walked_figures_lifetime, [&application] {
        return WalkedFigures{.fmu_store_bytes = fmu_bytes(application.fmus),
                             .process = process_figures()};
      });
  router.add("GET", "/metrics", {}, [&application, walked](const http::Request&) {
    return http::text_response(
        200, metrics_content_type,
        metrics_text(application.metrics.counts(), gauges(application, walked->get())));
  });
}

}  // namespace macrostep::server
