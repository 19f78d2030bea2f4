// Checks and copies of a file that nobody has open: what they leave beside it, and what they find.
#include <fstream>
#include <map>
#include <sstream>

#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

/// Names and contents of all files.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    files[entry.path().filename()] = text.str();
  }
  return files;
}

/// A file whose newest search is in the log alone, as a writer that was killed leaves it.
void write_cut_off(const std::filesystem::path& file, const std::filesystem::path& live) {
  Store store(live);
  fill(store, "a");
  store.checkpoint();
  fill(store, "b");
  for (const char* part : {"", "-wal", "-shm"}) {
    std::filesystem::copy_file(live.string() + part, file.string() + part);
  }
}

TEST_CASE("a check, a copy and a reader leave the folder of a closed file as it was") {
  const TemporaryDirectory directory;
  const TemporaryDirectory elsewhere;
  const auto file = directory.file();
  const auto copy = elsewhere.file("copy.db");
  SUBCASE("after an orderly end") {
    Store store(file);
    fill(store, "a");
  }
  SUBCASE("of the oldest version") {
    write_old(file, numbered("version_", oldest_schema_version) + ".sql");
  }
  SUBCASE("after a writer was killed") {
    write_cut_off(file, elsewhere.file("live.db"));
  }
  SUBCASE("with a log that was copied without its index") {
    write_cut_off(file, elsewhere.file("live.db"));
    std::filesystem::remove(file.string() + "-shm");
  }
  auto before = contents(file.parent_path());
  CHECK(check_database(file).empty());
  snapshot_database(file, copy);
  auto after = contents(file.parent_path());
  // The index of the log is rebuilt in place; it is worth nothing without a process that uses it.
  before.erase("store.db-shm");
  if (before.contains("store.db-wal")) {
    after.erase("store.db-shm");
  }
  CHECK(before == after);
  CHECK(check_database(copy).empty());
  if (before.contains("store.db-wal")) {
    CHECK(Store(copy, {.access = Access::read}).get_search("b").has_value());
  }
}

TEST_CASE("a store opened for reading leaves the folder of a closed file as it was") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
  }
  const auto before = contents(directory.file().parent_path());
  {
    const Store reader(directory.file(), {.access = Access::read});
    CHECK(reader.get_search("a").has_value());
    CHECK(check_database(directory.file()).empty());
  }
  CHECK(contents(directory.file().parent_path()) == before);
}

TEST_CASE("a check beside a writer takes nothing from it") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  CHECK(check_database(directory.file()).empty());
  CHECK(std::filesystem::exists(directory.file().string() + "-wal"));
  fill(store, "b");
  CHECK(check_database(directory.file()).empty());
  CHECK(store.get_search("b").has_value());
}

TEST_CASE("a file that is no database of ours is refused, and one that is empty") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  CHECK_THROWS_AS(check_database(file), Error);
  CHECK_FALSE(std::filesystem::exists(file));
  std::ofstream(file).close();
  CHECK(kind_thrown_by([&] { check_database(file); }) == ErrorKind::foreign_file);
  CHECK(kind_thrown_by([&] { snapshot_database(file, directory.file("copy.db")); }) ==
        ErrorKind::foreign_file);
  Connection(file, OpenMode::write_create).execute("CREATE TABLE photos (name TEXT)");
  CHECK(kind_thrown_by([&] { check_database(file); }) == ErrorKind::foreign_file);
  CHECK_FALSE(std::filesystem::exists(directory.file("copy.db")));
}

TEST_CASE("a copy takes no file of another's, whatever its name") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  const auto partial = directory.file("copy.db.partial");
  std::ofstream(partial) << "of another copy";
  snapshot_database(directory.file(), directory.file("copy.db"));
  CHECK(check_database(directory.file("copy.db")).empty());
  const auto files = contents(directory.file().parent_path());
  CHECK(files.at("copy.db.partial") == "of another copy");
  CHECK_FALSE(files.contains("copy.db.partial-2"));
}

TEST_CASE("a copy does not replace a file that came while it was written") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  const auto copy = directory.file("copy.db");
  // A link that leads nowhere: no file yet, but the name is taken.
  std::filesystem::create_symlink(directory.file("nowhere.db"), copy);
  CHECK(kind_thrown_by([&] { snapshot_database(directory.file(), copy); }) == ErrorKind::system);
  CHECK(std::filesystem::is_symlink(copy));
  CHECK_FALSE(std::filesystem::exists(directory.file("copy.db.partial")));
}

TEST_CASE("the check finds a count that is not that of the searches") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
    store.change_search("a", {.tags = std::vector<std::string>()});
    CHECK(check_database(directory.file()).empty());
  }
  Connection(directory.file(), OpenMode::write_create)
      .execute("UPDATE search_counts SET searches = 7");
  const auto problems = check_database(directory.file());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front() == "search_counts tells 7 disposable searches of 1");
}

TEST_CASE("the check finds a trial without a curve, without a search, and two of one point") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
    fill(store, "b");
    CHECK(check_database(directory.file()).empty());
  }
  std::string change;
  std::string problem = "a row of trials refers to none in curves";
  SUBCASE("without a curve") {
    change = "UPDATE trials SET curve_id = 99 WHERE id & 4294967295 = 7 AND id >> 32 = 2";
  }
  SUBCASE("without a search") {
    change = "UPDATE trials SET id = (9 << 32) + 7 WHERE id & 4294967295 = 7 AND id >> 32 = 2";
  }
  SUBCASE("two of one point") {
    change = "UPDATE trials SET point = 0 WHERE id & 4294967295 = 7 AND id >> 32 = 2";
    problem = "search b has two trials of curve 3, point 0";
  }
  Connection(directory.file(), OpenMode::write_create).execute(change);
  const auto problems = check_database(directory.file());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front() == problem);
}

}  // namespace
}  // namespace macrostep::db
