// Compiled for AVX2.
#include "models/hydraulic_actuator/hydraulic_actuator_lanes.hpp"

static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx2);
