#include "server/traces/trace_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace macrostep::server {

namespace {

/// The size of one of `parts` parts that differ by one at the most, the longer ones first.
std::int64_t share(std::int64_t all, std::int64_t parts, std::int64_t part) {
  return all / parts + (part < all % parts ? 1 : 0);
}

/// Whether this one of `all` in a row is among `chosen` of them: cut into so many parts, the one
/// in the middle of each.
bool is_chosen(std::int64_t at, std::int64_t all, std::int64_t chosen) {
  const auto before = [&](std::int64_t row) { return (2 * row * chosen + all) / (2 * all); };
  return before(at + 1) != before(at);
}

}  // namespace

TraceRows::TraceRows(std::size_t columns, std::int64_t expected, std::size_t wanted)
    : columns_(columns) {
  const auto peaks = 2 * static_cast<std::int64_t>(columns - 1);
  const auto rows = static_cast<std::int64_t>(wanted);
  keeps_peaks_ = rows >= peaks + 2;
  if (expected <= rows) {
    kept_whole_ = expected;
  } else {
    kept_whole_ = 1;
    rows_between_ = expected - 2;
    wanted_between_ = rows - 2;
    stretches_ = keeps_peaks_ && peaks > 0 ? wanted_between_ / peaks : 1;
  }
}

void TraceRows::add(std::span<const double> row) {
  ++seen_;
  if (seen_ <= kept_whole_) {
    kept_.insert(kept_.end(), row.begin(), row.end());
    return;
  }
  last_.assign(row.begin(), row.end());
  if (in_stretch_ == stretch_rows_) {
    close_stretch();
    open_stretch();
  }
  const bool is_spread =
      stretch_wanted_ > 0 && is_chosen(in_stretch_, stretch_rows_, stretch_wanted_);
  ++in_stretch_;
  if (!keeps_peaks_ && !is_spread) {
    return;
  }
  stretch_.insert(stretch_.end(), row.begin(), row.end());
  is_spread_.push_back(is_spread);
  if (keeps_peaks_ && is_spread_.size() >= buffer_limit_) {
    thin();
  }
}

std::vector<double> TraceRows::take() {
  close_stretch();
  // Times tell rows apart; values may be no numbers, which equal nothing.
  if (!last_.empty() && (kept_.empty() || kept_[kept_.size() - columns_] != last_.front())) {
    kept_.insert(kept_.end(), last_.begin(), last_.end());
  }
  return std::move(kept_);
}

void TraceRows::open_stretch() {
  in_stretch_ = 0;
  const auto number = stretches_opened_++;
  const bool is_expected = number < stretches_ && rows_between_ > 0;
  stretch_rows_ = is_expected ? share(rows_between_, stretches_, number)
                              : std::numeric_limits<std::int64_t>::max();
  stretch_wanted_ = is_expected ? share(wanted_between_, stretches_, number) : 0;
  // Twice what is left by thin(), so that it is called seldom.
  buffer_limit_ = 2 * (2 * columns_ + static_cast<std::size_t>(stretch_wanted_)) + 64;
}

/// The rows with the smallest and the largest finite value of each column but the time.
std::vector<bool> TraceRows::peaks() const {
  const std::size_t rows = is_spread_.size();
  const auto value = [&](std::size_t row, std::size_t column) {
    return stretch_[row * columns_ + column];
  };
  std::vector<bool> marks(rows, false);
  for (std::size_t column = 1; column < columns_; ++column) {
    std::optional<std::size_t> smallest;
    std::optional<std::size_t> largest;
    for (std::size_t row = 0; row < rows; ++row) {
      if (!std::isfinite(value(row, column))) {
        continue;
      }
      smallest = !smallest || value(row, column) < value(*smallest, column) ? row : *smallest;
      largest = !largest || value(row, column) > value(*largest, column) ? row : *largest;
    }
    if (smallest) {
      marks[*smallest] = marks[*largest] = true;
    }
  }
  return marks;
}

/// Leaves of what the stretch has so far its peaks and the rows that are evenly spread: those that
/// will be kept are among them.
void TraceRows::thin() {
  auto stays = peaks();
  for (std::size_t row = 0; row < stays.size(); ++row) {
    stays[row] = stays[row] || is_spread_[row];
  }
  keep_marked(stays);
}

/// Peaks first; what is left of the wanted rows, from those evenly spread.
void TraceRows::close_stretch() {
  auto stays = keeps_peaks_ ? peaks() : std::vector<bool>(is_spread_.size(), false);
  const auto room = stretch_wanted_ - std::ranges::count(stays, true);
  std::int64_t others = 0;
  for (std::size_t row = 0; row < stays.size(); ++row) {
    others += is_spread_[row] && !stays[row] ? 1 : 0;
  }
  std::int64_t at = 0;
  for (std::size_t row = 0; row < stays.size(); ++row) {
    if (is_spread_[row] && !stays[row]) {
      stays[row] = room > 0 && (room >= others || is_chosen(at, others, room));
      ++at;
    }
  }
  keep_marked(stays);
  kept_.insert(kept_.end(), stretch_.begin(), stretch_.end());
  stretch_.clear();
  is_spread_.clear();
}

void TraceRows::keep_marked(const std::vector<bool>& stays) {
  std::size_t left = 0;
  for (std::size_t row = 0; row < stays.size(); ++row) {
    if (stays[row]) {
      std::copy_n(stretch_.begin() + static_cast<std::ptrdiff_t>(row * columns_), columns_,
                  stretch_.begin() + static_cast<std::ptrdiff_t>(left * columns_));
      is_spread_[left] = is_spread_[row];
      ++left;
    }
  }
  stretch_.resize(left * columns_);
  is_spread_.resize(left);
}

}  // namespace macrostep::server
