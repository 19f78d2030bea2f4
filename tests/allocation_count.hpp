// Counts the calls of operator new of this thread.
#pragma once

#include <cstdint>

namespace macrostep::tests {

std::uint64_t allocation_count();

}  // namespace macrostep::tests
