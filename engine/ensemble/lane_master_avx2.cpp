// Compiled for AVX2.
#include "engine/ensemble/lane_master_lanes.hpp"

#if defined(__x86_64__)
static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx2);
#endif
