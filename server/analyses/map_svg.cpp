#include "server/analyses/map_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "server/analyses/map_regions.hpp"
#include "server/analyses/map_text.hpp"
#include "server/analyses/svg.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

/// Limits the round numbers along an axis; there are five or so.
constexpr int most_ticks = 20;

// Sizes in pixels.
constexpr double plot_width = 330;
constexpr double plot_height = 264;
constexpr double left_margin = 66;  // of a panel, for the labels of y
constexpr double panel_top = 34;    // for its name
constexpr double panel_bottom = 54;
constexpr double panel_gap = 16;
constexpr double page_margin = 20;
constexpr double head_height = 56;
constexpr double foot_height = 30;
constexpr double legend_width = 150;
constexpr double legend_line = 20;
constexpr double swatch = 14;
constexpr std::size_t most_columns = 3;
constexpr int most_labels = 6;  // of an axis

constexpr const char* nowhere_colour = "#eceef1";
/// From the smallest H to the largest: light to dark, and told apart in grey as well.
constexpr std::array<SvgColour, 6> ramp{{{{0xfd, 0xf0, 0xb8}},
                                         {{0xa9, 0xdc, 0xb5}},
                                         {{0x4d, 0xb6, 0xc4}},
                                         {{0x2b, 0x7f, 0xb8}},
                                         {{0x27, 0x40, 0x96}},
                                         {{0x14, 0x17, 0x45}}}};

std::string colour(std::size_t step, std::size_t steps) {
  const double at = steps < 2 ? 0.5 : static_cast<double>(step) / static_cast<double>(steps - 1);
  return svg_colour(ramp, at);
}

/// A mark of an axis: where between its ends, from 0 to 1, and its label, if it has one.
struct Tick {
  double at = 0;
  std::string label;
};

std::string power_of_ten(int exponent) {
  return "10<tspan dy=\"-5\" font-size=\"9\">" +
         (exponent < 0 ? "−" + std::to_string(-exponent) : std::to_string(exponent)) + "</tspan>";
}

/// The decades of a logarithmic axis, not all of them labelled; nothing if it has too few.
std::vector<Tick> decades(const engine::MapAxis& axis) {
  const double low = std::log10(axis.minimum);
  const double high = std::log10(axis.maximum);
  const int first = static_cast<int>(std::ceil(low - 1e-9));
  const int last = static_cast<int>(std::floor(high + 1e-9));
  const int every = std::max(1, (last - first + most_labels - 1) / most_labels);
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    const bool labelled = (exponent - first) % every == 0;
    ticks.push_back({(exponent - low) / (high - low), labelled ? power_of_ten(exponent) : ""});
  }
  return ticks.size() < 3 ? std::vector<Tick>{} : ticks;
}

/// Round numbers, at most as many as fit.
std::vector<Tick> round_numbers(const engine::MapAxis& axis) {
  const bool log = axis.scale == engine::MapScale::log;
  const double raw = (axis.maximum - axis.minimum) / (most_labels - 1);
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw <= decade       ? decade
                      : raw <= 2 * decade ? 2 * decade
                      : raw <= 5 * decade ? 5 * decade
                                          : 10 * decade;
  const auto place = [&](double value) {
    return log ? std::log(value / axis.minimum) / std::log(axis.maximum / axis.minimum)
               : (value - axis.minimum) / (axis.maximum - axis.minimum);
  };
  std::vector<Tick> ticks;
  const double first = std::ceil(axis.minimum / step - 1e-9);
  for (int i = 0; i <= most_ticks && (first + i) * step <= axis.maximum + 1e-9 * step; ++i) {
    ticks.push_back({place((first + i) * step), engine::number_text((first + i) * step)});
  }
  return ticks;
}

std::vector<Tick> ticks_of(const engine::MapAxis& axis) {
  auto ticks = axis.scale == engine::MapScale::log ? decades(axis) : std::vector<Tick>{};
  return ticks.empty() ? round_numbers(axis) : ticks;
}

/// Axes of a panel around its plot, whose upper left corner is (0, 0).
std::string axes(const json::MapPlan& map) {
  std::string marks;
  std::string labels;
  for (const auto& [at, label] : ticks_of(map.map.x)) {
    const double x = at * plot_width;
    marks += line(x, plot_height, x, plot_height + (label.empty() ? 3 : 6));
    labels += label.empty() ? "" : text_at(x, plot_height + 21, label, {"middle", 11});
  }
  for (const auto& [at, label] : ticks_of(map.map.y)) {
    const double y = (1 - at) * plot_height;
    marks += line(0, y, label.empty() ? -3 : -6, y);
    labels += label.empty() ? "" : text_at(-10, y + 4, label, {"end", 11});
  }
  return "<rect width=\"" + px(plot_width) + "\" height=\"" + px(plot_height) +
         "\" fill=\"none\" stroke=\"#333\"/>\n<path d=\"" + marks + "\" stroke=\"#333\"/>\n" +
         labels +
         text_at(plot_width / 2, plot_height + 42, escaped(axis_title(map, map.map.x)),
                 {"middle"}) +
         text_at(-plot_height / 2, -44, escaped(axis_title(map, map.map.y)),
                 {"middle", 12, " transform=\"rotate(-90)\""});
}

/// The regions of one configuration, the smallest H first, so that larger ones lie on top.
std::string regions(const json::MapPlan& map, const engine::MapResult& result,
                    std::size_t configuration) {
  const auto columns = static_cast<std::size_t>(map.map.x.count);
  const auto rows = static_cast<std::size_t>(map.map.y.count);
  const std::size_t steps = map.map.macro_steps_s.size();
  std::string text = "<rect width=\"" + px(plot_width) + "\" height=\"" + px(plot_height) +
                     "\" fill=\"" + nowhere_colour + "\"/>\n";
  std::size_t step = 0;
  for (const auto& layer : result.layers) {
    if (layer.configuration != configuration) {
      continue;
    }
    const auto paths =
        region_of(layer.values, {.columns = columns,
                                 .rows = rows,
                                 .limit = engine::limit_of(map.map),
                                 .two_sided = map.map.quantity == engine::MapQuantity::accuracy,
                                 .width = plot_width,
                                 .height = plot_height});
    text +=
        "<g><title>H = " + engine::macro_step_text(layer.macro_step_s) + "</title><path d=\"" +
        paths.area + "\" fill=\"" + colour(step, steps) + "\"/><path d=\"" + paths.border +
        "\" stroke=\"#1a1a2e\" stroke-width=\"0.8\" stroke-linecap=\"round\" fill=\"none\"/></g>\n";
    ++step;
  }
  return text;
}

/// An empty plot that says why it is.
std::string without_values(const std::string& reason) {
  return "<g><title>" + escaped(reason) + "</title><rect width=\"" + px(plot_width) +
         "\" height=\"" + px(plot_height) + "\" fill=\"#fff\"/>" +
         text_at(plot_width / 2, plot_height / 2, "no value:", {"middle"}) +
         text_at(plot_width / 2, plot_height / 2 + 18, escaped(engine::shortened(reason)),
                 {"middle", 9}) +
         "</g>\n";
}

std::string panel(const json::MapPlan& map, const engine::MapResult& result,
                  std::size_t configuration, const std::string& label, double x, double y) {
  const auto reason = why_no_value(result, configuration);
  return "<g transform=\"translate(" + px(x + left_margin) + " " + px(y + panel_top) + ")\">\n" +
         text_at(0, -10, escaped(label), {"start", 13, " font-weight=\"600\""}) +
         (reason.empty() ? regions(map, result, configuration) : without_values(reason)) +
         axes(map) + "</g>\n";
}

std::string legend(const json::MapPlan& map, double x, double y) {
  const auto& steps_s = map.map.macro_steps_s;
  const bool stability = map.map.quantity == engine::MapQuantity::stability;
  std::string text = text_at(x, y, stability ? "Largest stable H" : "Largest accurate H",
                             {"start", 12, " font-weight=\"600\""});
  const auto entry = [&](const std::string& fill, const std::string& label) {
    y += legend_line;
    text += "<rect x=\"" + px(x) + "\" y=\"" + px(y - swatch + 3) + "\" width=\"" + px(swatch) +
            "\" height=\"" + px(swatch) + "\" fill=\"" + fill + "\" stroke=\"#1a1a2e\"" +
            " stroke-width=\"0.8\"/>\n" + text_at(x + swatch + 8, y, label);
  };
  for (std::size_t i = steps_s.size(); i-- > 0;) {
    entry(colour(i, steps_s.size()), engine::macro_step_text(steps_s[i]));
  }
  entry(nowhere_colour, "none of these");
  return text;
}

/// What all configurations have in common and a reader should know.
std::string subtitle(const json::MapPlan& map) {
  const auto& first = map.plan.configurations.front();
  std::string text;
  if (map.plan.job.space.couplings.size() == 1) {
    text += json::word(first.coupling) + " coupling, ";
  }
  if (map.plan.job.space.schemes.size() == 1) {
    text += json::word(to_string(first.scheme)) + " scheme, ";
  }
  return text + (map.map.quantity == engine::MapQuantity::stability
                     ? "stable where nothing grows faster than in the exact system"
                     : "accurate where the NRMSE in test " + map.map.test + " is at most " +
                           engine::percent_text(map.map.error_max));
}

}  // namespace

std::string map_svg(const json::MapPlan& map, const engine::MapResult& result) {
  const auto labels = configuration_labels(map.plan.configurations);
  const std::size_t panels = std::min(labels.size(), max_svg_panels);
  const std::size_t columns = panels == 4 ? 2 : std::min(panels, most_columns);
  const std::size_t rows = (panels + columns - 1) / columns;
  const double panel_width = left_margin + plot_width + panel_gap;
  const double panel_height = panel_top + plot_height + panel_bottom;
  const double legend_height =
      static_cast<double>(map.map.macro_steps_s.size() + 3) * legend_line + panel_top;
  const double body_height = std::max(panel_height * static_cast<double>(rows), legend_height);
  const double legend_x = page_margin + panel_width * static_cast<double>(columns) + panel_gap;
  const double width = legend_x + legend_width;
  const double height = head_height + body_height + foot_height;
  const std::string title =
      std::string(map.map.quantity == engine::MapQuantity::stability ? "Stability" : "Accuracy") +
      " of " + map.plan.job.name;
  std::string svg =
      svg_head(width, height, title) +
      text_at(page_margin, 28, escaped(title), {"start", 18, " font-weight=\"600\""}) +
      text_at(page_margin, 47, escaped(subtitle(map)), {"start", 12});
  for (std::size_t i = 0; i < panels; ++i) {
    svg += panel(map, result, i, labels[i],
                 page_margin + panel_width * static_cast<double>(i % columns),
                 head_height + panel_height * static_cast<double>(i / columns));
  }
  svg += legend(map, legend_x, head_height + panel_top + 10);
  std::string note = "Larger H lie over smaller ones.";
  if (map.map.quantity == engine::MapQuantity::stability) {
    note += " In an island of a colour that H is stable, and smaller ones need not be.";
  }
  if (panels < labels.size()) {
    note = "The first " + std::to_string(panels) + " of " + std::to_string(labels.size()) +
           " configurations.";
  }
  return svg + text_at(page_margin, height - 12, note, {"start", 11, " fill=\"#555\""}) +
         "</svg>\n";
}

}  // namespace macrostep::server
