// The rows of a trace, thinned while they come, so that peaks stay.
//
// Time is cut into stretches of equal numbers of rows; of each the rows with the smallest and the
// largest value of every column are kept, whole and in order, and of the others as many, evenly
// spread, as its share of the rows that are wanted allows. All rows that are kept are rows of the
// trace: nothing is averaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace macrostep::server {

class TraceRows {
 public:
  /// `columns` with the time, which is the first; `expected` rows come, of which all are kept if
  /// they are no more than `wanted` (at least 2), else so many. Of rows beyond those expected the
  /// peaks and the last one are kept besides.
  /// Too few for one stretch with the peaks of all columns: every so many a row.
  TraceRows(std::size_t columns, std::int64_t expected, std::size_t wanted);

  void add(std::span<const double> row);

  /// What was kept, row after row, when all have come.
  std::vector<double> take();
  std::int64_t seen() const { return seen_; }

 private:
  void open_stretch();
  void close_stretch();
  std::vector<bool> peaks() const;
  void thin();
  void keep_marked(const std::vector<bool>& stays);

  std::size_t columns_;
  bool keeps_peaks_ = true;
  std::int64_t kept_whole_ = 0;      ///< the first rows: one, or all of those expected
  std::int64_t rows_between_ = 0;    ///< the first and the last of those expected …
  std::int64_t wanted_between_ = 0;  ///< … of which so many are kept, …
  std::int64_t stretches_ = 1;       ///< … in so many stretches
  std::int64_t seen_ = 0;
  std::vector<double> kept_;
  std::vector<double> last_;

  // The present stretch.
  std::int64_t stretches_opened_ = 0;
  std::int64_t stretch_rows_ = 0;  ///< that come; unlimited beyond those expected
  std::int64_t stretch_wanted_ = 0;
  std::int64_t in_stretch_ = 0;  ///< that have come
  std::vector<double> stretch_;  ///< those that may be kept, thinned now and then
  std::vector<bool> is_spread_;  ///< of each of these: one of those evenly spread
  std::size_t buffer_limit_ = 0;
};

}  // namespace macrostep::server
