// Compiled for AVX-512.
#include "engine/lane_master_lanes.hpp"

static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx512);
