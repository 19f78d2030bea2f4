// Compiled for AVX2.
#include "engine/lane_batch_lanes.hpp"
