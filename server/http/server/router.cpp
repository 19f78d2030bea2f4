#include "server/http/server/router.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "server/http/message/problem.hpp"

namespace macrostep::server::http {
namespace {

using Segments = std::vector<std::string>;

bool is_capture(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

Segments split_pattern(std::string_view pattern) {
  Segments segments;
  if (pattern == "/") {
    return segments;
  }
  for (std::size_t begin = 1; begin <= pattern.size();) {
    const std::size_t end = std::min(pattern.find('/', begin), pattern.size());
    segments.emplace_back(pattern.substr(begin, end - begin));
    begin = end + 1;
  }
  return segments;
}

bool matches(const Segments& pattern, const Segments& path) {
  return std::equal(pattern.begin(), pattern.end(), path.begin(), path.end(),
                    [](const std::string& expected, const std::string& actual) {
                      return is_capture(expected) ? !actual.empty() : expected == actual;
                    });
}

/// Both match the same path: the more particular one has the first literal segment.
bool more_particular(const Segments& a, const Segments& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const std::string& x, const std::string& y) { return !is_capture(x) && is_capture(y); });
}

/// Patterns that differ only in the names of their captures match the same paths.
bool same_shape(const Segments& a, const Segments& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const std::string& x, const std::string& y) {
                      return is_capture(x) ? is_capture(y) : x == y;
                    });
}

std::string join(const std::set<std::string>& methods) {
  std::string text;
  for (const std::string& method : methods) {
    text += (text.empty() ? "" : ", ") + method;
  }
  return text;
}

}  // namespace

std::optional<Response> unknown_parameter(const Request& request,
                                          std::span<const std::string_view> known) {
  for (const auto& [name, value] : request.target.query) {
    if (std::ranges::find(known, name) == known.end()) {
      std::string message = "There is no query parameter \"" + name + "\" here";
      for (const auto one : known) {
        message += (one == known.front() ? "; available: " : ", ") + std::string(one);
      }
      if (name == "format") {
        message += "; what has several forms gives the one that Accept asks for, as text/csv";
      }
      return problem_response(400, message);
    }
    if (&value != request.query(name)) {  // which is the first of that name
      return problem_response(400, "The query parameter \"" + name + "\" is given twice");
    }
  }
  return std::nullopt;
}

void Router::add(std::string method, std::string pattern, Handler handler, Work work) {
  if (!pattern.starts_with('/')) {
    throw std::logic_error("route pattern without '/': " + pattern);
  }
  Segments segments = split_pattern(pattern);
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (routes_[i].method == method && same_shape(segments_[i], segments)) {
      throw std::logic_error("route added twice: " + method + ' ' + pattern);
    }
  }
  routes_.push_back({std::move(method), std::move(pattern), std::move(handler), work});
  segments_.push_back(std::move(segments));
}

void Router::add(std::string method, std::string pattern, Handler handler, WorkOf work_of) {
  add(std::move(method), std::move(pattern), std::move(handler));
  routes_.back().work_of = std::move(work_of);
}

void Router::add(std::string method, std::string pattern, Parameters parameters, Handler handler,
                 Work work) {
  add(std::move(method), std::move(pattern), std::move(handler), work);
  routes_.back().parameters = parameters;
}

void Router::add(std::string method, std::string pattern, Parameters parameters, Handler handler,
                 WorkOf work_of) {
  add(std::move(method), std::move(pattern), std::move(handler), std::move(work_of));
  routes_.back().parameters = parameters;
}

void Router::add_upload(std::string method, std::string pattern, UploadRoute upload) {
  const auto at_once = [begin = upload.begin](const Request& request) {
    auto begun = begin(request);
    if (auto* refusal = std::get_if<Response>(&begun)) {
      return std::move(*refusal);
    }
    auto& under_way = std::get<Upload>(begun);
    under_way.take(request.body);
    return under_way.finish(request);
  };
  add(std::move(method), std::move(pattern), at_once, Work::lengthy);
  routes_.back().upload = std::move(upload);
}

Destination Router::find(const Request& request) const {
  const std::string_view method =
      request.method == "HEAD" ? "GET" : std::string_view(request.method);
  const std::size_t none = routes_.size();
  std::size_t best = none;
  std::size_t best_of_any = none;
  const auto keep_better = [&](std::size_t& so_far, std::size_t i) {
    if (so_far == none || more_particular(segments_[i], segments_[so_far])) {
      so_far = i;
    }
  };
  for (std::size_t i = 0; i < none; ++i) {
    if (!matches(segments_[i], request.target.segments)) {
      continue;
    }
    keep_better(best_of_any, i);
    if (routes_[i].method == method) {
      keep_better(best, i);
    }
  }
  if (best != none) {
    return {.route = &routes_[best], .pattern = routes_[best].pattern};
  }
  return {.route = nullptr,
          .pattern = best_of_any != none ? routes_[best_of_any].pattern : std::string_view()};
}

Response Router::answer(const Handler& handler, const Request& request) const {
  try {
    return handler(request);
  } catch (const std::exception& failure) {
    auto known = answer_failure_ ? answer_failure_(request, failure) : std::nullopt;
    if (!known) {
      throw;
    }
    return std::move(*known);
  }
}

Response Router::handle(Request request, const Destination& destination) const {
  if (destination.route != nullptr) {
    const Segments& pattern =
        segments_[static_cast<std::size_t>(destination.route - routes_.data())];
    request.captures.clear();
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const std::string& name = pattern[k];
      if (!is_capture(name)) {
        continue;
      }
      request.captures.emplace_back(name.substr(1, name.size() - 2), request.target.segments[k]);
    }
    if (const auto& known = destination.route->parameters) {
      if (auto unknown = unknown_parameter(request, *known)) {
        return std::move(*unknown);
      }
    }
    return answer(destination.route->handler, request);
  }
  std::set<std::string> allowed;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (matches(segments_[i], request.target.segments)) {
      allowed.insert(routes_[i].method);
    }
  }
  if (allowed.empty()) {
    return problem_response(404, "There is nothing at " + request.target.path);
  }

  if (allowed.contains("GET")) {
    allowed.insert("HEAD");
  }
  allowed.insert("OPTIONS");
  if (request.method == "OPTIONS") {
    Response response;
    response.status = 204;
    return response.with("allow", join(allowed));
  }
  Response response =
      problem_response(405, request.method + " is not possible at " + request.target.path +
                                "; allowed: " + join(allowed));
  return response.with("allow", join(allowed));
}

}  // namespace macrostep::server::http
