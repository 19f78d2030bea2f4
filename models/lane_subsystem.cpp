#include "models/lane_subsystem.hpp"

namespace macrostep::models {

bool has_lanes() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#else
  return false;
#endif
}

}  // namespace macrostep::models
