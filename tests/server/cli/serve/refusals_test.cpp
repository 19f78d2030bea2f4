// Databases that no server can be started on: each is refused in one line that names it, and left
// as it was.
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

constexpr uid_t nobody = 65534;

/// Runs serve as somebody whom modes stop: root, who runs the tests in containers, they do not.
Outcome serve_as_ordinary_user(const std::filesystem::path& database) {
  const std::vector<std::string> serve{MACROSTEP_BINARY, "serve", "--listen",
                                       "127.0.0.1:0",    "--db",  database};
  if (geteuid() != 0) {
    return run_program({serve.begin() + 1, serve.end()});
  }
  std::vector<std::string> arguments{"--reuid", std::to_string(nobody), "--regid",
                                     std::to_string(nobody), "--clear-groups"};
  arguments.insert(arguments.end(), serve.begin(), serve.end());
  return Child(arguments, "", "setpriv").wait();
}

/// The directory as one of that user's own.
void give_away(const std::filesystem::path& path, mode_t mode) {
  REQUIRE(chmod(path.c_str(), mode) == 0);
  if (geteuid() == 0) {
    REQUIRE(chown(path.c_str(), nobody, nobody) == 0);
  }
}

bool user_can_start(const Outcome& outcome) {
  const bool no_user = outcome.err.starts_with("setpriv:");
  if (no_user) {
    std::puts("skipped: read-only databases are refused: nobody cannot run the program here");
  }
  return !no_user;
}

TEST_CASE("a database, or a directory, that cannot be written is refused in one line") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  { const db::Store store(file); }
  std::filesystem::remove(file.string() + "-lock");
  SUBCASE("the file") {
    give_away(file, 0444);
    give_away(file.parent_path(), 0755);
  }
  SUBCASE("the directory") {
    give_away(file, 0644);
    give_away(file.parent_path(), 0555);
  }
  const auto outcome = serve_as_ordinary_user(file);
  REQUIRE(chmod(file.parent_path().c_str(), 0755) == 0);
  if (!user_can_start(outcome)) {
    return;
  }
  CHECK(outcome.code == 1);
  CHECK_MESSAGE(std::ranges::count(outcome.err, '\n') == 1, outcome.err);
  contains(outcome.err, file);
}

TEST_CASE("a database of another application, or of a newer macrostep, is refused in one line") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  int code = 0;
  const auto refused = [&](const std::string& reason) {
    const auto text = refusal(directory, {"--listen", "127.0.0.1:0", "--db", file}, code);
    CHECK(code == 1);
    contains(text, file);
    contains(text, reason);
  };
  SUBCASE("another application") {
    db::Connection(file, db::OpenMode::write_create)
        .execute("CREATE TABLE photos (name TEXT); PRAGMA application_id = 42");
    refused("another application");
    CHECK(db::Connection(file, db::OpenMode::read).pragma("application_id") == 42);
  }
  SUBCASE("a newer schema") {
    { const db::Store store(file); }
    db::Connection(file, db::OpenMode::write_create).execute("PRAGMA user_version = 1000");
    refused("schema version 1000");
    CHECK(db::Connection(file, db::OpenMode::read).pragma("user_version") == 1000);
  }
}

TEST_CASE("where the disk is full a server does not start, and says so in one line") {
  const TemporaryDirectory directory;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  // Room for the message and the index of the log (32 KiB), but not for the tables.
  const rlimit limit{.rlim_cur = 50'000, .rlim_max = before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  int code = 0;
  const auto text = refusal(directory, {"--listen", "127.0.0.1:0", "--db", directory.file()}, code);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(code == 1);
  contains(text, directory.file());
  // What was cut off in the middle counts as full, what does not even begin as an I/O error.
  const bool said =
      text.find("full") != std::string::npos || text.find("disk I/O error") != std::string::npos;
  CHECK_MESSAGE(said, text);
}

}  // namespace
}  // namespace macrostep::tests
