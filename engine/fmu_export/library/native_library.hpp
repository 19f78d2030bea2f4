// The shared library of exported FMUs (library/), as the program carries it: all built-in
// subsystems behind the functions of FMI 2.0 and 3.0.
#pragma once

#include <cstddef>
#include <span>

namespace macrostep::engine {

std::span<const std::byte> native_library();

}  // namespace macrostep::engine
