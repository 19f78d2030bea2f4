// What the store promises about its file: whose it is, how durable, who may open it, and what
// happens when there is no room.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

std::string message_of(const std::filesystem::path& file, StoreOptions options = {}) {
  try {
    const Store store(file, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a new file is a macrostep database of today's schema, in strict tables and a WAL") {
  const TemporaryDirectory directory;
  const Store store(directory.file());
  Connection raw(directory.file(), OpenMode::read);
  CHECK(raw.pragma("application_id") == 0x4d435354);
  CHECK(raw.pragma("user_version") == schema_version);
  auto mode = raw.prepare("PRAGMA journal_mode");
  REQUIRE(mode.step());
  CHECK(mode.text(0) == "wal");
  auto loose = raw.prepare(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict "
      "AND name NOT LIKE 'sqlite_%'");
  CHECK_FALSE(loose.step());
}

TEST_CASE("a second writer is refused and told who the first one is, by any path") {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink(directory.file(), directory.file("link.db"));
  {
    const Store store(directory.file());
    const std::string holder = "process " + std::to_string(getpid());
    CHECK(message_of(directory.file()).find(holder) != std::string::npos);
    CHECK(message_of(directory.file("link.db")).find(holder) != std::string::npos);
    CHECK(kind_thrown_by([&] { const Store second(directory.file()); }) == ErrorKind::locked);
  }
  CHECK(message_of(directory.file()) == "");
}

TEST_CASE("a file with a second name is refused, as the lock hangs on the name") {
  const TemporaryDirectory directory;
  { const Store store(directory.file()); }
  std::filesystem::create_hard_link(directory.file(), directory.file("second.db"));
  CHECK(kind_thrown_by([&] { const Store store(directory.file("second.db")); }) ==
        ErrorKind::locked);
}

TEST_CASE("readers are welcome beside the writer, see what it stores, and cannot write") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  Store reader(directory.file(), {.access = Access::read});
  fill(store, "a");
  CHECK(reader.get_search("a").has_value());
  CHECK(kind_thrown_by([&] { reader.delete_search("a"); }) == ErrorKind::read_only);
  CHECK(kind_thrown_by([&] { reader.checkpoint(); }) == ErrorKind::read_only);
  CHECK(store.get_search("a").has_value());
}

TEST_CASE("a reader does not create the file it wants to read") {
  const TemporaryDirectory directory;
  CHECK(message_of(directory.file(), {.access = Access::read}).find("store.db") !=
        std::string::npos);
  CHECK_FALSE(std::filesystem::exists(directory.file()));
}

TEST_CASE("a file of a newer schema, of another application, or of no database is left alone") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  SUBCASE("a newer schema") {
    { const Store store(file); }
    Connection(file, OpenMode::write_create)
        .execute("PRAGMA user_version = " + std::to_string(schema_version + 1));
    CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::other_schema);
    CHECK(kind_thrown_by([&] { const Store store(file, {.access = Access::read}); }) ==
          ErrorKind::other_schema);
    CHECK(message_of(file).find(numbered("version ", schema_version + 1)) != std::string::npos);
    // What to do: the copy that the newer one made of a file of today's schema.
    const std::string copy = file.string() + numbered(".schema-", schema_version) + ".backup";
    CHECK(message_of(file).find("--db") != std::string::npos);
    CHECK(message_of(file).find(copy) != std::string::npos);
  }
  SUBCASE("the schema of a development version") {
    { const Store store(file); }
    for (int version = 1; version < oldest_schema_version; ++version) {
      CAPTURE(version);
      Connection(file, OpenMode::write_create).execute(numbered("PRAGMA user_version = ", version));
      CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::other_schema);
      CHECK(kind_thrown_by([&] { const Store store(file, {.access = Access::read}); }) ==
            ErrorKind::other_schema);
      CHECK(kind_thrown_by([&] { check_database(file); }) == ErrorKind::other_schema);
      CHECK(message_of(file).find(numbered("has schema version ", version) +
                                  " of a development version") != std::string::npos);
      // What to do.
      CHECK(message_of(file).find("name another file with --db") != std::string::npos);
      CHECK(Connection(file, OpenMode::read).pragma("user_version") == version);
    }
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path())) {
      CHECK(entry.path().string().find("backup") == std::string::npos);
    }
  }
  SUBCASE("a schema that never was") {
    { const Store store(file); }
    for (const std::string version : {"0", "-1", "-2147483648"}) {
      Connection(file, OpenMode::write_create).execute("PRAGMA user_version = " + version);
      CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::other_schema);
      CHECK(kind_thrown_by([&] { const Store store(file, {.access = Access::read}); }) ==
            ErrorKind::other_schema);
    }
  }
  SUBCASE("another application") {
    Connection(file, OpenMode::write_create)
        .execute("CREATE TABLE photos (name TEXT); PRAGMA application_id = 42");
    CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::foreign_file);
    Connection raw(file, OpenMode::read);
    auto mode = raw.prepare("PRAGMA journal_mode");
    REQUIRE(mode.step());
    CHECK(mode.text(0) == "delete");
  }
  SUBCASE("tables without an application") {
    Connection(file, OpenMode::write_create).execute("CREATE TABLE photos (name TEXT)");
    CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::foreign_file);
  }
  SUBCASE("no database at all") {
    std::ofstream(file) << std::string(5000, 'x');
    CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::foreign_file);
  }
  SUBCASE("a directory, or a device") {
    const auto folder = file.parent_path();
    for (const auto& [name, why] :
         {std::pair<std::filesystem::path, std::string>("/dev/null", "is not a regular file"),
          {folder, "is a directory: name a file, such as"}}) {
      CHECK(kind_thrown_by([&] { const Store store(name); }) == ErrorKind::system);
      CHECK(message_of(name).find(why) != std::string::npos);
      CHECK_FALSE(std::filesystem::exists(name.string() + "-lock"));
    }
  }
  SUBCASE("a directory that does not exist") {
    CHECK(kind_thrown_by([&] { const Store store(file / "no" / "where.db"); }) ==
          ErrorKind::system);
    CHECK(kind_thrown_by([&] { const Store store(""); }) == ErrorKind::system);
  }
}

TEST_CASE("a probe finds out that the file is gone, replaced or cannot be written") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  Store store(file);
  fill(store, "a");
  store.probe();
  Store reader(file, {.access = Access::read});
  reader.probe();
  {
    // Another process that writes past the lock: SQLite waits for it, then gives up.
    Connection other(file, OpenMode::write_create);
    const Transaction transaction(other);
    CHECK(kind_thrown_by([&] { store.probe(); }) == ErrorKind::sqlite);
  }
  store.probe();
  std::filesystem::rename(file, directory.file("moved.db"));
  CHECK(kind_thrown_by([&] { store.probe(); }) == ErrorKind::system);
  CHECK(kind_thrown_by([&] { store.create_search(new_search("b")); }) == ErrorKind::system);
  std::ofstream(file) << "another";
  CHECK(kind_thrown_by([&] { store.probe(); }) == ErrorKind::system);
  CHECK(kind_thrown_by([&] { store.create_search(new_search("b")); }) == ErrorKind::system);
  std::filesystem::rename(directory.file("moved.db"), file);
  store.create_search(new_search("b"));
}

TEST_CASE("a full file is an error that stores nothing, and the store stays usable") {
  const TemporaryDirectory directory;
  Store store(directory.file(), {.maximum_pages = 100});
  store.create_search(new_search("old"));
  store.start_search("old", search_start());
  NewSearch large = new_search("large");
  large.plan = '"' + std::string(1'000'000, 'x') + '"';
  CHECK(kind_thrown_by([&] { store.create_search(large); }) == ErrorKind::full);
  CHECK_FALSE(store.get_search("large").has_value());

  // Batches until nothing fits any more: what was reported stays, the last one leaves no trace.
  std::int64_t stored = 0;
  bool full = false;
  for (int batch = 0; batch < 200 && !full; ++batch) {
    const auto rows = trial_rows(stored, 40);
    try {
      store.append_results("old", {.trials = rows, .progress = {}});
      stored += 40;
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::full);
      CHECK(error.code() != 0);
      full = true;
    }
  }
  CHECK(full);
  CHECK(store.trials_of_search("old").size() == static_cast<std::size_t>(stored));
  CHECK(store.delete_search("old"));
  fill(store, "new");
  CHECK(store.get_search("new").has_value());
  CHECK(check_database(directory.file()).empty());
}

TEST_CASE("a checkpoint empties the log, and says so when a reader prevents it") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  const std::filesystem::path log = directory.file().string() + "-wal";
  fill(store, "a");
  CHECK(std::filesystem::file_size(log) > 0);
  const auto done = store.checkpoint();
  CHECK_FALSE(done.blocked);
  CHECK(done.log_pages > 0);
  CHECK(std::filesystem::file_size(log) == 0);

  Connection raw(directory.file(), OpenMode::read);
  raw.execute("BEGIN; SELECT * FROM searches");
  fill(store, "b");
  CHECK(store.checkpoint().blocked);
  raw.execute("COMMIT");
  CHECK_FALSE(store.checkpoint().blocked);
  CHECK(store.get_search("b").has_value());
}

TEST_CASE("a closed store is one file, whole without its log") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
  }
  CHECK_FALSE(std::filesystem::exists(directory.file().string() + "-wal"));
  const Store reader(directory.file(), {.access = Access::read});
  CHECK(reader.trials_of_search("a").size() == 40);
}

TEST_CASE("a snapshot is a whole database, taken while the store is in use") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  snapshot_database(directory.file(), directory.file("copy.db"));
  fill(store, "b");
  const Store copy(directory.file("copy.db"), {.access = Access::read});
  CHECK(copy.get_search("a").has_value());
  CHECK_FALSE(copy.get_search("b").has_value());
  CHECK(check_database(directory.file("copy.db")).empty());
  CHECK(kind_thrown_by([&] { snapshot_database(directory.file(), directory.file("copy.db")); }) ==
        ErrorKind::system);
  CHECK_THROWS_AS(snapshot_database(directory.file(), directory.file("no/such/folder.db")), Error);
}

TEST_CASE("the check names what is damaged") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
  }
  Connection(directory.file(), OpenMode::write_create)
      .execute("PRAGMA foreign_keys = OFF; DELETE FROM curves WHERE curve_id = 2");
  const Store store(directory.file());
  const auto problems = check_database(directory.file());
  CHECK(problems.size() == 10);
  CHECK(problems.front() == "a row of trials refers to none in curves");
}

}  // namespace
}  // namespace macrostep::db
