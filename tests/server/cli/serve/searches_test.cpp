// A real server in a process of its own, over real sockets, with a real database file: searches
// watched, cancelled, cut off by kill -9 and resumed.
#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_fmus.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

const std::string searches = "/api/v1/searches";

ServeProcess serve(const TemporaryDirectory& directory) {
  return ServeProcess({"--listen", "127.0.0.1:0", "--threads", "2", "--db", directory.file()},
                      directory.file("serve.log"));
}

std::string submit(const ServeProcess& server, const Json& job) {
  return server.json("POST " + searches, job.dump()).at("id");
}

Json essence_of(const ServeProcess& server, const std::string& id) {
  return essence(server.json("GET " + searches + "/" + id),
                 server.json("GET " + searches + "/" + id + "/curves"));
}

/// About a hundred trials, slow by their small micro-steps: a dozen batches, hence events.
Json batches_job() {
  Json job = small_job();
  job["name"] = "batches";
  job["search"]["stability_check"] = "none";  // it takes seconds, in which no trial is stored
  job["search"]["extrapolation"] = {"0", "1", "2", "3", "4", "i2"};
  job["micro_steps"] = {{"hydraulics", 5e-6}};
  job["tests"].push_back({{"name", "ramp"}, {"kind", "ramp"}, {"duration_s", 1}});
  return job;
}

TEST_CASE("a job is submitted, followed to its end and read over a socket") {
  const TemporaryDirectory directory;
  ServeProcess server = serve(directory);
  server.wait_until_ready();
  CHECK(server.json("GET /readyz").at("status") == "ready");
  const auto id = submit(server, small_job());
  EventClient events(server.port(), id);
  std::size_t told = 0;
  Json finished;
  for (auto event = events.next(); !event.name.empty(); event = events.next()) {
    if (event.name == "points") {
      told += event.data.at("points").size();
    }
    if (event.name == "finished") {
      finished = event.data;
    }
  }
  const auto search = server.json("GET " + searches + "/" + id);
  CHECK(finished.at("status") == "succeeded");
  CHECK(finished.at("recommendation") == search.at("recommendation"));
  CHECK(search.at("cost").at("trials") == told);

  CHECK(server.ask("HEAD " + searches + "/" + id).starts_with("HTTP/1.1 200"));
  const auto refused = server.ask("PUT " + searches + "/" + id, "{}");
  CHECK(refused.starts_with("HTTP/1.1 405"));
  CHECK(refused.find("allow: DELETE, GET, HEAD, OPTIONS, PATCH\r\n") != std::string::npos);
  CHECK(server.ask("POST " + searches, "{\"problem\": 1}").starts_with("HTTP/1.1 422"));
  CHECK(server.ask("GET /").starts_with("HTTP/1.1 200"));

  server.signal(SIGTERM);
  const int status = server.wait();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  // The write-ahead log is moved into the file, whose numbers are those that were served.
  CHECK_FALSE(std::filesystem::exists(directory.file("store.db-wal")));
  const db::Store store(directory.file(), {.access = db::Access::read});
  CHECK(store.trials_of_search(id).size() == told);
}

TEST_CASE("a server whose file is taken away says so in its log") {
  const TemporaryDirectory directory;
  ServeProcess server = serve(directory);
  server.wait_until_ready();
  submit(server, busy_job());
  const auto file = directory.file().string();
  std::filesystem::rename(file, file + ".gone");
  const auto logged = [&](const char* message) {
    return eventually([&] { return server.log().find(message) != std::string::npos; });
  };
  CHECK(logged("search failed"));
  const auto refused = server.ask("POST " + searches, small_job().dump());
  CHECK(refused.starts_with("HTTP/1.1 503"));
  CHECK(refused.find("content-type: application/problem+json\r\n") != std::string::npos);
  CHECK(logged("the database refused a request"));
}

TEST_CASE("a body beyond the limit is refused and the server goes on") {
  const TemporaryDirectory directory;
  ServeProcess server = serve(directory);
  server.wait_until_ready();
  constexpr std::size_t ten_megabytes = 10'000'000;
  CHECK(
      server.ask("POST " + searches, std::string(ten_megabytes, ' ')).starts_with("HTTP/1.1 413"));
  CHECK(server.json("GET " + searches).at("searches").empty());
}

TEST_CASE("a running search is cancelled over a socket and then deleted") {
  const TemporaryDirectory directory;
  ServeProcess server = serve(directory);
  server.wait_until_ready();
  const auto id = submit(server, endless_job());
  EventClient events(server.port(), id);
  for (auto event = events.next(); event.data.at("status") != "running"; event = events.next()) {
  }
  CHECK(server.ask("DELETE " + searches + "/" + id).starts_with("HTTP/1.1 409"));
  server.json("POST " + searches + "/" + id + "/cancel", "{}");
  const auto finished = events.next();
  CHECK(finished.name == "finished");
  CHECK(finished.data.at("status") == "cancelled");
  CHECK(events.next().name.empty());
  CHECK(server.ask("DELETE " + searches + "/" + id).starts_with("HTTP/1.1 204"));
  CHECK(server.ask("GET " + searches + "/" + id).starts_with("HTTP/1.1 404"));
}

TEST_CASE("kill -9 loses no reported trial, and the search ends like an undisturbed one") {
  const TemporaryDirectory directory;
  std::string undisturbed;
  Json expected;
  {
    ServeProcess server = serve(directory);
    server.wait_until_ready();
    undisturbed = submit(server, batches_job());
    EventClient events(server.port(), undisturbed);
    while (!events.next().name.empty()) {
    }
    expected = essence_of(server, undisturbed);
    CHECK(expected.at("status") == "succeeded");
    server.signal(SIGTERM);
    server.wait();
  }

  std::string id;
  std::set<std::pair<std::int64_t, double>> reported;
  for (int kills = 0; kills < 4; ++kills) {
    ServeProcess server = serve(directory);
    server.wait_until_ready();
    if (id.empty()) {
      id = submit(server, batches_job());
    }
    EventClient events(server.port(), id);
    // Killed after another batch than before, or when the search is over.
    for (std::size_t before = reported.size(); reported.size() == before;) {
      const auto event = events.next();
      if (event.name.empty() || event.name == "finished") {
        break;
      }
      if (event.name != "points") {
        continue;
      }
      for (const auto& point : event.data.at("points")) {
        reported.emplace(point.at("curve_id"), point.at("macro_step_s"));
      }
    }
    server.signal(SIGKILL);
    CHECK(WIFSIGNALED(server.wait()));

    const db::Store store(directory.file(), {.access = db::Access::read});
    CHECK(db::check_database(directory.file()).empty());
    if (kills == 0) {
      CHECK(store.get_search(id)->summary.status == "running");
    }
    std::set<std::pair<std::int64_t, double>> stored;
    for (const auto& trial : store.trials_of_search(id)) {
      CHECK(stored.emplace(trial.curve_id, trial.macro_step_s).second);
    }
    CHECK(std::ranges::includes(stored, reported));
    CHECK(store.get_search(id)->summary.progress.trials_done ==
          static_cast<std::int64_t>(stored.size()));
  }

  ServeProcess server = serve(directory);
  server.wait_until_ready();
  REQUIRE(eventually(
      [&] { return server.json("GET " + searches + "/" + id).at("status") == "succeeded"; }));
  CHECK(essence_of(server, id) == expected);
}

TEST_CASE("SIGTERM interrupts a search, which goes on when the server starts again") {
  const TemporaryDirectory directory;
  std::string id;
  {
    ServeProcess server = serve(directory);
    server.wait_until_ready();
    id = submit(server, endless_job());
    EventClient events(server.port(), id);
    for (auto event = events.next(); event.data.at("status") != "running"; event = events.next()) {
    }
    server.signal(SIGTERM);
    const int status = server.wait();
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    const db::Store store(directory.file(), {.access = db::Access::read});
    CHECK(store.get_search(id)->summary.status == "interrupted");
  }
  ServeProcess server = serve(directory);
  server.wait_until_ready();
  CHECK(eventually(
      [&] { return server.json("GET " + searches + "/" + id).at("status") == "running"; }));
}

/// A search of two FMUs that the command line has begun and not ended; its id.
std::string begin_on_the_command_line(const TemporaryDirectory& directory) {
  const Scratch scratch;
  const auto job = mass_and_spring(fmu_file("spring_mass2"), fmu_file("mass2"));
  const auto outcome =
      run_program({"search", scratch.write("job.json", job.dump()), "--db", directory.file(),
                   "--fmu-sandbox", "none", "--no-reference", "--json"});
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  // As a kill would leave it, whenever it comes.
  db::Connection(directory.file(), db::OpenMode::write_create)
      .execute("UPDATE searches SET status = 'interrupted'");
  return Json::parse(outcome.out).at("id");
}

TEST_CASE("a search with FMUs that the command line has begun goes on on a server") {
  const TemporaryDirectory directory;
  const auto id = begin_on_the_command_line(directory);
  const auto fmus = server::fmu_directory_of(directory.file());
  const auto stored = names_in(fmus);
  REQUIRE(stored.size() == 3);  // two, and what is on its way
  const auto serve_fmus = [&] {
    return ServeProcess(
        {"--listen", "127.0.0.1:0", "--db", directory.file(), "--fmu-sandbox", "none"},
        directory.file("serve.log"));
  };
  SUBCASE("with all that it needs") {
    auto server = serve_fmus();
    server.wait_until_ready();
    CHECK(eventually(
        [&] { return server.json("GET " + searches + "/" + id).at("status") == "succeeded"; }));
    CHECK(server.json("GET /api/v1/fmus").at("fmus").size() == 2);
  }
  SUBCASE("once its FMUs are there again") {
    std::filesystem::remove_all(fmus);
    auto server = serve_fmus();
    server.wait_until_ready();
    Json search;
    CHECK(eventually([&] {
      search = server.json("GET " + searches + "/" + id);
      return search.at("status") == "failed";
    }));
    const std::string reason = search.at("reason");
    CAPTURE(reason);
    const std::string begin =
        "an FMU of the stored job cannot be used: /problem/subsystems/0/fmu: "
        "there is no FMU with the SHA-256 ";
    REQUIRE(reason.starts_with(begin));
    const auto missing = reason.substr(begin.size(), 64);
    CHECK(std::ranges::find(stored, missing) != stored.end());
    CHECK(reason.ends_with(": upload it (POST /api/v1/fmus), then submit or resume"));
    CHECK(uploaded(server, "spring_mass2") == missing);
    uploaded(server, "mass2");
    server.json("POST " + searches + "/" + id + "/resume");
    CHECK(eventually(
        [&] { return server.json("GET " + searches + "/" + id).at("status") == "succeeded"; }));
  }
}

}  // namespace
}  // namespace macrostep::tests
