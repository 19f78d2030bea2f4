// Replies of workers, which an FMU may have written in their place.
#include "server/workers/task_json.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>

using namespace macrostep;
using namespace macrostep::server;

TEST_CASE("no text of a reply has control characters, which a terminal would obey") {
  const auto read = [](const std::string& reason) {
    const engine::MeasuredRun reply{
        .result = {.status = engine::TrialStatus::fmu_error, .reason = reason},
        .step_times = {},
        .energies = {}};
    const auto back = read_measured(reply_text(reply), engine::MeasureRun{});
    return std::get<engine::MeasuredRun>(back).result.reason;
  };
  CHECK(read("a \x1b]0;owned\x07 b\r\nc\x7f") == "a  ]0;owned  b  c ");
  CHECK(read("before \xC2\x9B"
             "31m after \xC2\x80") == "before  31m after  ");
  CHECK(read("5 µs, Größe – ξ") == "5 µs, Größe – ξ");
  const auto finding = read_finding(
      finding_text({.part = "co_simulation\x1b[2J", .where = "fmi2DoStep", .message = "one\ttwo"}));
  CHECK(finding.part == "co_simulation [2J");
  CHECK(finding.message == "one two");
}
