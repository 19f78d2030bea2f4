#include "server/analyses/tuning_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/text.hpp"
#include "server/analyses/svg.hpp"

namespace macrostep::server {

namespace {

// Sizes in pixels.
constexpr double cell_width = 36;
constexpr double cell_height = 30;
constexpr double grid_left = 62;
constexpr double grid_top = 32;
constexpr double grid_bottom = 52;
constexpr double grid_gap = 22;
constexpr double grid_margin = 20;
constexpr double grid_head = 60;
constexpr double grid_foot = 92;
constexpr double bar_width = 260;
constexpr double bar_height = 12;
constexpr std::size_t grid_columns = 2;

/// Ratios at the ends of the colour scale.
constexpr double best_shown = 0.1;
constexpr double worst_shown = 10;
constexpr std::array bar_ticks{0.1, 0.3, 1.0, 3.0, 10.0};
/// Better: blue, worse: red; light in the middle, so that both are told apart in grey from it.
constexpr std::array<SvgColour, 5> ratio_ramp{{{{0x1f, 0x4e, 0x9c}},
                                               {{0x85, 0xb4, 0xdc}},
                                               {{0xf7, 0xf7, 0xf4}},
                                               {{0xe8, 0x9a, 0x7c}},
                                               {{0x9a, 0x1c, 0x2c}}}};
constexpr const char* failed_colour = "#c9ccd3";
constexpr double dark_text_until = 0.32;  // of |place on the scale − middle|

/// 0 to 1 along the colour scale.
double place_of(double ratio) {
  const double at = std::log(ratio / best_shown) / std::log(worst_shown / best_shown);
  return std::clamp(at, 0.0, 1.0);
}

/// As TuningPoint::ratio, but of all settings that complete: those that are worse in a test, too.
std::optional<double> mean_ratio(const engine::TuningPoint& beat,
                                 const engine::TuningPoint& point) {
  double sum = 0;
  double to_beat = 0;
  for (std::size_t t = 0; t < point.by_test.size(); ++t) {
    if (!beat.by_test[t]) {
      continue;
    }
    if (!point.by_test[t]) {
      return std::nullopt;
    }
    sum += *point.by_test[t];
    to_beat += *beat.by_test[t];
  }
  return to_beat > 0 ? std::optional(sum / to_beat) : std::nullopt;
}

std::string ratio_text(double ratio) {
  if (ratio >= 100) {
    return "≫";
  }
  const double digits = ratio < 0.995 ? 100 : ratio < 9.95 ? 10 : 1;
  return engine::number_text(std::round(ratio * digits) / digits);
}

/// The coarse grid, by its axes.
struct Grid {
  std::vector<double> mu, nu, limit;
  std::vector<engine::TuningPoint> points;
};

Grid grid_of(const engine::TuningResult& result) {
  std::set<double> mu;
  std::set<double> nu;
  std::set<double> limit;
  const auto coarse = std::span(result.landscape).first(result.grid_points);
  for (const auto& point : coarse) {
    mu.insert(point.mu);
    nu.insert(point.nu);
    limit.insert(point.limit);
  }
  Grid grid{.mu = {mu.begin(), mu.end()},
            .nu = {nu.begin(), nu.end()},
            .limit = {limit.begin(), limit.end()},
            .points = {coarse.begin(), coarse.end()}};
  for (const double at : grid.limit) {  // no correction, whatever the limit
    auto none = result.uncorrected;
    none.limit = at;
    grid.points.push_back(std::move(none));
  }
  return grid;
}

double x_of(const Grid& grid, double mu) {
  return mu * static_cast<double>(grid.mu.size() - 1) * cell_width + cell_width / 2;
}

/// The middle of a row of ν, or between two.
double y_of(const Grid& grid, double nu) {
  const auto above = std::ranges::upper_bound(grid.nu, nu);
  const auto row = static_cast<double>(above - grid.nu.begin()) - 1;
  const double share = above == grid.nu.end() ? 0 : (nu - *(above - 1)) / (*above - *(above - 1));
  return (static_cast<double>(grid.nu.size()) - row - share - 0.5) * cell_height;
}

std::string grid_cells(const Grid& grid, const engine::TuningPoint& beat, double limit) {
  std::string text;
  for (const auto& point : grid.points) {
    if (point.limit != limit) {
      continue;
    }
    const auto ratio = mean_ratio(beat, point);
    const double x = x_of(grid, point.mu);
    const double y = y_of(grid, point.nu);
    const double place = ratio ? place_of(*ratio) : 0.5;
    text += "<rect x=\"" + px(x - cell_width / 2) + "\" y=\"" + px(y - cell_height / 2) +
            "\" width=\"" + px(cell_width) + "\" height=\"" + px(cell_height) + "\" fill=\"" +
            (ratio ? svg_colour(ratio_ramp, place) : failed_colour) +
            "\" stroke=\"#fff\" stroke-width=\"0.6\"/>\n";
    const bool dark = std::abs(place - 0.5) < dark_text_until;
    text += text_at(x, y + 4, ratio ? ratio_text(*ratio) : "–",
                    {"middle", 10, dark ? "" : " fill=\"#fff\""});
    if (point.ratio) {  // worse in no test
      text += "<path d=\"" + line(x - 9, y + 9.5, x + 9, y + 9.5) + "\" stroke=\"" +
              (dark ? "#1a1a2e" : "#fff") + "\" stroke-width=\"1.5\"/>\n";
    }
  }
  return text;
}

std::string circle(double x, double y) {
  return "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) +
         "\" r=\"13\" fill=\"none\" stroke=\"#1a1a2e\" stroke-width=\"2\"/>\n";
}

std::string diamond(double x, double y) {
  constexpr double r = 16;
  return "<path d=\"M" + px(x - r) + " " + px(y) + "L" + px(x) + " " + px(y - r) + "L" + px(x + r) +
         " " + px(y) + "L" + px(x) + " " + px(y + r) +
         "Z\" fill=\"none\" stroke=\"#0a8f4e\" stroke-width=\"2.5\"/>\n";
}

std::string grid_axes(const Grid& grid) {
  const double width = static_cast<double>(grid.mu.size()) * cell_width;
  const double height = static_cast<double>(grid.nu.size()) * cell_height;
  std::string text = "<rect width=\"" + px(width) + "\" height=\"" + px(height) +
                     "\" fill=\"none\" stroke=\"#333\"/>\n";
  for (const double mu : grid.mu) {
    text += text_at(x_of(grid, mu), height + 16, engine::number_text(mu), {"middle", 11});
  }
  for (const double nu : grid.nu) {
    text += text_at(-8, y_of(grid, nu) + 4, engine::number_text(nu), {"end", 11});
  }
  return text + text_at(width / 2, height + 36, "μ", {"middle", 13}) +
         text_at(-48, height / 2 + 4, "ν", {"middle", 13});
}

/// The coarse limit that is nearest by its ratio.
double nearest(const std::vector<double>& limits, double limit) {
  return *std::ranges::min_element(
      limits, {}, [&](double at) { return std::abs(std::log(at / std::max(limit, 1e-6))); });
}

std::string grid_legend(const engine::TuningResult& result, const Grid& grid, double y) {
  std::string text = text_at(grid_margin, y,
                             result.by_formula ? "Mean objective over the formula's"
                                               : "Mean objective over that without a correction",
                             {"start", 12, " font-weight=\"600\""});
  constexpr int steps = 52;
  for (int i = 0; i < steps; ++i) {
    text += "<rect x=\"" + px(grid_margin + i * bar_width / steps) + "\" y=\"" + px(y + 10) +
            "\" width=\"" + px(bar_width / steps + 0.5) + "\" height=\"" + px(bar_height) +
            "\" fill=\"" + svg_colour(ratio_ramp, (i + 0.5) / steps) + "\"/>\n";
  }
  for (const double tick : bar_ticks) {
    text += text_at(grid_margin + place_of(tick) * bar_width, y + 38, engine::number_text(tick),
                    {"middle", 11});
  }
  double x = grid_margin + bar_width + 60;
  const double middle = y + 17;
  if (result.by_formula) {
    text += circle(x, middle) + text_at(x + 22, middle + 4, "formula");
    x += 100;
  }
  if (result.best) {
    text += diamond(x, middle) +
            text_at(x + 24, middle + 4,
                    "best: μ " + engine::number_text(result.best->mu) + ", ν " +
                        engine::number_text(result.best->nu) + ", limit " +
                        engine::percent_text(result.best->limit) + " (in the panel of " +
                        engine::percent_text(nearest(grid.limit, result.best->limit)) + ")");
  }
  text += text_at(grid_margin, y + 60,
                  "Underlined: worse in no test. –: a test does not complete, or tells nothing. "
                  "≫: over 100.",
                  {"start", 11, " fill=\"#555\""});
  return text;
}

}  // namespace

std::string tuning_svg(const engine::TuningResult& result, const std::string& title,
                       const std::string& subtitle) {
  if (result.grid_points == 0) {
    return "";
  }
  const Grid grid = grid_of(result);
  const auto& beat = result.by_formula ? *result.by_formula : result.uncorrected;
  const double panel_width =
      grid_left + static_cast<double>(grid.mu.size()) * cell_width + grid_gap;
  const double panel_height =
      grid_top + static_cast<double>(grid.nu.size()) * cell_height + grid_bottom;
  const std::size_t rows = (grid.limit.size() + grid_columns - 1) / grid_columns;
  const double body = panel_height * static_cast<double>(rows);
  std::string svg =
      svg_head(2 * grid_margin + panel_width * grid_columns, grid_head + body + grid_foot, title) +
      text_at(grid_margin, 28, escaped(title), {"start", 18, " font-weight=\"600\""}) +
      text_at(grid_margin, 48, escaped(subtitle), {"start", 12});
  for (std::size_t i = 0; i < grid.limit.size(); ++i) {
    const double limit = grid.limit[i];
    const double x = grid_margin + grid_left + panel_width * static_cast<double>(i % grid_columns);
    const double y = grid_head + grid_top + panel_height * static_cast<double>(i / grid_columns);
    svg += "<g transform=\"translate(" + px(x) + " " + px(y) + ")\">\n" +
           text_at(0, -10, "limit " + engine::percent_text(limit),
                   {"start", 13, " font-weight=\"600\""}) +
           grid_cells(grid, beat, limit) + grid_axes(grid);
    if (result.by_formula && result.by_formula->limit == limit) {
      svg += circle(x_of(grid, result.by_formula->mu), y_of(grid, result.by_formula->nu));
    }
    if (result.best && nearest(grid.limit, result.best->limit) == limit) {
      svg += diamond(x_of(grid, result.best->mu), y_of(grid, result.best->nu));
    }
    svg += "</g>\n";
  }
  return svg + grid_legend(result, grid, grid_head + body + 20) + "</svg>\n";
}

}  // namespace macrostep::server
