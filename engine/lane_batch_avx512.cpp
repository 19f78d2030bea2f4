// Compiled for AVX-512.
#include "engine/lane_batch_lanes.hpp"
