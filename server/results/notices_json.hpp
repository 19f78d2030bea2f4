// Notices as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "engine/notices/notice.hpp"

namespace macrostep::server::json {

/// `[{"code", "severity", "subject", "numbers": {…}, "sentence"}, …]`; `detail` only where there is
/// one. A number that is not finite is null.
nlohmann::ordered_json notices_json(std::span<const engine::Notice> notices);

}  // namespace macrostep::server::json
