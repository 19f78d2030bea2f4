#include "server/analyses/map_regions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::server {

namespace {

/// The share of a cell's side kept free at either end: no border runs through a point.
constexpr double least_share = 0.02;

struct Place {
  double x = 0;
  double y = 0;
};

std::string number_of(double value) {
  return engine::exact_text(std::round(value * 10) / 10);
}

class Outline {
 public:
  Outline(const std::vector<double>& values, const Plane& plane) : values_(values), plane_(plane) {}

  Region region() {
    for (std::size_t row = 0; row + 1 < plane_.rows; ++row) {
      for (std::size_t column = 0; column + 1 < plane_.columns; ++column) {
        add_cell(column, row);
      }
      end_run(row);
    }
    return std::move(region_);
  }

 private:
  bool inside(std::size_t column, std::size_t row) const {
    return values_[row * plane_.columns + column] <= plane_.limit;  // false for NaN
  }

  Place place(double column, double row) const {
    return {column / static_cast<double>(plane_.columns - 1) * plane_.width,
            (1 - row / static_cast<double>(plane_.rows - 1)) * plane_.height};
  }

  using Corner = std::array<std::size_t, 2>;

  double value(const Corner& at) const { return values_[at[1] * plane_.columns + at[0]]; }

  /// The point behind `out`, seen from `in`, if the plane has it.
  std::optional<Corner> behind(const Corner& in, const Corner& out) const {
    const Corner next{2 * out[0] - in[0], 2 * out[1] - in[1]};  // wraps far beyond below zero
    return next[0] < plane_.columns && next[1] < plane_.rows ? std::optional(next) : std::nullopt;
  }

  /// How far the border is from the first, which is inside, to the second: logarithms of values are
  /// taken as straight lines.
  double share(const Corner& in, const Corner& out) const {
    const double limit = std::log(plane_.limit);
    const double from = std::log(value(out));
    const auto beyond = behind(in, out);
    const double to = std::log(plane_.two_sided ? value(in) : beyond ? value(*beyond) : NAN);
    const double part = (from - limit) / (plane_.two_sided ? from - to : to - from);
    return std::isfinite(part) && part > 0 ? 1 - std::min(part, 1 - least_share) : 0.5;
  }

  /// A cell that is inside as a whole joins its neighbours; of others a part is cut out.
  void add_cell(std::size_t column, std::size_t row) {
    const std::array<Corner, 4> corners{
        {{column, row}, {column + 1, row}, {column + 1, row + 1}, {column, row + 1}}};
    std::size_t count = 0;
    for (const auto& [c, r] : corners) {
      count += inside(c, r) ? 1 : 0;
    }
    if (count == corners.size()) {
      run_begin_ = run_length_ == 0 ? column : run_begin_;
      ++run_length_;
      return;
    }
    end_run(row);
    if (count > 0) {
      cut(corners);
    }
  }

  void end_run(std::size_t row) {
    if (run_length_ == 0) {
      return;
    }
    const auto from = place(static_cast<double>(run_begin_), static_cast<double>(row));
    const auto to =
        place(static_cast<double>(run_begin_ + run_length_), static_cast<double>(row + 1));
    region_.area += "M" + number_of(from.x) + " " + number_of(from.y) + "H" + number_of(to.x) +
                    "V" + number_of(to.y) + "H" + number_of(from.x) + "Z";
    run_length_ = 0;
  }

  /// The part of a cell that is inside, corner by corner; where it leaves and comes back, the
  /// border.
  void cut(const std::array<Corner, 4>& corners) {
    bool first = true;
    const auto add = [&](const Place& at) {
      region_.area += (first ? "M" : "L") + number_of(at.x) + " " + number_of(at.y);
      first = false;
    };
    std::array<Place, 4> crossings;
    std::size_t crossed = 0;
    bool leaves_first = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto& [c, r] = corners[i];
      const auto& [next_c, next_r] = corners[(i + 1) % corners.size()];
      const bool here = inside(c, r);
      if (here) {
        add(place(static_cast<double>(c), static_cast<double>(r)));
      }
      if (here == inside(next_c, next_r)) {
        continue;
      }
      const Corner& next = corners[(i + 1) % corners.size()];
      const double t = here ? share(corners[i], next) : 1 - share(next, corners[i]);
      const auto mixed = [t](std::size_t a, std::size_t b) {
        return static_cast<double>(a) + t * (static_cast<double>(b) - static_cast<double>(a));
      };
      leaves_first = crossed == 0 ? here : leaves_first;
      crossings[crossed++] = place(mixed(c, next_c), mixed(r, next_r));
      add(crossings[crossed - 1]);
    }
    region_.area += "Z";
    // Two crossings are one piece of border. Of four, each piece leads from leaving to returning.
    const std::size_t begin = crossed == 4 && !leaves_first ? 1 : 0;
    for (std::size_t k = 0; k < crossed; k += 2) {
      const auto& from = crossings[(begin + k) % crossed];
      const auto& to = crossings[(begin + k + 1) % crossed];
      region_.border += "M" + number_of(from.x) + " " + number_of(from.y) + "L" + number_of(to.x) +
                        " " + number_of(to.y);
    }
  }

  const std::vector<double>& values_;
  const Plane& plane_;
  Region region_;
  std::size_t run_begin_ = 0;
  std::size_t run_length_ = 0;
};

}  // namespace

Region region_of(const std::vector<double>& values, const Plane& plane) {
  return Outline(values, plane).region();
}

}  // namespace macrostep::server
