// Any bytes as a job, and as one of a map or a tuning: read, checked and planned, or refused with
// errors; never a crash.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "server/analyses/map_json.hpp"
#include "server/analyses/tuning_job.hpp"
#include "server/http/message/json_body.hpp"
#include "server/jobs/read_job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  nlohmann::json document;
  if (!macrostep::server::http::read_json(text, document)) {
    const auto plan = macrostep::server::json::plan_of(macrostep::server::json::read_job(document));
    (void)plan;
    const auto map = macrostep::server::json::read_map(document);
    (void)map;
    const auto tuning = macrostep::server::json::read_tuning(document);
    (void)tuning;
  }
  return 0;
}
