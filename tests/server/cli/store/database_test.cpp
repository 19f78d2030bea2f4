// macrostep db: snapshots and checks as a person runs them, and databases of development versions.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/schema/sqlite.hpp"
#include "tests/db/fixtures.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace {

using Json = nlohmann::json;
namespace db = macrostep::db;

/// A database with one search in it.
std::string filled(const Scratch& scratch, const std::string& name) {
  db::Store store(scratch.file(name));
  db::testing::fill(store, "a");
  return scratch.file(name);
}

}  // namespace

TEST_CASE("a snapshot is taken while a server writes, and never over another file") {
  const Scratch scratch;
  const std::string file = filled(scratch, "live.db");
  const std::string copy = scratch.file("copy.db");
  macrostep::tests::ServeProcess server({"--listen", "127.0.0.1:0", "--db", file},
                                        scratch.file("serve.log"));
  server.wait_until_ready();
  const Outcome taken = run_program({"db", "snapshot", "--db", file, copy, "--json"});
  CHECK_MESSAGE(taken.code == 0, taken.err);
  const auto answer = Json::parse(taken.out);
  CHECK(answer.at("database") == file);
  CHECK(answer.at("snapshot") == copy);
  CHECK(answer.at("bytes") == std::filesystem::file_size(copy));
  CHECK(run_program({"db", "check", "--db", copy}).out == "ok\n");
  CHECK(db::Store(copy, {.access = db::Access::read}).get_search("a").has_value());

  const Outcome again = run_program({"db", "snapshot", "--db", file, copy});
  CHECK(again.code == 1);
  CHECK(again.err.find("exists already") != std::string::npos);
  const Outcome nowhere = run_program({"db", "snapshot", "--db", scratch.file("no.db"), copy});
  CHECK(nowhere.code == 1);
  CHECK(std::ranges::count(nowhere.err, '\n') == 1);
  CHECK(run_program({"db", "snapshot", "--db", file}).code == 2);
  CHECK(run_program({"db"}).code == 2);
}

TEST_CASE("a check says ok, or what is wrong with exit code 1") {
  const Scratch scratch;
  const std::string file = filled(scratch, "a.db");
  const Outcome whole = run_program({"db", "check", "--db", file});
  CHECK(whole.code == 0);
  CHECK(whole.out == "ok\n");
  const auto whole_json = Json::parse(run_program({"db", "check", "--db", file, "--json"}).out);
  CHECK(whole_json == Json{{"database", file}, {"ok", true}, {"problems", Json::array()}});

  db::Connection(file, db::OpenMode::write_create)
      .execute("PRAGMA foreign_keys = OFF; DELETE FROM curves WHERE curve_id = 2");
  const Outcome orphans = run_program({"db", "check", "--db", file});
  CHECK(orphans.code == 1);
  CHECK(orphans.out.find("a row of trials refers to none in curves\n") == 0);
  const Outcome as_json = run_program({"db", "check", "--db", file, "--json"});
  CHECK(as_json.code == 1);
  CHECK(Json::parse(as_json.out).at("ok") == false);
  CHECK(Json::parse(as_json.out).at("problems").size() == 10);
}

TEST_CASE("a database in memory is refused by the name of its option") {
  const Outcome search = run_program({"search", "linear_oscillator", "--db", ":memory:"});
  CHECK(search.code == 2);
  CHECK(search.err.find("--db: must be the name of a file, not \":memory:\"") != std::string::npos);
  CHECK(run_program({"export", "a", "--db", ":memory:"}).code == 2);
  CHECK(run_program({"serve", "--db", ":memory:", "--listen", "127.0.0.1:0"}).code == 2);
  CHECK_FALSE(std::filesystem::exists(":memory:"));
}

TEST_CASE("checks, copies and exports of a closed database leave no file beside it") {
  const Scratch scratch;
  const std::string file = filled(scratch, "a.db");
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(file).parent_path())) {
      found.push_back(entry.path().filename());
    }
    std::ranges::sort(found);
    return found;
  };
  auto before = names();
  CHECK(run_program({"db", "check", "--db", file}).code == 0);
  CHECK(run_program({"export", "a", "--db", file, "--format", "csv"}).code == 0);
  CHECK(names() == before);
  CHECK(run_program({"db", "snapshot", "--db", file, scratch.file("copy.db")}).code == 0);
  before.push_back("copy.db");
  std::ranges::sort(before);
  CHECK(names() == before);
}

TEST_CASE("a database of the oldest version is checked and copied as it is") {
  const Scratch scratch;
  const std::string file = scratch.file("old.db");
  db::testing::write_old(file, "version_8.sql");
  CHECK(run_program({"db", "check", "--db", file}).out == "ok\n");
  CHECK(run_program({"db", "snapshot", "--db", file, scratch.file("copy.db")}).code == 0);
  CHECK(db::Connection(scratch.file("copy.db"), db::OpenMode::read).pragma("user_version") == 8);
}

TEST_CASE("a check finds bytes that are not what was written") {
  const Scratch scratch;
  const std::string file = filled(scratch, "a.db");
  {
    // The middle of the file: pages of tables and indices, not the header.
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto size = std::filesystem::file_size(file);
    bytes.seekp(4096);
    bytes << std::string(size - 4096, '\x5a');
  }
  const Outcome damaged = run_program({"db", "check", "--db", file});
  CHECK(damaged.code == 1);
  CHECK_FALSE(damaged.out.empty());
  CHECK(damaged.out != "ok\n");
}

TEST_CASE("a database of a development version is refused by every command, with what to do") {
  const Scratch scratch;
  const std::string file = filled(scratch, "old.db");
  db::Connection(file, db::OpenMode::write_create).execute("PRAGMA user_version = 6");
  const std::vector<std::vector<std::string>> commands{
      {"db", "check", "--db", file},
      {"db", "snapshot", "--db", file, scratch.file("copy.db")},
      {"export", "a", "--db", file, "--format", "csv"},
      {"search", "-", "--db", file},
      {"serve", "--db", file, "--listen", "127.0.0.1:0"}};
  for (const auto& command : commands) {
    CAPTURE(command[0]);
    const Outcome outcome = run_program(
        command, R"({"problem": "linear_oscillator", "search": {"extrapolation": ["1"]}})");
    CHECK(outcome.code != 0);
    const std::string said = outcome.out + outcome.err;
    CHECK_MESSAGE(said.find("has schema version 6 of a development version") != std::string::npos,
                  said);
    CHECK_MESSAGE(said.find("name another file with --db") != std::string::npos, said);
  }
  CHECK(db::Connection(file, db::OpenMode::read).pragma("user_version") == 6);
  CHECK_FALSE(std::filesystem::exists(scratch.file("copy.db")));
}
