#include "tests/openapi_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "server/http/message/policy.hpp"
#include "web/assets.hpp"

namespace macrostep::tests {

namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;
using server::http::Request;
using server::http::Response;

constexpr std::size_t shown_misfits = 6;
constexpr std::size_t shown_body_bytes = 500;
constexpr std::size_t first_events = 1000;
constexpr int unauthorized = 401;
constexpr const char* events_path = "/api/v1/events";
/// Headers that mean something to a client: none is sent that the document does not name.
constexpr const char* documented_headers[] = {
    "allow",      "content-disposition", "etag",        "link", "location", "retry-after",
    "set-cookie", "www-authenticate",    "x-request-id"};

/// A step of a JSON pointer.
std::string token(std::string text) {
  for (const auto& [plain, escaped] : {std::pair("~", "~0"), std::pair("/", "~1")}) {
    for (auto at = text.find(plain); at != text.npos; at = text.find(plain, at + 2)) {
      text.replace(at, 1, escaped);
    }
  }
  return text;
}

/// A node of the document and the JSON pointer to it, after its $ref.
struct Place {
  std::string pointer;

  const Json& json() const { return openapi().at(Json::json_pointer(pointer)); }
  std::optional<Place> find(const std::string& name) const {
    return json().contains(name) ? std::optional(entered(token(name))) : std::nullopt;
  }
  Place at(const std::string& name) const { return find(name).value(); }
  Place at(std::size_t element) const { return entered(std::to_string(element)); }

 private:
  Place entered(const std::string& step) const {
    Place inner{pointer + "/" + step};
    while (inner.json().contains("$ref")) {
      inner.pointer = inner.json().at("$ref").get<std::string>().substr(1);
    }
    return inner;
  }
};

const Place document{""};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string without_parameters(const std::string& content_type) {
  return content_type.substr(0, content_type.find(';'));
}

bool is_json(const std::string& media_type) {
  return media_type == "application/json" || media_type.ends_with("+json");
}

bool is_capture(const std::string& segment) {
  return segment.starts_with('{');
}

/// The documented path of a request: of several the one with a literal segment first.
std::optional<std::string> documented_path(const Request& request) {
  std::optional<std::string> best;
  for (const auto& [path, item] : openapi().at("paths").items()) {
    const auto pattern = server::http::parse_target(path).value_or(server::http::Target());
    const bool fits = std::ranges::equal(
        pattern.segments, request.target.segments, [](const auto& expected, const auto& actual) {
          return is_capture(expected) ? !actual.empty() : expected == actual;
        });
    // '{' sorts behind every letter.
    best = fits && (!best || path < *best) ? path : best;
  }
  return best;
}

/// "DELETE, GET, HEAD, OPTIONS"
std::string methods_of(const Json& path_item) {
  std::set<std::string> methods{"OPTIONS"};
  for (const auto& [method, operation] : path_item.items()) {
    std::string name = method;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    methods.insert(name);
  }
  if (methods.contains("GET")) {
    methods.insert("HEAD");
  }
  std::string text;
  for (const auto& method : methods) {
    text += (text.empty() ? "" : ", ") + method;
  }
  return text;
}

void append(Texts& texts, const std::string& where, Texts more) {
  for (auto& text : more) {
    texts.push_back(where + text);
  }
}

void check_headers(const Json& documented, const Response& response, Texts& found) {
  std::set<std::string> known;
  const auto headers = documented.value("headers", Json::object());
  for (const auto& [name, header] : headers.items()) {
    known.insert(lower(name));
    if (resolved(header).value("required", false) && response.header(lower(name)) == nullptr) {
      found.push_back("the header " + name + " is missing");
    }
  }
  for (const std::string name : documented_headers) {
    if (response.header(name) != nullptr && !known.contains(name)) {
      found.push_back("the header " + name + " is not documented");
    }
  }
}

void check_content(const Place& documented, const Request& request, const Response& response,
                   Texts& found) {
  const auto content = documented.find("content");
  const auto* type = response.header("content-type");
  if (!content) {
    if (type != nullptr || !response.body.empty()) {
      found.push_back("a body is not documented");
    }
    return;
  }
  const std::string media_type = type == nullptr ? "none" : without_parameters(*type);
  const auto media = content->find(media_type);
  if (!media) {
    found.push_back("the media type " + media_type + " is not documented");
    return;
  }
  const auto schema = media->find("schema");
  const bool events = media_type == "text/event-stream";  // each is checked as it comes
  if (!schema || events || (request.method == "HEAD" && response.body.empty())) {
    return;
  }
  const Json body =
      is_json(media_type) ? Json::parse(response.body, nullptr, false) : Json(response.body);
  append(found, "body", body.is_discarded() ? Texts{": no JSON"} : misfits(schema->pointer, body));
}

void check_against(const Place& documented, const Request& request, const Response& response,
                   Texts& found) {
  check_headers(documented.json(), response, found);
  check_content(documented, request, response, found);
}

/// Checks the query and the body of a request that was accepted.
void check_request(const Place& operation, const Request& request, Texts& found) {
  const auto parameters = operation.json().value("parameters", Json::array());
  for (const auto& [name, value] : request.target.query) {
    std::optional<std::string> schema;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Place parameter = Place{operation.pointer + "/parameters"}.at(i);
      if (parameter.json().at("name") == name && parameter.json().at("in") == "query") {
        schema = parameter.pointer + "/schema";
      }
    }
    if (!schema) {
      found.push_back("the query parameter " + name + " is not documented");
      continue;
    }
    const bool text = Place{*schema}.json().at("type") == "string";
    const Json read = text ? Json(value) : Json::parse(value, nullptr, false);
    append(found, "query parameter " + name, misfits(*schema, read));
  }
  const auto body = operation.find("requestBody");
  const auto media = body ? body->at("content").find("application/json") : std::nullopt;
  if (media) {
    append(found, "request", misfits(media->at("schema").pointer, Json::parse(request.body)));
  }
}

void check_operation(const Place& operation, const Request& request, const Response& response,
                     Texts& found) {
  const auto status = std::to_string(response.status);
  const auto documented = operation.at("responses").find(status);
  if (!documented) {
    found.push_back("the status " + status + " is not documented");
    return;
  }
  check_against(*documented, request, response, found);
  if (response.status < 300 && operation.json().at("operationId") != "getDashboard") {
    check_request(operation, request, found);
  }
}

/// Without an operation: nothing there, or other methods.
void check_refusal(int status, const char* name, const Request& request, const Response& response,
                   Texts& found) {
  if (response.status != status) {
    found.push_back("the document has no such operation, hence the status should be " +
                    std::to_string(status));
  }
  check_against(document.at("components").at("responses").at(name), request, response, found);
}

void check_path(const Place& path, const Request& request, const Response& response, Texts& found) {
  const auto* allow = response.header("allow");
  const auto method = request.method == "HEAD" ? "get" : lower(request.method);
  if (const auto operation = path.find(method)) {
    check_operation(*operation, request, response, found);
    return;
  }
  if (response.status == unauthorized) {  // before anything is told of the path
    check_refusal(unauthorized, "Unauthorized", request, response, found);
    return;
  }
  if (request.method != "OPTIONS") {
    check_refusal(405, "MethodNotAllowed", request, response, found);
  }
  if (allow == nullptr || *allow != methods_of(path.json())) {
    found.push_back("Allow should be " + methods_of(path.json()));
  }
}

void report(const Request& request, const Response& response, const Texts& found) {
  std::string text;
  for (const auto& one : found) {
    text += "\n  " + one;
  }
  if (!found.empty()) {
    FAIL(request.method << " " << request.target.path << " " << response.status
                        << " is not as in openapi.json:" << text << "\n  "
                        << response.body.substr(0, shown_body_bytes));
  }
}

/// Status, headers and body of the bytes of a message; the first line comes alone.
std::string_view take_head(std::string_view bytes, std::vector<server::http::NamedValue>& headers,
                           std::string& body) {
  const auto end = bytes.find("\r\n\r\n");
  body = end == bytes.npos ? "" : bytes.substr(end + 4);
  const auto head = bytes.substr(0, end);
  const auto first = head.substr(0, head.find("\r\n"));
  for (auto at = first.size(); at < head.size();) {
    const auto line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    const auto colon = line.find(": ");
    if (colon != line.npos) {
      headers.emplace_back(lower(std::string(line.substr(0, colon))), line.substr(colon + 2));
    }
    at += 2 + line.size();
  }
  return first;
}

}  // namespace

const Json& openapi() {
  static const Json whole = [] {
    std::ifstream file(MACROSTEP_SOURCE_DIR "/server/api/openapi.json");
    return Json::parse(file);
  }();
  return whole;
}

const Json& resolved(const Json& node) {
  const auto reference = node.is_object() ? node.find("$ref") : node.end();
  return node.is_object() && reference != node.end()
             ? resolved(openapi().at(Json::json_pointer(reference->get<std::string>().substr(1))))
             : node;
}

Texts misfits(const std::string& schema_pointer, const Json& value) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<valijson::Schema>> compiled;
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const std::lock_guard lock(mutex);
  auto& schema = compiled[schema_pointer];
  if (!schema) {
    // What the schemas refer to is looked up in the document around them.
    static Json around = openapi();
    around["$ref"] = "#" + schema_pointer;
    auto made = std::make_unique<valijson::Schema>();
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(around), *made);
    schema = std::move(made);
  }
  valijson::Validator validator;
  valijson::ValidationResults results;
  Texts found;
  if (validator.validate(*schema, Adapter(value), &results)) {
    return found;
  }
  valijson::ValidationResults::Error error;
  while (results.popError(error) && found.size() < shown_misfits) {
    std::string where;
    for (std::size_t i = 1; i < error.context.size(); ++i) {
      where += error.context[i];
    }
    found.push_back(where + ": " + error.description);
  }
  return found;
}

Texts departures(const Request& request, const Response& response) {
  Texts found;
  if (const auto path = documented_path(request)) {
    check_path(document.at("paths").at(*path), request, response, found);
  } else if (web::find_asset(request.target.path) == nullptr) {
    const bool locked = response.status == unauthorized;
    check_refusal(locked ? unauthorized : 404, locked ? "Unauthorized" : "NotFound", request,
                  response, found);
  }
  return found;
}

void check_documented(const Request& request, Response response) {
  if (response.stream) {
    response.with("content-type", "text/event-stream");
    for (const auto& event : response.stream->source(response.stream->after, first_events).events) {
      check_event(event.name, Json::parse(event.data));
    }
  }
  server::http::complete_response(request, response);
  report(request, response, departures(request, response));
}

void check_documented(std::string_view request_bytes, std::string_view response_bytes) {
  Request request;
  Response response;
  const auto line = take_head(request_bytes, request.headers, request.body);
  const auto status = take_head(response_bytes, response.headers, response.body);
  const bool interim = status.starts_with("HTTP/1.1 100");
  if (status.empty() || interim) {
    return;
  }
  const auto space = line.find(' ');
  request.method = line.substr(0, space);
  response.status = std::stoi(std::string(status.substr(9, 3)));
  const auto target =
      server::http::parse_target(line.substr(space + 1, line.find(' ', space + 1) - space - 1));
  if (!target) {
    REQUIRE_MESSAGE(response.status == 400, line);
    return;
  }
  request.target = *target;
  report(request, response, departures(request, response));
}

void check_event(const std::string& name, const Json& data) {
  const auto schema = document.at("paths").at(events_path).at("get").at("responses").at("200");
  const auto pointer = schema.at("content").at("text/event-stream").at("schema").pointer;
  const auto found = misfits(pointer, {{"id", "1"}, {"event", name}, {"data", data}});
  REQUIRE_MESSAGE(found.empty(), "event " << name << (found.empty() ? "" : found.front()) << "\n  "
                                          << data.dump().substr(0, shown_body_bytes));
}

}  // namespace macrostep::tests
