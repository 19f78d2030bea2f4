// macrostep search --resume.
#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "tests/server/child_process.hpp"

TEST_CASE("an interrupted search goes on where it was stopped, to the same answer") {
  const Scratch scratch;
  const std::string file = scratch.file("searches.db");
  const std::vector<std::string> begun{"search", "linear_oscillator", "--threads", "1", "--json"};
  const auto essence = [](const Outcome& outcome) {
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    auto json = nlohmann::json::parse(outcome.out);
    json["recommendation"].erase("step_time");
    return std::array{json["recommendation"], json["table"], json["status"]};
  };
  const auto undisturbed = essence(run_program(begun));

  auto kept = begun;
  kept.insert(kept.end(), {"--db", file});
  Child child(kept, "");
  const Outcome interrupted = interrupt(child);
  REQUIRE(interrupted.code == 130);
  const auto id = [&] {
    const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
    return store.list_searches(1).rows.at(0).id;
  }();
  const Outcome resumed =
      run_program({"search", "--resume", id, "--db", file, "--threads", "2", "--json"});
  CHECK(essence(resumed) == undisturbed);
  CHECK(nlohmann::json::parse(resumed.out)["id"] == id);

  const auto refused = [&](const std::vector<std::string>& arguments, const char* why) {
    const Outcome outcome = run_program(arguments);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.err.find(why) != std::string::npos, outcome.err);
  };
  refused({"search", "--resume", id, "--db", file}, "has succeeded");
  refused({"search", "--resume", "0000", "--db", file}, "there is no search 0000 in ");
  refused({"search", "--resume", id}, "--resume: needs --db");
  refused({"search", "pipe_volume", "--resume", id, "--db", file}, "JOB: does not go with");
  refused({"search", "--resume", id, "--db", file, "--accuracy", "5%"}, "--accuracy: does not");
}
