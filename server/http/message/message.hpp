// Requests and responses as plain structs, without sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/http/message/events.hpp"

/// Plain requests and responses. A handler is a function from one to the other; sockets are
/// elsewhere (listener.hpp), so a handler is tested by calling it.
namespace macrostep::server::http {

using NamedValue = std::pair<std::string, std::string>;

/// The first value of that name, or null. Names compare exactly (header names: lower case).
const std::string* find_value(const std::vector<NamedValue>& values, std::string_view name);

/// An origin-form request target ("/a/b?c=d") taken apart.
struct Target {
  std::string path;                   ///< as received, still percent-encoded
  std::vector<std::string> segments;  ///< decoded one by one: "%2F" never splits; "/" has none
  std::vector<NamedValue> query;      ///< decoded, '+' as a space
};

/// Empty if the target is not origin-form, is broken percent-encoding or does not decode to UTF-8
/// free of control characters.
std::optional<Target> parse_target(std::string_view text);

struct Request {
  std::string method;  ///< upper case as received: "GET"
  Target target;
  std::vector<NamedValue> headers;  ///< names in lower case
  std::string body;
  std::string id;                    ///< the X-Request-Id of the answer, for logs
  std::vector<NamedValue> captures;  ///< set by the router: {name} segments of the pattern

  const std::string* header(std::string_view lower_case_name) const;
  const std::string* query(std::string_view name) const;
  /// The segment captured as {name}; the name must be in the route's pattern.
  const std::string& capture(std::string_view name) const;
  /// The sequence of the Last-Event-ID header; empty if absent or not a number.
  std::optional<std::int64_t> last_event_id() const;
};

struct Response {
  int status = 200;
  std::vector<NamedValue> headers;  ///< content-type, location, …; lengths are the listener's
  std::string body;
  /// If set, the body is an event stream (and `body` and `status` are ignored). A source that is
  /// finished and has nothing after `after` is answered with 204, which ends a browser's retries.
  std::optional<EventStream> stream;

  /// Sets a header, replacing an earlier one of the same (lower-case) name.
  Response& with(std::string name, std::string value);
  const std::string* header(std::string_view lower_case_name) const;
};

using Handler = std::function<Response(const Request&)>;

/// Looks at a request's headers before its body is read: the answer if it goes no further.
using Guard = std::function<std::optional<Response>(const Request&)>;

/// A body that is handed on as it arrives instead of being kept in the request. Gone without
/// finish() where the client goes away or is refused.
struct Upload {
  std::function<void(std::string_view piece)> take;  ///< must not throw
  Handler finish;                                    ///< after the last piece
};

/// What a route takes that has bodies of its own kind.
struct UploadRoute {
  std::vector<std::string> media_types;  ///< lower case, without parameters
  std::uint64_t max_bytes = 0;
  /// Called when the headers are complete; an answer ends the request.
  std::function<std::variant<Upload, Response>(const Request&)> begin;
};

Response json_response(int status, std::string json_text);
Response text_response(int status, std::string content_type, std::string text);

/// "Not Found" for 404; "Status" for numbers this server never sends.
std::string_view reason_phrase(int status);

}  // namespace macrostep::server::http
