#pragma once

// The dashboard as a table in the binary: exact path → bytes. There is no file system and no
// traversal at run time; a path that is not in the table does not exist.
//
// The table is generated at build time by embed.mjs from the output of Vite; a build with
// MACROSTEP_WEB=OFF has the one page of no_dashboard.cpp instead.

#include <span>
#include <string_view>

namespace macrostep::web {

struct Asset {
  std::string_view path;          // as requested, "/" for the page itself; never with a query
  std::string_view content_type;  // with charset for text
  std::string_view body;
  std::string_view etag;  // strong, quoted, of the body
  bool immutable;         // the name holds a hash of the content: may be cached for ever
  std::string_view gzip;  // the body compressed, empty where that saves nothing
};

// Sorted by path.
std::span<const Asset> assets();

// nullptr if there is no such asset. Paths are compared byte by byte.
const Asset* find_asset(std::string_view path);

}  // namespace macrostep::web
