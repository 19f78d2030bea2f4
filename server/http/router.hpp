#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.hpp"

namespace macrostep::server::http {

struct Route {
  std::string method;   ///< "GET", "POST", "DELETE"
  std::string pattern;  ///< "/api/v1/searches/{id}": a {name} matches one non-empty segment
  Handler handler;
  std::optional<UploadRoute> upload = {};
};

/// The route table. A plain value after it is built: reading it from several threads is safe.
class Router {
 public:
  /// Throws std::logic_error for a pattern that does not start with '/' or is already taken.
  void add(std::string method, std::string pattern, Handler handler);

  /// A route whose bodies are handed on as they arrive; handle() hands on the body it is given.
  void add_upload(std::string method, std::string pattern, UploadRoute upload);

  /// The table in the order of add(), for documentation and its tests.
  const std::vector<Route>& routes() const { return routes_; }

  /// Calls the handler whose pattern matches; of several, the one with a literal segment where
  /// they first differ. HEAD calls GET (the listener leaves the body out), OPTIONS answers 204 with
  /// Allow. Without a match 404, with a match under other methods 405 with Allow.
  Response handle(Request request) const;

  /// The pattern that this path matches under whatever method; empty if there is none.
  std::string_view pattern_of(const std::vector<std::string>& path) const;

  /// Null if the request's route is no upload.
  const UploadRoute* upload_of(const Request& request) const;

 private:
  /// The most particular route of this method; routes_.size() if there is none.
  std::size_t best_route(std::string_view method, const std::vector<std::string>& path) const;

  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> segments_;  // of each route's pattern
};

}  // namespace macrostep::server::http
