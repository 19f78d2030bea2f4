#include "server/cli/search/residual_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/base/text.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t label_columns = 9;  // of the residual, left of the axis
constexpr std::size_t least_columns = 30;
constexpr std::size_t least_rows = 4;
constexpr double axis_margin = 0.02;   // of an axis, beyond its outermost values
constexpr double least_decades = 0.1;  // of an axis whose values are all the same

bool is_drawn(const ResidualPoint& point) {
  return point.macro_step_s > 0 && point.residual_J > 0 && std::isfinite(point.macro_step_s) &&
         std::isfinite(point.residual_J);
}

/// A logarithmic axis of so many steps.
class Axis {
 public:
  void include(double value) {
    low_ = std::min(low_, std::log10(value));
    high_ = std::max(high_, std::log10(value));
  }
  bool is_empty() const { return low_ > high_; }
  void widen() {
    const double missing = std::max(0.0, least_decades - (high_ - low_)) / 2;
    const double beyond = axis_margin * (high_ - low_) + missing;
    low_ -= beyond;
    high_ += beyond;
  }
  bool contains(double value) const {
    return std::log10(value) >= low_ && std::log10(value) <= high_;
  }
  /// 0 to `steps` − 1.
  std::size_t place(double value, std::size_t steps) const {
    const double share = (std::log10(value) - low_) / (high_ - low_);
    const double place = std::floor(share * static_cast<double>(steps));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(steps - 1)));
  }
  double low() const { return low_; }
  double high() const { return high_; }

  /// Round numbers on the axis, ascending: decades, or 1, 2 and 5 of each where these are few.
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    const bool fine = high_ - low_ < 2.5;
    for (double decade = std::floor(low_); decade <= high_; decade += 1) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double tick = digit * std::pow(10.0, decade);
        if ((fine || digit == 1.0) && contains(tick)) {
          ticks.push_back(tick);
        }
      }
    }
    return ticks;
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

/// What is drawn, in dots: two beside and four above each other in a character.
class Canvas {
 public:
  static constexpr std::size_t across = 2;
  static constexpr std::size_t along = 4;

  Canvas(std::size_t columns, std::size_t rows)
      : columns_(columns), cells_(columns * rows), rows_(rows) {}

  /// Dots from the left and from below.
  void set(std::size_t x, std::size_t y, bool is_chosen) {
    // Where the dots of a character are in the code of its Braille pattern, from above.
    static constexpr std::array<std::array<std::uint8_t, along>, across> bits{
        {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
    Cell& cell = cells_[(rows_ - 1 - y / along) * columns_ + x / across];
    cell.dots |= bits[x % across][along - 1 - y % along];
    cell.is_chosen |= is_chosen;
  }
  void mark(std::size_t column, char name) {
    for (std::size_t row = 0; row < rows_; ++row) {
      cells_[row * columns_ + column].mark = name;
    }
  }

  std::string row(std::size_t number, bool braille) const {
    std::string text;
    for (std::size_t column = 0; column < columns_; ++column) {
      const Cell& cell = cells_[number * columns_ + column];
      text += braille ? braille_of(cell) : std::string(1, character_of(cell));
    }
    return text;
  }

 private:
  struct Cell {
    std::uint8_t dots = 0;
    bool is_chosen = false;
    char mark = ' ';
  };

  static char character_of(const Cell& cell) {
    return cell.is_chosen ? 'o' : cell.dots != 0 ? '.' : cell.mark;
  }
  static std::string braille_of(const Cell& cell) {
    if (cell.dots == 0) {
      return std::string(1, cell.mark);
    }
    const auto code = static_cast<unsigned>(cell.dots);  // U+2800 and the dots, in UTF-8
    const std::string dots{static_cast<char>(0xE2), static_cast<char>(0xA0U | (code >> 6U)),
                           static_cast<char>(0x80U | (code & 0x3FU))};
    return cell.is_chosen ? "\033[1m" + dots + "\033[0m" : dots;
  }

  std::size_t columns_;
  std::vector<Cell> cells_;
  std::size_t rows_;
};

struct Mark {
  double value;
  char character;
  std::string word;
};

std::vector<Mark> marks_of(const PlotMarks& marks) {
  std::vector<Mark> list;
  // The last one stands where they meet: the recommended H.
  if (marks.cliff_s) {
    list.push_back({*marks.cliff_s, 'x', "cliff"});
  }
  if (marks.bend_s) {
    list.push_back({*marks.bend_s, ':', "bend"});
  }
  if (marks.macro_step_s) {
    list.push_back({*marks.macro_step_s, '|', "recommended H"});
  }
  std::erase_if(list, [](const Mark& mark) { return !(mark.value > 0); });
  return list;
}

void draw(Canvas& canvas, const PlottedCurve& curve, const Axis& x, const Axis& y,
          std::size_t columns, std::size_t rows) {
  const std::size_t width = columns * Canvas::across;
  const std::size_t height = rows * Canvas::along;
  const ResidualPoint* before = nullptr;
  for (const auto& point : curve.points) {
    if (!is_drawn(point)) {
      before = nullptr;
      continue;
    }
    const std::size_t to_x = x.place(point.macro_step_s, width);
    const std::size_t to_y = y.place(point.residual_J, height);
    canvas.set(to_x, to_y, curve.is_chosen);
    if (before != nullptr && curve.is_chosen) {
      const auto from_x = static_cast<double>(x.place(before->macro_step_s, width));
      const auto from_y = static_cast<double>(y.place(before->residual_J, height));
      const double across = static_cast<double>(to_x) - from_x;
      const double upwards = static_cast<double>(to_y) - from_y;
      const double steps = std::max({std::abs(across), std::abs(upwards), 1.0});
      for (double step = 1; step < steps; step += 1) {
        canvas.set(static_cast<std::size_t>(std::lround(from_x + across * step / steps)),
                   static_cast<std::size_t>(std::lround(from_y + upwards * step / steps)), true);
      }
    }
    before = &point;
  }
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t length = engine::character_count(text);
  return std::string(width > length ? width - length : 0, ' ') + text;
}

/// The labels below the drawing, each centred below its tick where there is room.
std::string axis_labels(const Axis& x, std::size_t columns) {
  std::string text(columns + label_columns, ' ');
  std::size_t next_free = 0;
  for (const double tick : x.ticks()) {
    const std::string label = engine::number_text(1e3 * tick);
    const std::size_t middle = label_columns + x.place(tick, columns);
    const std::size_t begin = middle > label.size() / 2 ? middle - label.size() / 2 : 0;
    if (begin >= next_free && begin + label.size() <= text.size()) {
      text.replace(begin, label.size(), label);
      next_free = begin + label.size() + 2;
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The entries side by side as far as they fit, below the drawing.
std::string legend_lines(const std::vector<std::string>& entries, std::size_t columns) {
  const std::string indent(label_columns + 1, ' ');
  std::string text;
  std::size_t length = 0;
  for (const auto& entry : entries) {
    const bool fits = length > 0 && length + 2 + entry.size() < columns;
    text += length == 0 ? indent : fits ? "; " : ";\n" + indent;
    text += entry;
    length = (fits ? length + 2 : 0) + entry.size();
  }
  return text + "\n";
}

}  // namespace

std::string residual_plot(const std::vector<PlottedCurve>& curves, const PlotMarks& marks,
                          const PlotShape& shape) {
  const std::size_t columns = std::max(shape.columns, least_columns) - label_columns - 1;
  const std::size_t rows = std::max(shape.rows, least_rows);
  Axis x;
  Axis y;
  bool any_chosen = false;
  for (const auto& curve : curves) {
    for (const auto& point : curve.points) {
      if (is_drawn(point)) {
        x.include(point.macro_step_s);
        y.include(point.residual_J);
        any_chosen |= curve.is_chosen;
      }
    }
  }
  if (x.is_empty()) {
    return "";
  }
  const auto lines = marks_of(marks);
  for (const auto& line : lines) {
    x.include(line.value);
  }
  x.widen();
  y.widen();

  Canvas canvas(columns, rows);
  for (const auto& line : lines) {
    canvas.mark(x.place(line.value, columns), line.character);
  }
  for (const auto& curve : curves) {
    draw(canvas, curve, x, y, columns, rows);
  }

  std::vector<std::string> labels(rows);
  for (const double tick : y.ticks()) {
    auto& label = labels[rows - 1 - y.place(tick, rows)];
    label = label.empty() ? engine::number_text(tick) : label;
  }
  std::string text = padded_left("J", label_columns - 1) + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += padded_left(labels[row], label_columns - 1) + (shape.braille ? " │" : " |") +
            canvas.row(row, shape.braille);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  text += std::string(label_columns, ' ') + (shape.braille ? "└" : "+");
  for (std::size_t column = 0; column < columns; ++column) {
    text += shape.braille ? "─" : "-";
  }
  text += "\n " + axis_labels(x, columns) + "\n";
  std::vector<std::string> legend{"residual energy over H in ms"};
  if (any_chosen) {
    legend.emplace_back(shape.braille ? "bold: the recommended configuration"
                                      : "o: the recommended configuration, .: all others");
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    legend.push_back(std::string(1, line->character) + ": " + line->word + ", " +
                     engine::macro_step_text(line->value));
  }
  return text + legend_lines(legend, columns);
}

}  // namespace macrostep::server
