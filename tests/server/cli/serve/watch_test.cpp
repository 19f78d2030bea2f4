// macrostep search --watch against a real server: what it prints, its exit codes, and what it does
// when the server goes away.
#include <sys/stat.h>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

constexpr const char* token_to_watch = "0123456789abcdef";

std::vector<std::string> watching(const ServeProcess& server, const std::string& rest = "",
                                  std::vector<std::string> options = {}) {
  options.insert(options.begin(),
                 {"search", "--watch", "http://127.0.0.1:" + std::to_string(server.port()) + rest});
  return options;
}

ServeProcess server_to_watch(const TemporaryDirectory& directory,
                             std::vector<std::string> options = {}, std::uint16_t port = 0) {
  options.insert(options.begin(), {"--listen", "127.0.0.1:" + std::to_string(port), "--threads",
                                   "1", "--db", directory.file()});
  return ServeProcess(std::move(options), directory.file("watch.log"));
}

std::string id_of_submitted(const ServeProcess& server, const Json& job) {
  return server.json("POST /api/v1/searches", job.dump()).at("id");
}

void wait_for_points(const ServeProcess& server, const std::string& id) {
  EventClient events(server.port(), id);
  for (auto event = events.next(); event.name != "points"; event = events.next()) {
    REQUIRE_FALSE(event.name.empty());
  }
}

}  // namespace

TEST_CASE("a search is watched to its answer, with its curves, or as the document of its export") {
  const TemporaryDirectory directory;
  ServeProcess server = server_to_watch(directory);
  server.wait_until_ready();
  const auto none = run_program(watching(server));
  CHECK(none.code == 1);
  CHECK_MESSAGE(none.err.find("has no search to watch") != none.err.npos, none.err);

  const auto id = id_of_submitted(server, small_job());
  const Outcome latest = run_program(watching(server));
  CHECK(latest.code == 0);
  const auto search = server.json("GET /api/v1/searches/" + id);
  // The sentence may be broken into lines.
  std::string told = latest.out;
  std::ranges::replace(told, '\n', ' ');
  CHECK_MESSAGE(told.find(search.at("sentence").get<std::string>()) != told.npos, latest.out);
  for (const char* part : {"residual energy over H in ms", "recommended H, ", " |", "+---", "o"}) {
    CHECK_MESSAGE(latest.out.find(part) != latest.out.npos, latest.out);
  }
  CHECK(latest.out.find('\033') == latest.out.npos);
  CHECK_MESSAGE(latest.err.empty(), latest.err);

  // It has ended: nothing is left to wait for.
  const Outcome again = run_program(watching(server, "/?search=" + id, {"--json"}));
  CHECK(again.code == 0);
  CHECK(Json::parse(again.out) == server.json("GET /api/v1/searches/" + id + "/export"));
}

TEST_CASE("what cannot be watched is refused with what to do") {
  const TemporaryDirectory directory;
  const auto file = directory.file("token");
  std::ofstream(file) << token_to_watch << "\n";
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  std::uint16_t port = 0;
  {
    ServeProcess server = server_to_watch(directory, {"--token-file", file});
    port = server.wait_until_ready();
    const auto locked = run_program(watching(server, "", {"--json"}));
    CHECK(locked.code == 2);
    CHECK_MESSAGE(locked.err.find("wants a token") != locked.err.npos, locked.err);
    CHECK(Json::parse(locked.out).at("type") == "/problems/bad-usage");
    const auto unknown =
        run_program(watching(server, "/api/v1/searches/0123", {"--token-file", file}));
    CHECK(unknown.code == 2);
    CHECK_MESSAGE(unknown.err.find("0123") != unknown.err.npos, unknown.err);
  }
  const auto gone = run_program({"search", "--watch", "http://127.0.0.1:" + std::to_string(port)});
  CHECK(gone.code == 1);
  CHECK_MESSAGE(gone.err.find("cannot connect") != gone.err.npos, gone.err);
  for (const auto& [arguments, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"search", "single_actuator_crane", "--watch", "http://127.0.0.1"}, "JOB"},
           {{"search", "--watch", "http://127.0.0.1", "--threads", "1"}, "--threads"},
           {{"search", "--watch", "127.0.0.1:8080"}, "must begin with http://"},
           {{"search", "single_actuator_crane", "--token-file", file}, "--watch"}}) {
    const auto outcome = run_program(arguments);
    CAPTURE(why);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.err.find(why) != outcome.err.npos, outcome.err);
  }
}

TEST_CASE(
    "watching outlives a server that is killed, and ends with the search that was cancelled") {
  const TemporaryDirectory directory;
  auto server = std::make_unique<ServeProcess>(
      std::vector<std::string>{"--listen", "127.0.0.1:0", "--threads", "1", "--db",
                               directory.file()},
      directory.file("watch.log"));
  const auto port = server->wait_until_ready();
  const auto id = id_of_submitted(*server, busy_job());
  Child watcher(watching(*server, "/?search=" + id, {"--json"}));
  wait_for_points(*server, id);
  server->signal(SIGKILL);
  server->wait();
  server = std::make_unique<ServeProcess>(
      std::vector<std::string>{"--listen", "127.0.0.1:" + std::to_string(port), "--threads", "1",
                               "--db", directory.file()},
      directory.file("watch.log"));
  server->wait_until_ready();
  server->ask("POST /api/v1/searches/" + id + "/cancel");
  const Outcome cancelled = watcher.wait();
  CHECK_MESSAGE(cancelled.code == 130, cancelled.err);
  const auto document = Json::parse(cancelled.out);
  CHECK(document.at("status") == "cancelled");
  CHECK(document.at("id") == id);
}

TEST_CASE("Ctrl-C ends the watching, not the search") {
  const TemporaryDirectory directory;
  ServeProcess server = server_to_watch(directory);
  server.wait_until_ready();
  const auto id = id_of_submitted(server, busy_job());
  Child watcher(watching(server));
  wait_for_points(server, id);
  for (int i = 0; i < Child::max_polls && !watcher.handles(SIGINT); ++i) {
    std::this_thread::sleep_for(Child::poll_interval);
  }
  watcher.signal(SIGINT);
  const Outcome outcome = watcher.wait();
  CHECK(outcome.code == 130);
  CHECK(outcome.out.empty());
  CHECK_MESSAGE(outcome.err.find("the search goes on") != outcome.err.npos, outcome.err);
  CHECK(server.json("GET /api/v1/searches/" + id).at("status") == "running");
}

}  // namespace macrostep::tests
