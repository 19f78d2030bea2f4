// Time series as they lie in the file: 64-bit floating-point numbers (IEEE 754, least significant
// byte first), column after column, which is what compresses, as one zlib stream (RFC 1950).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::db {

/// Numbers in one series; the largest traces have an eighth of it.
inline constexpr std::size_t maximum_series_numbers = 8'000'000;

/// `values` row after row. What is not finite becomes the number that is none (NaN).
std::string packed_series(std::span<const double> values, std::size_t columns);

/// The values that were packed, row after row. Throws Error(corrupt) if it is not so many numbers.
std::vector<double> unpacked_series(std::string_view packed, std::size_t rows, std::size_t columns);

}  // namespace macrostep::db
