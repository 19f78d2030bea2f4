// Compiled for AVX-512.
#include "models/crane/crane_mechanics_lanes.hpp"
