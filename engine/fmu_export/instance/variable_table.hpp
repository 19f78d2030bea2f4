// Which value reference stands for what in an exported FMU: one number for each variable, in the
// order time, coupling inputs, external inputs, outputs, parameters, states, their derivatives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace macrostep::engine {

enum class VariableKind { time, input, external, output, parameter, state, derivative };

inline constexpr std::size_t variable_kinds = 7;

struct VariablePlace {
  VariableKind kind{};
  std::size_t index = 0;  ///< among those of its kind
};

class VariableTable {
 public:
  struct Counts {
    std::size_t inputs = 0, externals = 0, outputs = 0, parameters = 0;
    std::size_t states = 0;  ///< of the equations; 0 if they are not known
  };

  explicit VariableTable(const Counts& counts) : begin_{} {
    const std::array sizes{std::size_t{1},    counts.inputs, counts.externals, counts.outputs,
                           counts.parameters, counts.states, counts.states};
    for (std::size_t kind = 0; kind < variable_kinds; ++kind) {
      begin_[kind + 1] = begin_[kind] + sizes[kind];
    }
  }

  std::size_t size() const { return begin_.back(); }

  std::size_t count(VariableKind kind) const {
    const auto at = static_cast<std::size_t>(kind);
    return begin_[at + 1] - begin_[at];
  }

  std::uint32_t reference(VariableKind kind, std::size_t index) const {
    return static_cast<std::uint32_t>(begin_[static_cast<std::size_t>(kind)] + index);
  }

  std::optional<VariablePlace> find(std::uint32_t reference) const {
    for (std::size_t kind = 0; kind < variable_kinds; ++kind) {
      if (reference < begin_[kind + 1]) {
        return VariablePlace{static_cast<VariableKind>(kind), reference - begin_[kind]};
      }
    }
    return std::nullopt;
  }

 private:
  std::array<std::size_t, variable_kinds + 1> begin_;  ///< where each kind begins, and the end
};

}  // namespace macrostep::engine
