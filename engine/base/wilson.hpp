// How well a probability is known from counting.
#pragma once

#include <cstddef>

namespace macrostep::engine {

struct Interval {
  double low = 0;
  double high = 1;
};

/// Wilson's score interval, 95 %, of a probability of which `hits` of `tries` are known.
Interval wilson_interval(std::size_t hits, std::size_t tries);

}  // namespace macrostep::engine
