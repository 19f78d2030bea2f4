// What a process can still write that keeps to a directory.
#include "server/worker_executable/landlock.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "tests/scratch.hpp"

using macrostep::server::restrict_writes_to;

namespace {

constexpr int no_landlock = 77;

/// The exit code of a process that keeps to the directory and then does it.
int code_of(const std::string& directory, const std::function<bool()>& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(!restrict_writes_to(directory) ? no_landlock : act() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool creates(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  return file >= 0 && ::write(file, "x", 1) == 1;
}

}  // namespace

TEST_CASE("with Landlock a process writes below its directory and nowhere else, and reads on") {
  const Scratch inside;
  const Scratch outside;
  const auto existing = outside.write("there", "before");
  const auto result = [&](const std::function<bool()>& act) {
    return code_of(inside.file("").c_str(), act);
  };
  if (result([] { return true; }) == no_landlock) {
    MESSAGE("this kernel has no Landlock");
    return;
  }
  CHECK(result([&] { return creates(inside.file("new")); }) == 0);
  CHECK(result([&] { return ::mkdir(inside.file("folder").c_str(), 0700) == 0; }) == 0);
  CHECK(result([&] { return ::open("/dev/null", O_WRONLY) >= 0; }) == 0);
  CHECK(result([&] { return ::open(existing.c_str(), O_RDONLY) >= 0; }) == 0);
  CHECK(result([&] { return creates(outside.file("new")); }) == 1);
  CHECK(result([&] { return ::open(existing.c_str(), O_WRONLY) >= 0; }) == 1);
  CHECK(result([&] { return ::unlink(existing.c_str()) == 0; }) == 1);
  CHECK(result([&] { return ::mkdir(outside.file("folder").c_str(), 0700) == 0; }) == 1);
  CHECK(result([&] {
          return ::rename(inside.file("new").c_str(), outside.file("new").c_str()) == 0;
        }) == 1);
}
