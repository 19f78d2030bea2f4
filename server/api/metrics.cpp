// GET /metrics: what Prometheus collects.
#include <filesystem>
#include <optional>
#include <system_error>

#include "engine/provenance.hpp"
#include "server/api/respond.hpp"
#include "server/http/listener.hpp"
#include "server/service/metrics_text.hpp"

namespace macrostep::server::api {

namespace {

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

std::optional<std::int64_t> fmu_bytes(const service::FmuStore& fmus) {
  try {
    return static_cast<std::int64_t>(fmus.used_bytes());
  } catch (const std::filesystem::filesystem_error&) {  // one was deleted meanwhile
    return std::nullopt;
  }
}

service::Gauges gauges(const Application& application) {
  const auto program = engine::provenance();
  service::Gauges now{.version = program.version,
                      .build_id = program.build_id,
                      .queue_length = static_cast<std::int64_t>(application.service.queue_length()),
                      .database_bytes = size_of(application.database),
                      .wal_bytes = size_of(application.database.string() + "-wal"),
                      .fmu_store_bytes = fmu_bytes(application.fmus),
                      .process = service::process_figures()};
  if (application.listener != nullptr) {
    const auto load = application.listener->load();
    now.connections = static_cast<std::int64_t>(load.connections);
    now.event_streams = static_cast<std::int64_t>(load.event_streams);
  }
  return now;
}

}  // namespace

void add_metrics(http::Router& router, Application& application) {
  router.add("GET", "/metrics", knowing({}, [&application](const http::Request&) {
               return http::text_response(
                   200, service::metrics_content_type,
                   service::metrics_text(application.metrics.counts(), gauges(application)));
             }));
}

}  // namespace macrostep::server::api
