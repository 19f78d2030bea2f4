// Copies of the file: before an upgrade, and on demand.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "db/schema/file_care.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/upgrade.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

constexpr auto next_version = schema_version + 1;

/// Takes a file of today's version to the next one.
std::optional<Migration> upgrade_to_next(const std::filesystem::path& file,
                                         const char* step = next_step) {
  Connection connection(file, OpenMode::write_create);
  return upgrade(connection, schema_version, file, steps_to_the_next(step));
}

std::string script_of_today() {
  return numbered("version_", static_cast<int>(schema_version)) + ".sql";
}

std::string backup_of(const std::filesystem::path& file) {
  return file.string() + numbered(".schema-", static_cast<int>(schema_version)) + ".backup";
}

TEST_CASE("an older file is copied before it is upgraded, and every copy is kept") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  const std::string backup = backup_of(file);
  for (const std::string& expected : {backup, backup + "-2", backup + "-3"}) {
    CAPTURE(expected);
    std::filesystem::remove(file);
    write_old(file, script_of_today());
    Connection(file, OpenMode::write_create)  // no file is as the one before
        .prepare("UPDATE searches SET name = name || ?1")
        .bind(expected)
        .run();
    const auto migration = upgrade_to_next(file);
    REQUIRE(migration.has_value());
    CHECK(migration->from == schema_version);
    CHECK(migration->to == next_version);
    CHECK(migration->backup == expected);
    Connection now(file, OpenMode::read);
    CHECK(now.pragma("user_version") == next_version);
    CHECK(now.pragma("application_id") == application_id);
    CHECK_FALSE(now.prepare("SELECT 1 FROM searches WHERE next IS NOT NULL").step());
    Connection old(expected, OpenMode::read);
    CHECK(old.pragma("user_version") == schema_version);
    CHECK(old.pragma("application_id") == application_id);
    auto before = old.prepare("SELECT count(*) FROM trials");
    auto after = now.prepare("SELECT count(*) FROM trials");
    REQUIRE(before.step());
    REQUIRE(after.step());
    CHECK(before.text(0) == after.text(0));
    CHECK(before.text(0) != "0");
  }
  // What was copied is the old file, which this program opens, as it tells the user of a newer one.
  const Store again(backup);
  CHECK_FALSE(again.migration().has_value());
  CHECK(again.list_searches(10).rows.size() == 7);
  const Store fresh(directory.file("new.db"));
  CHECK_FALSE(fresh.migration().has_value());
}

TEST_CASE("an upgrade that was cut short again and again leaves one copy, and no part of one") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  const std::string backup = backup_of(file);
  write_old(file, script_of_today());
  snapshot_database(file, backup);  // and here it was killed
  for (const char* left : {".partial", ".partial-journal", ".partial-2", "-2.partial"}) {
    std::ofstream(backup + left) << "a part";
  }
  for (const char* kept : {".partial-x", "-old.partial", "-2.partial.txt"}) {
    std::ofstream(backup + kept) << "the user's";
  }
  {
    const auto migration = upgrade_to_next(file);
    REQUIRE(migration.has_value());
    CHECK(migration->backup == backup);
  }
  for (const char* left : {".partial", ".partial-journal", ".partial-2", "-2.partial", "-2"}) {
    CHECK_FALSE(std::filesystem::exists(backup + left));
  }
  for (const char* kept : {"", ".partial-x", "-old.partial", "-2.partial.txt"}) {
    CHECK(std::filesystem::exists(backup + kept));
  }
  // A copy of other content is kept beside it.
  std::filesystem::remove(file);
  write_old(file, script_of_today());
  Connection(file, OpenMode::write_create).execute("UPDATE searches SET name = 'another'");
  CHECK(upgrade_to_next(file)->backup == backup + "-2");
  CHECK(std::filesystem::exists(backup));
}

TEST_CASE("an upgrade that fails leaves the file as it was, and no copy of it") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, script_of_today());
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
  const auto before = content();
  std::string message;
  try {
    // The last statement cannot be done, after everything before it has been.
    upgrade_to_next(file, "DELETE FROM trials; CREATE TABLE fmus (whatever TEXT);");
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
