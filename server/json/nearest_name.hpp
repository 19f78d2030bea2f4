// Messages about names that do not exist: what does exist, and which of it was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace macrostep::server::json {

/// The candidate that differs least from `name`, if it differs little: at most a third of its
/// letters changed, added or missing, whatever their case.
std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates);

/// "\"stepp\" is not available; did you mean \"step\"? Available: none, ramp, step"
std::string unknown_name(std::string_view name, std::span<const std::string> available);

/// "none, ramp, step", cut at a length that fits a message.
std::string listed(std::span<const std::string> names);

/// The text in quotation marks, shortened to a length that fits a message.
std::string in_quotes(std::string_view text);

}  // namespace macrostep::server::json
