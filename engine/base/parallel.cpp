#include "engine/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

// Debian's libtbb is not built for the thread sanitizer, which then reports races inside it: those
// builds use plain threads.
#ifdef __SANITIZE_THREAD__
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace macrostep::engine {

namespace {

/// Takes the next index until none is left: ascending order for any number of workers.
void work(std::atomic<std::size_t>& next, std::size_t count,
          const std::function<void(std::size_t)>& task) {
  for (std::size_t i = next++; i < count; i = next++) {
    task(i);
  }
}

}  // namespace

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

#ifdef __SANITIZE_THREAD__

void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> pool;
  for (int i = 0; i < thread_count(threads); ++i) {
    pool.emplace_back([&] { work(next, count, task); });
  }
}

#else

void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    const int workers = tbb::this_task_arena::max_concurrency();
    tbb::parallel_for(
        0, workers, [&](int) { work(next, count, task); }, tbb::simple_partitioner{});
  });
}

#endif

}  // namespace macrostep::engine
