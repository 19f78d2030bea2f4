#include "server/batch/durable_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <system_error>

#include "tests/scratch.hpp"

using macrostep::server::batch::write_durably;

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
