// How the processor calculates, put right after foreign code has calculated: an FMU that leaves
// another rounding mode behind, or flushes small numbers to zero, would change the results of the
// master and of all other subsystems of its trial, without a word.
#pragma once

#include <cfenv>

namespace macrostep::models::fmi {

/// To what every process starts with: to nearest, gradual underflow, no traps. Cheap enough for
/// every step: one load where nothing has changed.
inline void restore_floating_point_mode() {
#if defined(__SSE2__)
  constexpr unsigned exceptions = 0x3f;  // that have occurred: no part of the mode
  constexpr unsigned at_start = 0x1f80;
  const bool changed = (__builtin_ia32_stmxcsr() & ~exceptions) != at_start;
#else
  const bool changed = std::fegetround() != FE_TONEAREST;
#endif
  if (changed) [[unlikely]] {
    std::fesetenv(FE_DFL_ENV);
  }
}

}  // namespace macrostep::models::fmi
