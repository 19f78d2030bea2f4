// Assertions against our own mistakes, which stay on in release.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace macrostep::models {

inline void ensure(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "macrostep: broken assumption: %s\n", what);
    std::abort();
  }
}

}  // namespace macrostep::models
