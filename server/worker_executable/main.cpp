#include <functional>

#include "server/worker_executable/worker_main.hpp"

namespace {

/// A worker runs one trial at a time.
void one_after_the_other(std::size_t count, int, const std::function<void(std::size_t)>& task) {
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return macrostep::server::run_worker_executable(argc, argv,
                                                  {.for_each_index = one_after_the_other});
}
