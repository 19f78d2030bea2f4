// Copies of the file: before a migration, and on demand.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "db/file_care.hpp"
#include "db/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("an older file is copied before it is migrated, and every copy is kept") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  for (const auto& [script, version] :
       {std::pair{"version_1.sql", 1}, std::pair{"version_3.sql", 3}, std::pair{"version_5.sql", 5},
        std::pair{"version_7.sql", 7}}) {
    CAPTURE(version);
    const std::string backup = file.string() + numbered(".schema-", version) + ".backup";
    for (const std::string& expected : {backup, backup + "-2", backup + "-3"}) {
      std::filesystem::remove(file);
      write_old(file, script);
      Connection(file, OpenMode::write_create)  // no file is as the one before
          .prepare("UPDATE searches SET name = name || ?1")
          .bind(expected)
          .run();
      const Store store(file);
      REQUIRE(store.migration().has_value());
      CHECK(store.migration()->from == version);
      CHECK(store.migration()->to == schema_version);
      CHECK(store.migration()->backup == expected);
      Connection old(expected, OpenMode::read);
      CHECK(old.pragma("user_version") == version);
      CHECK(old.pragma("application_id") == application_id);
      auto trials = old.prepare("SELECT count(*) FROM trials");
      REQUIRE(trials.step());
      std::size_t now = 0;
      for (const auto& search : store.list_searches(10).rows) {
        now += store.trials_of_search(search.id).size();
      }
      CHECK(trials.text(0) == std::to_string(now));
    }
  }
  const Store again(file);
  CHECK_FALSE(again.migration().has_value());
  const Store fresh(directory.file("new.db"));
  CHECK_FALSE(fresh.migration().has_value());
}

TEST_CASE("a migration that was cut short again and again leaves one copy, and no part of one") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  const std::string backup = file.string() + ".schema-5.backup";
  write_old(file, "version_5.sql");
  snapshot_database(file, backup);  // and here it was killed
  for (const char* left : {".partial", ".partial-journal", ".partial-2", "-2.partial"}) {
    std::ofstream(backup + left) << "a part";
  }
  for (const char* kept : {".partial-x", "-old.partial", "-2.partial.txt"}) {
    std::ofstream(backup + kept) << "the user's";
  }
  {
    const Store store(file);
    REQUIRE(store.migration().has_value());
    CHECK(store.migration()->backup == backup);
  }
  for (const char* left : {".partial", ".partial-journal", ".partial-2", "-2.partial", "-2"}) {
    CHECK_FALSE(std::filesystem::exists(backup + left));
  }
  for (const char* kept : {"", ".partial-x", "-old.partial", "-2.partial.txt"}) {
    CHECK(std::filesystem::exists(backup + kept));
  }
  // Of another content both are kept.
  std::filesystem::remove(file);
  write_old(file, "version_5.sql");
  Connection(file, OpenMode::write_create).execute("UPDATE searches SET name = 'another'");
  CHECK(Store(file).migration()->backup == backup + "-2");
  CHECK(std::filesystem::exists(backup));
}

TEST_CASE("a migration that fails leaves the file as it was, and no copy of it") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  for (const auto& [script, version] :
       {std::pair{"version_1.sql", 1}, std::pair{"version_3.sql", 3}}) {
    CAPTURE(version);
    std::filesystem::remove(file);
    write_old(file, script);
    const auto content = [&] {
      Connection raw(file, OpenMode::read);
      std::string text = numbered("version ", static_cast<int>(raw.pragma("user_version")));
      auto schema = raw.prepare("SELECT sql FROM sqlite_schema ORDER BY name");
      while (schema.step()) {
        text += schema.text(0) + "\n";
      }
      auto trials = raw.prepare("SELECT * FROM trials");
      while (trials.step()) {
        for (int column = 0; column < trials.columns(); ++column) {
          text += trials.text(column) + "|";
        }
      }
      return text;
    };
    // In the way of version 4, after everything before it has been done.
    Connection(file, OpenMode::write_create).execute("CREATE TABLE fmus (whatever TEXT)");
    const auto before = content();
    std::string message;
    try {
      const Store store(file);
    } catch (const Error& error) {
      message = error.what();
    }
    CHECK_MESSAGE(message.find("is as it was") != std::string::npos, message);
    CHECK_MESSAGE(message.find("fmus") != std::string::npos, message);
    CHECK(content() == before);
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path())) {
      CHECK(entry.path().string().find("backup") == std::string::npos);
    }
  }
}

TEST_CASE("a file that is not there, its folder, or a file of another kind is named") {
  const TemporaryDirectory directory;
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto file = directory.file("none.db");
  const std::string no_file = "there is no file " + file.string();
  CHECK(message([&] { check_database(file); }) == no_file);
  CHECK(message([&] { const Store store(file, {.access = Access::read}); }) == no_file);
  const auto lost = directory.file("none") / "x.db";
  const auto said = message([&] { const Store store(lost); });
  CHECK_MESSAGE(said.starts_with("there is no folder " + lost.parent_path().string()), said);
  const auto job = directory.file("job.json");
  std::ofstream(job) << R"({"problem": "single_actuator_crane"})";
  CHECK(message([&] { const Store store(job); }).find("is not a database") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(job.string() + "-lock"));
}

TEST_CASE("nobody may read a snapshot who may not read the database") {
  const TemporaryDirectory directory;
  const Store store(directory.file());
  std::filesystem::permissions(
      directory.file(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  snapshot_database(directory.file(), directory.file("copy.db"));
  CHECK(std::filesystem::status(directory.file("copy.db")).permissions() ==
        std::filesystem::status(directory.file()).permissions());
}

TEST_CASE("a message quotes a statement on one line") {
  const TemporaryDirectory directory;
  Connection connection(directory.file(), OpenMode::write_create);
  try {
    connection.execute("\nCREATE TABLE\n  a (b) STRICT WITH NONSENSE " + std::string(100, 'x'));
    FAIL("no error");
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("CREATE TABLE a (b) STRICT") != std::string::npos);
    CHECK(message.find(std::string(50, 'x')) == std::string::npos);
  }
}

}  // namespace
}  // namespace macrostep::db
