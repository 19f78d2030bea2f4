// Compiled for AVX2.
#include "models/crane/crane_mechanics_lanes.hpp"

static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx2);
