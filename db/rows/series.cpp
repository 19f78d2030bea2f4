#include "db/rows/series.hpp"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "db/schema/error.hpp"

namespace macrostep::db {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");
static_assert(sizeof(double) == 8 && std::numeric_limits<double>::is_iec559);

namespace {

[[noreturn]] void damaged() {
  throw Error(ErrorKind::corrupt, "a stored time series is damaged");
}

}  // namespace

std::string packed_series(std::span<const double> values, std::size_t columns) {
  if (columns == 0 || values.size() % columns != 0 || values.size() > maximum_series_numbers) {
    throw std::logic_error("no series of so many columns");
  }
  const std::size_t rows = values.size() / columns;
  std::vector<double> by_column(values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = values[row * columns + column];
      by_column[column * rows + row] =
          std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
    }
  }
  const uLong size = static_cast<uLong>(by_column.size() * sizeof(double));
  uLongf packed_size = compressBound(size);
  std::string packed(packed_size, '\0');
  if (compress(reinterpret_cast<Bytef*>(packed.data()), &packed_size,
               reinterpret_cast<const Bytef*>(by_column.data()), size) != Z_OK) {
    throw std::bad_alloc();  // the room is enough by its bound
  }
  packed.resize(packed_size);
  return packed;
}

std::vector<double> unpacked_series(std::string_view packed, std::size_t rows,
                                    std::size_t columns) {
  if (columns == 0 || rows > maximum_series_numbers / columns) {
    damaged();
  }
  std::vector<double> by_column(rows * columns);
  const uLong size = static_cast<uLong>(by_column.size() * sizeof(double));
  // One number more, so that a longer series does not end where it should by chance.
  by_column.emplace_back();
  uLongf unpacked_size = static_cast<uLongf>(by_column.size() * sizeof(double));
  const int code =
      uncompress(reinterpret_cast<Bytef*>(by_column.data()), &unpacked_size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (code == Z_MEM_ERROR) {
    throw std::bad_alloc();
  }
  if (code != Z_OK || unpacked_size != size) {
    damaged();
  }
  std::vector<double> values(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      values[row * columns + column] = by_column[column * rows + row];
    }
  }
  return values;
}

}  // namespace macrostep::db
