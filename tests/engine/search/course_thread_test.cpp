// The thread on which a search takes its course.
#include <doctest/doctest.h>
#include <pthread.h>

#include <cstddef>
#include <system_error>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/search.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {

/// Makes every new thread want more memory for its stack than there is.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t usual_;
};

}  // namespace

TEST_CASE("a search whose thread cannot be started says so, and may be begun again") {
  const auto plan = planned(find_built_in("linear_oscillator")->default_job);
  Search search(plan);
  {
    const NoThreads none;
    CHECK_THROWS_WITH_AS(
        search.wanted(),
        doctest::Contains("starting the thread on which a search takes its course"),
        std::system_error);
  }
  CHECK(search.wanted().trials.size() == plan.curves.size());
}
