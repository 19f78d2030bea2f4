// What was unpacked, held against its archive.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/fmi/archive/archive.hpp"
#include "tests/scratch.hpp"

namespace macrostep::models::fmi {
namespace {

namespace fs = std::filesystem;

TEST_CASE("what is unpacked is told from what was changed, lost or added since") {
  const Scratch scratch;
  const fs::path archive = fs::path(MACROSTEP_TEST_FMUS) / "mass2.fmu";
  const fs::path target = scratch.file("unpacked");
  CHECK_FALSE(is_unpacked(archive, target));
  const fs::path library = *unpack_archive(archive, target).co_simulation_library;
  CHECK(is_unpacked(archive, target));
  SUBCASE("another byte") {
    std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file << '\x5a';
  }
  SUBCASE("shorter") {
    fs::resize_file(library, fs::file_size(library) - 1);
  }
  SUBCASE("longer") {
    fs::resize_file(library, fs::file_size(library) + 1);
  }
  SUBCASE("gone") {
    fs::remove(library);
  }
  SUBCASE("a link to the same bytes") {
    fs::rename(library, scratch.file("elsewhere"));
    fs::create_symlink(scratch.file("elsewhere"), library);
  }
  SUBCASE("one more") {
    std::ofstream(library.parent_path() / "other.so") << "x";
  }
  CHECK_FALSE(is_unpacked(archive, target));
}

}  // namespace
}  // namespace macrostep::models::fmi
