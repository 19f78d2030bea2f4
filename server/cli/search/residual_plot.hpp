// Residual curves as text for a terminal: residual energy upwards over H, both axes logarithmic.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace macrostep::server {

struct ResidualPoint {
  double macro_step_s = 0;
  double residual_J = 0;
};

struct PlottedCurve {
  std::vector<ResidualPoint> points;  ///< with ascending H
  bool is_chosen = false;             ///< of the recommended configuration: drawn as a line, on top
};

/// H that get a vertical line.
struct PlotMarks {
  std::optional<double> macro_step_s;  ///< recommended
  std::optional<double> bend_s;
  std::optional<double> cliff_s;
};

struct PlotShape {
  std::size_t columns = 72;  ///< of the whole text; at least 30
  std::size_t rows = 18;     ///< of the drawing, without axis and legend; at least 4
  bool braille = false;      ///< eight dots a character and bold print, else plain ASCII
};

/// The drawing with its axes and a legend of what is there; points that are not positive and finite
/// are left out. Every line ends with a line feed. Empty where nothing can be drawn.
std::string residual_plot(const std::vector<PlottedCurve>& curves, const PlotMarks& marks,
                          const PlotShape& shape);

}  // namespace macrostep::server
