// Variables of an FMU that are read or written together as doubles, whatever their types.
//
// FMUs take one call per type. Values of other types than float64 pass through a buffer; a list of
// nothing but float64 needs none.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

struct NumberGroup {
  VariableType type = VariableType::float64;
  std::vector<std::uint32_t> references;
  std::vector<std::size_t> positions;  ///< in the list
  std::vector<std::byte> buffer;       ///< room for the values as the FMU has them
};

struct NumberList {
  std::size_t count = 0;
  bool plain = true;  ///< one group of float64 in order, or nothing
  std::vector<NumberGroup> groups;
};

/// Numbers, booleans and enumerations only; in this order.
NumberList number_list(const ModelDescription& description, std::span<const std::size_t> variables);

/// The nearest value of the FMU's type; true from 0.5 on.
template <class T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value >= 0.5;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::llround(value));
  } else {
    return static_cast<T>(value);
  }
}

/// `Meaning`: what the FMU means by a T; FMI 2 has booleans that are integers.
template <class T, class Meaning = T>
void write_buffer(NumberGroup& group, std::span<const double> values) {
  for (std::size_t i = 0; i < group.positions.size(); ++i) {
    const T value = from_double<Meaning>(values[group.positions[i]]);
    std::memcpy(group.buffer.data() + i * sizeof(T), &value, sizeof(T));
  }
}

template <class T>
void read_buffer(const NumberGroup& group, std::span<double> values) {
  for (std::size_t i = 0; i < group.positions.size(); ++i) {
    T value;
    std::memcpy(&value, group.buffer.data() + i * sizeof(T), sizeof(T));
    values[group.positions[i]] = static_cast<double>(value);
  }
}

}  // namespace macrostep::models::fmi
