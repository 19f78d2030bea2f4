// The token of `macrostep serve`, which stands in a file: neither a list of processes nor a history
// of commands shows it.
#pragma once

#include <cstddef>
#include <string>

namespace macrostep::server {

inline constexpr std::size_t min_token_bytes = 16;
inline constexpr std::size_t max_token_bytes = 4096;

/// The file's first line. Throws CommandError, without a byte of the file, where it is no token, or
/// others than the owner may read it; but for a file in $CREDENTIALS_DIRECTORY, which the service
/// manager guards.
std::string read_token(const std::string& file);

}  // namespace macrostep::server
