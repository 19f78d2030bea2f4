#include "server/base/durable_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "tests/scratch.hpp"

using macrostep::server::NoRegularFile;
using macrostep::server::read_whole;
using macrostep::server::write_durably;

TEST_CASE("a file is replaced whole, and a link is neither followed nor replaced") {
  const Scratch scratch;
  const auto file = scratch.write("shard", "old and longer");
  write_durably(file, "new");
  CHECK(scratch.read("shard") == "new");

  const auto link = scratch.file("link");
  std::filesystem::create_symlink(file, link);
  CHECK_THROWS_AS(write_durably(link, "other"), std::system_error);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(scratch.read("shard") == "new");
  CHECK(scratch.names().size() == 2);  // nothing is left beside them
}

TEST_CASE("a pipe, a device or a directory in a file's place is refused at once") {
  const Scratch scratch;
  const auto pipe = scratch.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto link = scratch.file("link");
  std::filesystem::create_symlink("/dev/zero", link);
  for (const auto& place : {pipe, link, scratch.file("")}) {
    CHECK_THROWS_WITH_AS(read_whole(place), (place + " is not a regular file").c_str(),
                         NoRegularFile);
  }
  CHECK(read_whole(scratch.write("file", "text")) == "text");
}
