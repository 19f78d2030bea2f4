// Compiled for AVX-512.
#include "models/crane/crane_mechanics_lanes.hpp"

static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx512);
