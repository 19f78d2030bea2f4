// The rows of a trace, thinned while they come, so that peaks stay.
//
// Time is cut into stretches of equal numbers of rows; of each the rows with the smallest and the
// largest value of every column are kept, whole and in order. All rows that are kept are rows of
// the trace: nothing is averaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace macrostep::server::service {

class TraceRows {
 public:
  /// `columns` with the time, which is the first; `expected` rows come, about `wanted` are kept,
  /// hardly more if there come others than those expected.
  /// Too few for one stretch of all columns: every so many a row.
  TraceRows(std::size_t columns, std::int64_t expected, std::size_t wanted);

  void add(std::span<const double> row);

  /// What was kept, row after row, when all have come.
  std::vector<double> take();
  std::int64_t seen() const { return seen_; }

 private:
  void thin();
  void close_stretch();

  std::size_t columns_;
  std::int64_t rows_per_stretch_ = 1;
  std::int64_t stretches_left_ = 0;
  std::int64_t kept_whole_ = 0;  ///< the first rows, all of those expected if they are few
  bool keeps_peaks_ = true;
  std::size_t buffer_limit_ = 0;  ///< in numbers
  std::int64_t seen_ = 0;
  std::int64_t in_stretch_ = 0;
  std::vector<double> kept_;
  std::vector<double> stretch_;  ///< of the present one, thinned now and then
  std::vector<double> last_;
};

}  // namespace macrostep::server::service
