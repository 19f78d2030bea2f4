// What the log of a server tells of FMUs that misbehave.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/server/cli/serve/serve_fmus.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

using Json = nlohmann::json;

TEST_CASE("the log tells once of a search how many of its trials FMUs have ended") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file(), "--fmu-sandbox", "none",
                       "--fmu-step-timeout", "1"},
                      directory.file("serve.log"));
  server.wait_until_ready();
  Json job = mass_and_spring(uploaded(server, "spring_mass2"), uploaded(server, "misbehaving2"));
  const auto ended = [&](int what) {
    job["problem"]["subsystems"][1]["parameters"] = {{"what", what}, {"when", 0.3}};
    const auto id = server.json("POST /api/v1/searches", job.dump()).at("id").get<std::string>();
    CHECK(eventually([&] {
      const auto status = server.json("GET /api/v1/searches/" + id).at("status");
      return status == "succeeded" || status == "failed";
    }));
    return id;
  };
  const auto fails = ended(9);
  const auto works = ended(0);
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
  int warnings = 0;
  std::stringstream lines(server.log());
  for (std::string line; std::getline(lines, line);) {
    const auto entry = Json::parse(line);
    if (entry.at("message") != "FMUs ended trials") {
      continue;
    }
    ++warnings;
    CHECK(entry.at("level") == "warning");
    CHECK(entry.at("search") == fails);
    CHECK(entry.at("failed").get<int>() > 0);
    CHECK(entry.at("crashed") == 0);
    CHECK(entry.at("timed_out") == 0);
    CHECK(entry.at("first").get<std::string>().find("the spring broke") != std::string::npos);
  }
  CHECK(warnings == 1);
  CHECK(works != fails);
}

}  // namespace
}  // namespace macrostep::tests
