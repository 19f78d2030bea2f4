// The preset of a job: what it sets, what contradicts it, and the form that is kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;

namespace {

std::string by_preset(const std::string& member) {
  return R"({"problem": "double_actuator_crane", "search": {)" + member + "}}";
}

engine::FieldErrors preset_errors(std::string_view text) {
  const auto plan = json::plan_of(json::read_job(nlohmann::json::parse(text)));
  const auto* errors = std::get_if<engine::FieldErrors>(&plan);
  return errors == nullptr ? engine::FieldErrors{} : *errors;
}

bool blames(const engine::FieldErrors& errors, std::string_view pointer, std::string_view message) {
  return std::ranges::any_of(errors, [&](const engine::FieldError& error) {
    return error.pointer == pointer && error.message.find(message) != std::string::npos;
  });
}

std::string preset_text(const engine::FieldErrors& errors) {
  std::string text;
  for (const auto& [pointer, message] : errors) {
    text += pointer + ": " + message + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a preset sets what its paper asks for, and a job that contradicts it is told where") {
  const auto reading =
      json::read_job(nlohmann::json::parse(by_preset(R"("preset": "rahikainen2019")")));
  CHECK_MESSAGE(reading.errors.empty(), preset_text(reading.errors));
  const engine::Job& job = reading.job;
  CHECK(job.preset == engine::Preset::rahikainen2019);
  CHECK(job.linear_region.rule == engine::Rule::local_power_law);
  CHECK(job.linear_region.points == 5);
  CHECK(job.stability_check == engine::StabilityCheck::none);
  CHECK(job.minimum_macro_steps == 1);
  CHECK(job.event_phases == 1);
  CHECK(job.macro_step.initial_s == 2e-4);
  CHECK(preset_errors(by_preset(R"("preset": "rahikainen2019")")).empty());
  CHECK(preset_errors(by_preset(R"("preset": null)")).empty());

  // The normal form says all of it, and means the same when it is read again.
  const auto echo = json::job_json(job);
  CHECK(echo["search"]["preset"] == "rahikainen2019");
  const auto again = json::read_job(nlohmann::json::parse(echo.dump()));
  CHECK_MESSAGE(again.errors.empty(), preset_text(again.errors));
  CHECK(again.job == job);
  CHECK(std::holds_alternative<engine::Plan>(json::plan_of(again)));

  for (const auto& [member, pointer] :
       {std::pair(R"("accuracy": 0.05)", "/search/accuracy"),
        std::pair(R"("stability_check": "all")", "/search/stability_check"),
        std::pair(R"("minimum_macro_steps": 20)", "/search/minimum_macro_steps"),
        std::pair(R"("relative_residual_max": 0.1)", "/search/relative_residual_max"),
        std::pair(R"("validate_unseen": true)", "/search/validate_unseen"),
        std::pair(R"("event_phases": 4)", "/search/event_phases"),
        std::pair(R"("real_time": {"share": 0.5})", "/search/real_time"),
        std::pair(R"("linear_region": {"rule": "tangent"})", "/search/linear_region/rule"),
        std::pair(R"("linear_region": {"scan": "geometric"})", "/search/linear_region/scan")}) {
    const auto errors =
        preset_errors(by_preset(R"("preset": "rahikainen2019", )" + std::string(member)));
    CHECK_MESSAGE(blames(errors, pointer, "contradicts the preset rahikainen2019"),
                  preset_text(errors));
    CHECK(errors.size() == 1);
  }
  CHECK(preset_errors(by_preset(R"("preset": "rahikainen2019", "linear_region": {"tolerance": 0.2},
                                 "macro_step": {"initial_s": 1e-3})"))
            .empty());
  CHECK(blames(preset_errors(by_preset(R"("preset": "rahikainen2020")")), "/search/preset",
               "rahikainen2019"));
}

TEST_CASE("by the preset of its paper the single crane begins where the paper does") {
  const auto read = [](const char* search) {
    return json::read_job(
               {{"problem", "single_actuator_crane"}, {"search", nlohmann::json::parse(search)}})
        .job.macro_step;
  };
  CHECK(read(R"({"preset": "rahikainen2019"})").initial_s == 1e-3);
  CHECK(read(R"({"preset": "rahikainen2019"})").increment_s == 2e-4);
  CHECK(read(R"({"preset": "rahikainen2019", "macro_step": {"initial_s": 5e-4}})").initial_s ==
        5e-4);
  CHECK(read("{}").initial_s == 2e-4);
}
