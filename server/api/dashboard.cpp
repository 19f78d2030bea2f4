#include "server/api/dashboard.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "web/assets.hpp"

namespace macrostep::server {

namespace {

constexpr const char* for_ever = "public, max-age=31536000, immutable";

bool accepts_gzip(const http::Request& request) {
  const auto* encodings = request.header("accept-encoding");
  const auto at = encodings != nullptr ? encodings->find("gzip") : std::string::npos;
  // "gzip;q=0" is the one way to name it and not to want it.
  return at != std::string::npos &&
         !std::string_view(*encodings).substr(at).starts_with("gzip;q=0");
}

http::Response answer(const web::Asset& asset, const http::Request& request) {
  const bool compressed = !asset.gzip.empty() && accepts_gzip(request);
  http::Response response = http::text_response(200, std::string(asset.content_type),
                                                std::string(compressed ? asset.gzip : asset.body));
  // Two forms of one file need two tags.
  std::string etag(asset.etag);
  if (compressed) {
    etag.insert(etag.size() - 1, "-gzip");
    response.with("content-encoding", "gzip");
  }
  if (!asset.gzip.empty()) {
    response.with("vary", "accept-encoding");
  }
  response.with("etag", etag);
  if (asset.immutable) {
    response.with("cache-control", for_ever);
  }
  return response;
}

}  // namespace

void add_dashboard(http::Router& router) {
  for (const auto& asset : web::assets()) {
    std::string path(asset.path);
    if (path == "/") {
      // The query of the page itself is its view, which the browser reads: /?search=ID.
      router.add("GET", std::move(path),
                 [&asset](const http::Request& request) { return answer(asset, request); });
    } else {
      router.add("GET", std::move(path), {},
                 [&asset](const http::Request& request) { return answer(asset, request); });
    }
  }
}

}  // namespace macrostep::server
