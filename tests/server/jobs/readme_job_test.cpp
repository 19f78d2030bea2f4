#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/search/run_search.hpp"
#include "server/http/message/json_body.hpp"
#include "server/jobs/read_job.hpp"

TEST_CASE("the job in the README is accepted and gets a recommendation") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/README.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = "```json two_masses.json\n";
  const auto begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  const auto end = text.find("```", begin + fence.size());
  const auto job = text.substr(begin + fence.size(), end - begin - fence.size());

  nlohmann::json document;
  const auto broken = macrostep::server::http::read_json(job, document);
  INFO((broken ? broken->message : ""));
  REQUIRE(!broken.has_value());
  auto reading = macrostep::server::json::read_job(document);
  for (const auto& error : reading.errors) {
    MESSAGE(error.pointer << ": " << error.message);
  }
  const auto plan = macrostep::server::json::plan_of(std::move(reading));
  REQUIRE(std::holds_alternative<macrostep::engine::Plan>(plan));
  const auto result = macrostep::engine::run_search(std::get<macrostep::engine::Plan>(plan), {});
  CHECK(result.answer.recommendation);
}
