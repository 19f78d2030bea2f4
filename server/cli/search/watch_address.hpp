// The address that `macrostep search --watch` is given: a server's, or that of one of its searches.
#pragma once

#include <cstdint>
#include <string>

namespace macrostep::server {

struct WatchAddress {
  std::string host;  ///< name or address, of IPv6 without its brackets
  std::uint16_t port = 80;
  std::string search;  ///< its id; empty: the server's latest
};

/// http://HOST[:PORT], the same with /?search=ID as the page has it, or /api/v1/searches/ID. Throws
/// CommandError, which says what is wrong with the text.
WatchAddress watch_address(const std::string& url);

}  // namespace macrostep::server
