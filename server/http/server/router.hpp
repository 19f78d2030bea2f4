// The route table: which handler answers a request.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/message/message.hpp"

namespace macrostep::server::http {

/// The names of a route's query parameters; string literals.
using Parameters = std::initializer_list<std::string_view>;

/// The refusal of a query parameter that is not among the known ones, which would otherwise be left
/// out without a word, or of one that is given twice.
std::optional<Response> unknown_parameter(const Request& request,
                                          std::span<const std::string_view> known);

/// Answers what a handler throws; nothing where that is not known.
using AnswerFailure =
    std::function<std::optional<Response>(const Request& request, const std::exception& failure)>;

/// What may take seconds is lengthy: it is done beside the listener's threads.
enum class Work { quick, lengthy };

/// Asked about a request that has arrived whole, where only some of a route's take seconds.
using WorkOf = std::function<Work(const Request&)>;

struct Route {
  std::string method;   ///< "GET", "POST", "DELETE"
  std::string pattern;  ///< "/api/v1/searches/{id}": a {name} matches one non-empty segment
  Handler handler;
  Work work = Work::quick;
  std::optional<UploadRoute> upload = {};
  WorkOf work_of = {};  ///< decides instead of `work`, where there is one
  std::optional<std::vector<std::string_view>> parameters = {};  ///< absent: any
};

inline Work work_of(const Route& route, const Request& request) {
  return route.work_of ? route.work_of(request) : route.work;
}

/// Where a request leads; good for as long as its router.
struct Destination {
  const Route* route = nullptr;  ///< null: none of its method
  std::string_view pattern;      ///< the route's, else one of another method; empty: none at all
};

/// The route table. A plain value after it is built: reading it from several threads is safe.
class Router {
 public:
  Router() = default;
  explicit Router(AnswerFailure answer_failure) : answer_failure_(std::move(answer_failure)) {}

  /// Throws std::logic_error for a pattern that does not start with '/' or is already taken.
  void add(std::string method, std::string pattern, Handler handler, Work work = Work::quick);
  void add(std::string method, std::string pattern, Handler handler, WorkOf work_of);
  /// A route that refuses other query parameters than these.
  void add(std::string method, std::string pattern, Parameters parameters, Handler handler,
           Work work = Work::quick);
  void add(std::string method, std::string pattern, Parameters parameters, Handler handler,
           WorkOf work_of);

  /// A route whose bodies are handed on as they arrive; handle() hands on the body it is given.
  /// What is done after the last piece is lengthy.
  void add_upload(std::string method, std::string pattern, UploadRoute upload);

  /// The table in the order of add(), for documentation and its tests.
  const std::vector<Route>& routes() const { return routes_; }

  /// Where a request leads. If several patterns match, it is the one with a literal segment where
  /// they first differ. HEAD leads where GET does.
  Destination find(const Request& request) const;

  /// Calls the route's handler (HEAD calls GET's, the listener leaves the body out); OPTIONS
  /// answers 204 with Allow. Without a match 404, with a match under other methods 405 with Allow.
  Response handle(Request request, const Destination& destination) const;

  /// What the handler says, or what is said of a failure of it that is known; throws others.
  Response answer(const Handler& handler, const Request& request) const;

 private:
  AnswerFailure answer_failure_;
  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> segments_;  // of each route's pattern
};

}  // namespace macrostep::server::http
