#include "server/analyses/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "engine/base/text.hpp"

namespace macrostep::server {

std::string svg_colour(std::span<const SvgColour> ramp, double at) {
  const double place = std::clamp(at, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double share = place - static_cast<double>(low);
  std::array<char, 8> text{};
  const auto mixed = [&](std::size_t channel) {
    const double value = ramp[low][channel] * (1 - share) + ramp[low + 1][channel] * share;
    return static_cast<unsigned>(std::lround(value));
  };
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", mixed(0), mixed(1), mixed(2));
  return text.data();
}

std::string px(double value) {
  return engine::exact_text(std::round(value * 100) / 100);
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return safe;
}

std::string text_at(double x, double y, const std::string& markup, const TextStyle& style) {
  return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + style.anchor +
         "\" font-size=\"" + px(style.size) + "\"" + style.more + ">" + markup + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2) {
  return "M" + px(x1) + " " + px(y1) + "L" + px(x2) + " " + px(y2);
}

std::string svg_head(double width, double height, const std::string& title) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(height) +
         "\" width=\"" + px(width) + "\" height=\"" + px(height) +
         "\" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', "
         "sans-serif\" fill=\"#1a1a2e\">\n<title>" +
         escaped(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

}  // namespace macrostep::server
