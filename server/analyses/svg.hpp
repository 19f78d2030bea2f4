// What pictures in SVG are put together from. Lengths are in pixels.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace macrostep::server {

using SvgColour = std::array<int, 3>;  ///< red, green, blue, of 255

/// "#rrggbb" between the colours of a ramp, at 0 to 1 of its length.
std::string svg_colour(std::span<const SvgColour> ramp, double at);

/// A length, to a hundredth.
std::string px(double value);

/// Text as it may stand between tags.
std::string escaped(std::string_view text);

struct TextStyle {
  const char* anchor = "start";
  double size = 12;
  const char* more = "";
};

/// `markup` is escaped already.
std::string text_at(double x, double y, const std::string& markup, const TextStyle& style = {});

/// Path data of a straight line.
std::string line(double x1, double y1, double x2, double y2);

/// The opening tag of a picture, its title and its white ground.
std::string svg_head(double width, double height, const std::string& title);

}  // namespace macrostep::server
