// The end of a real server while clients read: who reads in time gets everything, who does not read
// is cut.
#include <sys/wait.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

using Clock = std::chrono::steady_clock;

ServeProcess started(const TemporaryDirectory& directory) {
  return ServeProcess({"--listen", "127.0.0.1:0", "--threads", "2", "--db", directory.file()},
                      directory.file("serve.log"));
}

/// A search with so many trials more that no socket buffers its export.
std::string search_with_many_trials(const TemporaryDirectory& directory) {
  ServeProcess server = started(directory);
  server.wait_until_ready();
  const std::string id = server.json("POST /api/v1/searches", small_job().dump()).at("id");
  REQUIRE(eventually(
      [&] { return server.json("GET /api/v1/searches/" + id).at("status") == "succeeded"; }));
  server.signal(SIGTERM);
  REQUIRE(WEXITSTATUS(server.wait()) == 0);
  db::Connection sql(directory.file(), db::OpenMode::write_create);
  sql.execute(R"(
WITH RECURSIVE numbers(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120000)
INSERT INTO trials (id, curve_id, point, macro_step_s, status, reason, bond_residuals_J,
  macro_steps, rhs_evaluations)
SELECT id + n, curve_id, n, macro_step_s, status, 'one of many, with a reason of some length',
  bond_residuals_J, macro_steps, rhs_evaluations
FROM numbers, (SELECT * FROM trials WHERE id & 4294967295 = 0))");
  return id;
}

TEST_CASE(
    "at SIGTERM an answer may take seconds to be read, and nobody holds the end beyond 10 s") {
  const TemporaryDirectory directory;
  const auto id = search_with_many_trials(directory);
  ServeProcess server = started(directory);
  const auto port = server.wait_until_ready();
  const auto request = request_text(port, "GET /api/v1/searches/" + id + "/export?format=csv");
  RawClient reader(port, 4096);
  RawClient never(port, 4096);
  reader.send(request);
  never.send(request);
  const auto head = reader.read_until("\r\n\r\n");
  never.read_until("\r\n\r\n");
  const auto length_at = head.find("content-length: ");
  REQUIRE(length_at != std::string::npos);
  const std::size_t length = std::stoul(head.substr(length_at + 16));
  REQUIRE(length > 10'000'000);

  const auto begin = Clock::now();
  server.signal(SIGTERM);
  constexpr int pieces = 16;
  std::size_t received = 0;
  for (int i = 0; i < pieces; ++i) {
    received += reader.read_at_least(length / pieces).size();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  received += reader.read_to_end().size();
  CHECK(received == length);
  const int status = server.wait();
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  // The other one had its time, and was cut by nothing but the end of it.
  CHECK(Clock::now() - begin > std::chrono::seconds(9));
  const auto log = server.log();
  const auto cut = log.find("\"aborted\":\"stop\"");
  CHECK(cut != std::string::npos);
  CHECK(log.find("\"aborted\"", cut + 1) == std::string::npos);
}

}  // namespace
}  // namespace macrostep::tests
