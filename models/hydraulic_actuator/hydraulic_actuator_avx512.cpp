// Compiled for AVX-512.
#include "models/hydraulic_actuator/hydraulic_actuator_lanes.hpp"

static_assert(macrostep::models::compiled_level == macrostep::models::LaneLevel::avx512);
