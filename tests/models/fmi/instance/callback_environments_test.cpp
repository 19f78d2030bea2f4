#include "models/fmi/instance/callback_environments.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "tests/allocation_count.hpp"

using macrostep::models::fmi::CallbackEnvironment;
using macrostep::models::fmi::CalledEnvironment;
using macrostep::models::fmi::is_known;

TEST_CASE("an environment is known as long as its instance lives") {
  const int one = 0;
  const int other = 0;
  std::optional<CallbackEnvironment> environment(&one);
  const CallbackEnvironment second(&other);
  CHECK(is_known(&one));
  CHECK(is_known(&other));
  environment.reset();
  CHECK_FALSE(is_known(&one));
  CHECK(is_known(&other));
  CHECK_FALSE(is_known(nullptr));
  CHECK_FALSE(is_known(reinterpret_cast<void*>(1)));
}

TEST_CASE("environments are asked for while others come and go, without an allocation") {
  const int one = 0;
  const CallbackEnvironment environment(&one);
  std::atomic<bool> known = true;
  std::thread asking([&] {
    for (int i = 0; i < 10'000; ++i) {
      known = known && is_known(&one);
    }
  });
  for (int i = 0; i < 1000; ++i) {
    const int passing = 0;
    const CallbackEnvironment short_lived(&passing);
    CHECK(is_known(&passing));
  }
  asking.join();
  CHECK(known);
  const auto before = macrostep::tests::allocation_count();
  CHECK(is_known(&one));
  CHECK(macrostep::tests::allocation_count() == before);
}

TEST_CASE("the environment of an instance that is called is known to its thread, in the call") {
  const int one = 0;
  const int other = 0;
  const auto known_elsewhere = [&] {
    bool known = true;
    std::thread([&] { known = is_known(&one); }).join();
    return known;
  };
  {
    const CalledEnvironment called(&one);  // not registered: this is what is asked
    CHECK(is_known(&one));
    CHECK_FALSE(is_known(&other));
    CHECK_FALSE(is_known(nullptr));
    CHECK_FALSE(known_elsewhere());
    {
      const CalledEnvironment within(&other);
      CHECK(is_known(&other));
      CHECK_FALSE(is_known(&one));
    }
    CHECK(is_known(&one));
  }
  CHECK_FALSE(is_known(&one));
}
