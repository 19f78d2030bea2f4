// The thread on which a search takes its course.
#include "engine/search/dialogue.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <cstddef>
#include <system_error>

using namespace macrostep::engine;

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

TEST_CASE("a course whose thread cannot be started says so, and may be begun again") {
  using Talk = Dialogue<int, int>;
  int sum = 0;
  Talk talk([&](Talk& to) { sum = to.ask(1) + to.ask(2); });
  {
    const NoThreads none;
    CHECK_THROWS_WITH_AS(
        talk.question(),
        doctest::Contains("starting the thread on which a search takes its course"),
        std::system_error);
  }
  CHECK_FALSE(talk.has_begun());
  REQUIRE(*talk.question() == 1);
  talk.answer(10);
  REQUIRE(*talk.question() == 2);
  talk.answer(20);
  CHECK(talk.question() == nullptr);
  CHECK(sum == 30);
}
