// Compiled for AVX2.
#include "models/crane/crane_mechanics_lanes.hpp"
