// Compiled for AVX2.
#include "models/hydraulic_actuator/hydraulic_actuator_lanes.hpp"
