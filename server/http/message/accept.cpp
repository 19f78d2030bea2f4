#include "server/http/message/accept.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <vector>

#include "server/base/text.hpp"

namespace macrostep::server::http {
namespace {

struct MediaRange {
  std::string type;     ///< "*" for any
  std::string subtype;  ///< likewise
  double quality = 1;
};

std::string in_lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// The part before the separator, which is taken off `rest` with it.
std::string_view next_part(std::string_view& rest, char separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(part);
}

std::optional<double> read_quality(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && value >= 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

std::optional<MediaRange> parse_range(std::string_view text) {
  std::string_view name = next_part(text, ';');
  MediaRange range{.type = in_lower_case(next_part(name, '/')),
                   .subtype = in_lower_case(trimmed(name))};
  if (range.type.empty() || range.subtype.empty() || (range.type == "*" && range.subtype != "*")) {
    return std::nullopt;
  }
  while (!text.empty()) {
    std::string_view parameter = next_part(text, ';');
    if (in_lower_case(next_part(parameter, '=')) == "q") {
      const auto quality = read_quality(trimmed(parameter));
      if (!quality) {
        return std::nullopt;
      }
      range.quality = *quality;
    }
  }
  return range;
}

std::vector<MediaRange> parse_ranges(std::string_view header) {
  std::vector<MediaRange> ranges;
  while (!header.empty()) {
    if (auto range = parse_range(next_part(header, ','))) {
      ranges.push_back(std::move(*range));
    }
  }
  return ranges;
}

double quality_of(std::string_view offered, const std::vector<MediaRange>& ranges) {
  const auto slash = offered.find('/');
  int best_match = -1;
  double quality = 0;
  for (const auto& range : ranges) {
    const bool type = range.type == offered.substr(0, slash);
    const bool subtype = range.subtype == offered.substr(slash + 1);
    if ((!type && range.type != "*") || (!subtype && range.subtype != "*")) {
      continue;
    }
    const int match = (type ? 1 : 0) + (subtype ? 1 : 0);
    if (match > best_match || (match == best_match && range.quality > quality)) {
      best_match = match;
      quality = range.quality;
    }
  }
  return quality;
}

}  // namespace

std::optional<std::string_view> accepted_type(const Request& request,
                                              std::span<const std::string_view> offered) {
  // A header that appears more than once is one list.
  std::string header;
  bool given = false;
  for (const auto& [name, value] : request.headers) {
    if (name == "accept") {
      header += (given ? "," : "") + value;
      given = true;
    }
  }
  if (!given || trimmed(header).empty()) {
    return offered.front();
  }
  const auto ranges = parse_ranges(header);
  std::optional<std::string_view> best;
  double quality = 0;
  for (const auto type : offered) {
    const double its = quality_of(type, ranges);
    if (its > quality) {
      quality = its;
      best = type;
    }
  }
  return best;
}

}  // namespace macrostep::server::http
