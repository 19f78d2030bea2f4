#include "server/service/trace_rows.hpp"

#include <algorithm>
#include <utility>

namespace macrostep::server::service {

TraceRows::TraceRows(std::size_t columns, std::int64_t expected, std::size_t wanted)
    : columns_(columns) {
  const auto rows = static_cast<std::int64_t>(wanted);
  // The first row and the last one stay as well.
  const auto peaks = 2 * static_cast<std::int64_t>(columns - 1);
  keeps_peaks_ = rows >= peaks + 2;
  const std::int64_t stretches = keeps_peaks_ ? (rows - 2) / std::max<std::int64_t>(1, peaks)
                                              : std::max<std::int64_t>(1, rows - 2);
  rows_per_stretch_ = std::max<std::int64_t>(1, (expected + stretches - 1) / stretches);
  const bool keeps_all = expected <= rows;
  kept_whole_ = keeps_all ? expected : 1;
  // More than were expected are one stretch.
  stretches_left_ = keeps_all ? 1 : stretches;
  buffer_limit_ = columns * (4 * columns + 64);
}

void TraceRows::add(std::span<const double> row) {
  ++seen_;
  if (seen_ <= kept_whole_) {
    kept_.insert(kept_.end(), row.begin(), row.end());
    return;
  }
  last_.assign(row.begin(), row.end());
  if (keeps_peaks_ || in_stretch_ == 0) {
    stretch_.insert(stretch_.end(), row.begin(), row.end());
  }
  ++in_stretch_;
  if (stretch_.size() >= buffer_limit_) {
    thin();
  }
  if (in_stretch_ == rows_per_stretch_ && stretches_left_ > 1) {
    close_stretch();
    --stretches_left_;
  }
}

std::vector<double> TraceRows::take() {
  if (!stretch_.empty()) {
    close_stretch();
  }
  // Times tell rows apart; values may be no numbers, which equal nothing.
  if (!last_.empty() && kept_[kept_.size() - columns_] != last_.front()) {
    kept_.insert(kept_.end(), last_.begin(), last_.end());
  }
  return std::move(kept_);
}

/// Leaves the rows with the peaks of what the stretch has so far: its peaks are among them.
void TraceRows::thin() {
  const std::size_t rows = stretch_.size() / columns_;
  const auto value = [&](std::size_t row, std::size_t column) {
    return stretch_[row * columns_ + column];
  };
  std::vector<bool> stays(rows, false);
  for (std::size_t column = 1; column < columns_; ++column) {
    std::size_t smallest = 0;
    std::size_t largest = 0;
    for (std::size_t row = 1; row < rows; ++row) {
      smallest = value(row, column) < value(smallest, column) ? row : smallest;
      largest = value(row, column) > value(largest, column) ? row : largest;
    }
    stays[smallest] = stays[largest] = true;
  }
  std::size_t left = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (stays[row]) {
      std::copy_n(stretch_.begin() + static_cast<std::ptrdiff_t>(row * columns_), columns_,
                  stretch_.begin() + static_cast<std::ptrdiff_t>(left * columns_));
      ++left;
    }
  }
  stretch_.resize(left * columns_);
}

void TraceRows::close_stretch() {
  if (keeps_peaks_) {
    thin();
  }
  kept_.insert(kept_.end(), stretch_.begin(), stretch_.end());
  stretch_.clear();
  in_stretch_ = 0;
}

}  // namespace macrostep::server::service
