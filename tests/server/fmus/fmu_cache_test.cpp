// The cache of FMUs that the command line unpacks: what stays in it, and what goes.
#include "server/fmus/fmu_cache.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/fmi/xml/fmu_refused.hpp"
#include "tests/db/fixtures.hpp"
#include "tests/server/test_fmus.hpp"

namespace macrostep::tests {
namespace {

namespace fs = std::filesystem;
using db::testing::TemporaryDirectory;

TEST_CASE("a cache keeps what is unpacked, once for every content") {
  const TemporaryDirectory directory;
  const auto place = directory.file("cache") / "fmus";
  const auto archive = directory.file("a.fmu");
  std::ofstream(archive, std::ios::binary) << fmu_bytes("spring3");
  server::FmuFiles files(place);
  const auto first = files.add_copy(archive).fmu;
  REQUIRE(first);
  server::FmuFiles others(place);
  const auto second = others.add_copy(archive).fmu;
  CHECK(first->sha256 == second->sha256);
  CHECK(first->directory == second->directory);
  CHECK(names_in(place) == std::vector<std::string>{first->sha256, "incoming"});
  CHECK((fs::status(place).permissions() & fs::perms::others_all) == fs::perms::none);
  std::ofstream(archive, std::ios::binary) << "no archive";
  CHECK_THROWS_AS(files.add_copy(archive), models::fmi::FmuRefused);
  // What was changed since, where nobody has the file any more.
  std::ofstream(*first->co_simulation_library, std::ios::binary) << "no library";
  CHECK(files.open(first->sha256)->co_simulation_library == first->co_simulation_library);
  CHECK(names_in(place / "incoming").empty());
}

/// By the names of its archives, in the order given.
class Caching {
 public:
  using Cache = server::FmuCache;

  void use(Cache& cache, const std::string& name) {
    age();
    hashes_[name] = cache.cache(fmu_file(name))->sha256;
  }
  std::string has() const {
    std::string found;
    for (const auto& [name, sha256] : hashes_) {
      found += fs::exists(place / sha256 / "files" / "modelDescription.xml") ? name + " " : "";
    }
    return found;
  }
  std::uint64_t bytes_of(const std::string& name) const {
    return server::FmuFiles(place).bytes_of(hashes_.at(name));
  }

 private:
  /// Two uses may fall into one tick of the file system's clock: what there is was used earlier.
  void age() const {
    for (const auto& [name, sha256] : hashes_) {
      if (const auto used = place / sha256; fs::exists(used)) {
        fs::last_write_time(used, fs::last_write_time(used) - std::chrono::seconds(1));
      }
    }
  }

  TemporaryDirectory directory_;
  std::map<std::string, std::string> hashes_;

 public:
  const fs::path place = directory_.file("fmus");
};

TEST_CASE("a cache that is full gives up what was used least recently") {
  Caching test;
  {
    Caching::Cache cache(test.place);
    test.use(cache, "ball2");
    test.use(cache, "mass2");
    test.use(cache, "spring2");
  }
  {
    Caching::Cache cache(test.place);
    test.use(cache, "ball2");
  }
  Caching::Cache cache(test.place, test.bytes_of("ball2") + 3 * test.bytes_of("mass2") / 2 +
                                       test.bytes_of("spring2"));
  test.use(cache, "types2");  // about as large as the mass
  CHECK(test.has() == "ball2 spring2 types2 ");
  CHECK(names_in(test.place / "incoming").empty());
}

TEST_CASE("what somebody uses stays in a cache, however full it is") {
  constexpr std::uint64_t nothing = 1;
  Caching test;
  std::optional<Caching::Cache> first(std::in_place, test.place, nothing);
  test.use(*first, "ball2");
  Caching::Cache second(test.place, nothing);
  test.use(second, "mass2");
  CHECK(test.has() == "ball2 mass2 ");
  first.reset();
  test.use(second, "mass2");  // nothing new, nothing goes
  CHECK(test.has() == "ball2 mass2 ");
  test.use(second, "spring2");
  CHECK(test.has() == "mass2 spring2 ");
}

}  // namespace
}  // namespace macrostep::tests
