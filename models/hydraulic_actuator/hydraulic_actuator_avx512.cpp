// Compiled for AVX-512.
#include "models/hydraulic_actuator/hydraulic_actuator_lanes.hpp"
