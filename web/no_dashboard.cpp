// The table of a build without the dashboard (MACROSTEP_WEB=OFF).

#include <array>

#include "web/assets.hpp"

namespace macrostep::web {
namespace {

constexpr std::array table{Asset{
    .path = "/",
    .content_type = "text/html; charset=utf-8",
    .body = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>macrostep</title></head>
<body>
<h1>macrostep</h1>
<p>This build has no dashboard (it was configured with <code>MACROSTEP_WEB=OFF</code>).</p>
<p>The API is at <code>/api/v1</code>: <a href="/api/v1/problems">problems</a>,
<a href="/api/v1/searches">searches</a>.</p>
</body>
</html>
)",
    .etag = "\"no-dashboard-1\"",
    .immutable = false,
    .gzip = {},
}};

}  // namespace

std::span<const Asset> assets() {
  return table;
}

}  // namespace macrostep::web
