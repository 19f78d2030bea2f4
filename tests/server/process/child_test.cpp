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
  const std::string ask = "test -e /proc/self/fd/4 && ! test -e /proc/self/fd/" +
                          std::to_string(inherited.get());
  Child child({.arguments = {"sh", "-c", ask}, .descriptors = {{writing.get(), 4}}});
  CHECK(child.wait().exit_code == 0);
}
