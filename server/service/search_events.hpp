// The events of a search as the stream tells them: status, points, finished.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows.hpp"

namespace macrostep::server::service {

db::EventText status_event(const std::string& search, std::string_view status,
                           const db::Progress& progress);
db::EventText points_event(const std::string& search, const std::vector<db::TrialRow>& trials,
                           const db::Progress& progress);
/// `recommendation` is JSON text.
db::EventText finished_event(const std::string& search, std::string_view status,
                             const std::optional<std::string>& recommendation,
                             const std::optional<std::string>& reason);

/// Whether nothing follows this status unless someone asks for it.
bool is_final(std::string_view status);

}  // namespace macrostep::server::service
