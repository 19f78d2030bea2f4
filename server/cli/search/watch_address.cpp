#include "server/cli/search/watch_address.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "server/cli/frame/command.hpp"
#include "server/http/message/message.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view url_scheme = "http://";

[[noreturn]] void refuse_url(const std::string& url, const std::string& why) {
  throw CommandError(Failure::bad_usage, "--watch: " + json::in_quotes(url) + ": " + why);
}

std::uint16_t port_of(const std::string& url, std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) {
    refuse_url(url, "the port must be a number from 1 to 65535");
  }
  return port;
}

bool is_id(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '-';
  });
}

/// The id that a path and its query name; empty: none.
std::string search_of(const std::string& url, const http::Target& target) {
  if (target.segments.empty()) {
    const auto* id = http::find_value(target.query, "search");
    return id == nullptr ? "" : *id;
  }
  const bool is_search = target.segments.size() == 4 && target.segments[0] == "api" &&
                         target.segments[1] == "v1" && target.segments[2] == "searches";
  if (!is_search) {
    refuse_url(url,
               "must be the address of a server, http://HOST:PORT, with /?search=ID or "
               "/api/v1/searches/ID for one of its searches");
  }
  return target.segments[3];
}

}  // namespace

WatchAddress watch_address(const std::string& url) {
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    refuse_url(url, "only http is spoken here: go through a tunnel, or to the machine itself");
  }
  if (!rest.starts_with(url_scheme)) {
    refuse_url(url, "must begin with http://");
  }
  rest.remove_prefix(url_scheme.size());
  rest = rest.substr(0, rest.find('#'));  // the fragment is the page's own
  const auto end = rest.find_first_of("/?");
  std::string_view server = rest.substr(0, end);
  std::string path(end == rest.npos ? "/" : rest.substr(end));
  path = path.starts_with('?') ? "/" + path : path;
  if (server.find('@') != server.npos) {
    refuse_url(url, "names no user: a token goes into a file, --token-file");
  }

  WatchAddress address;
  std::string_view after_host;
  if (server.starts_with('[')) {
    const auto close = server.find(']');
    if (close == server.npos) {
      refuse_url(url, "an address in brackets must end with ]");
    }
    address.host = server.substr(1, close - 1);
    after_host = server.substr(close + 1);
  } else {
    const auto colon = server.find(':');
    address.host = server.substr(0, colon);
    after_host = colon == server.npos ? std::string_view() : server.substr(colon);
  }
  if (address.host.empty()) {
    refuse_url(url, "names no host");
  }
  if (!after_host.empty()) {
    address.port = port_of(url, after_host.starts_with(':') ? after_host.substr(1) : "");
  }
  const auto target = http::parse_target(path);
  if (!target) {
    refuse_url(url, "its path cannot be read");
  }
  address.search = search_of(url, *target);
  if (!is_id(address.search)) {
    refuse_url(url, json::in_quotes(address.search) + " is no id of a search");
  }
  return address;
}

}  // namespace macrostep::server
