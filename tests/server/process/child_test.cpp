// What a child process gets of its parent.
#include "server/process/child.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "server/base/descriptor.hpp"

using namespace macrostep::server;

TEST_CASE("a child has the descriptors that it was given, and no others of its parent") {
  const Descriptor inherited(::fcntl(STDERR_FILENO, F_DUPFD, 100));  // as libraries make them
  REQUIRE(inherited.get() >= 100);
  auto [reading, writing] = make_pipe();
  const std::string ask =
      "test -e /proc/self/fd/4 && ! test -e /proc/self/fd/" + std::to_string(inherited.get());
  Child child({.arguments = {"sh", "-c", ask}, .descriptors = {{writing.get(), 4}}});
  CHECK(child.wait().exit_code == 0);
}

TEST_CASE("a number that is not given stays closed in a child, also between two that are") {
  constexpr int unassigned = 50;
  const Descriptor inherited(::fcntl(STDERR_FILENO, F_DUPFD, unassigned));  // not close-on-exec
  REQUIRE(inherited.get() == unassigned);
  auto [reading, writing] = make_pipe();
  const std::string ask = "test -e /proc/self/fd/51 && ! test -e /proc/self/fd/50";
  Child child({.arguments = {"sh", "-c", ask}, .descriptors = {{writing.get(), unassigned + 1}}});
  CHECK(child.wait().exit_code == 0);
}
