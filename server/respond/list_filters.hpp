// The query parameters that choose what a list shows.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/http/message/message.hpp"

namespace macrostep::server {

/// What is wrong with a parameter; nothing if it is well.
using Mistake = std::optional<std::string>;

struct Filter {
  const char* name;
  std::function<Mistake(const std::string&)> read;
};

/// Reads those that the request has: the answer that names the first with a mistake.
std::optional<http::Response> read_filters(const http::Request& request,
                                           std::span<const Filter> filters);

/// "a,b,a": its parts in order and each once, so that another way to write a list is the same list.
std::vector<std::string> set_of(const std::string& text);

Mistake read_statuses(const std::string& text, std::vector<std::string>& statuses);
Mistake read_text(const std::string& text, std::optional<std::string>& target);

}  // namespace macrostep::server
