// The one place where work is spread over threads.
#pragma once

#include <cstddef>
#include <functional>

namespace macrostep::engine {

/// How many threads that is: at least one.
int thread_count(int threads);

/// Calls task(0) … task(count − 1), each once, on up to `threads` threads (0: all processors), and
/// returns when all are done. Tasks start in ascending order: put the longest first.
void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

}  // namespace macrostep::engine
