// Answers of a search whose rule alone leads beyond the limit of stability, for tests of confirm().
#pragma once

#include <doctest/doctest.h>

#include <utility>

#include "engine/recommendation/confirm.hpp"
#include "engine/search/run_search.hpp"
#include "engine/study/draw_problem.hpp"
#include "tests/engine/plan/planned.hpp"

namespace macrostep::tests {

/// A problem of the study, searched with a rule that alone leads beyond the limit of stability.
inline engine::Job tempting_job(engine::StabilityCheck check) {
  auto job = engine::make_study_problem(1, 10).job;
  job.linear_region.rule = engine::Rule::local_power_law;
  job.linear_region.points = engine::usual_points(engine::Rule::local_power_law);
  job.stability_check = check;
  return job;
}

/// What checks say that agree or object.
inline engine::CheckedRun checked_run(bool stands) {
  engine::CheckedRun run;
  run.outcomes.push_back({.check = "growth",
                          .verdict = stands ? engine::Verdict::agrees : engine::Verdict::objects,
                          .value = {},
                          .limit = {},
                          .findings = {{.code = engine::NoticeCode::nothing_moves}}});
  return run;
}

struct Scanned {
  engine::Plan plan;
  engine::Answer answer;
};

inline Scanned scanned(double ratio) {
  auto job = tempting_job(engine::StabilityCheck::none);
  job.linear_region.ratio = ratio;
  auto plan = planned(job);
  auto answer = engine::run_search(plan, {}).answer;
  REQUIRE(answer.recommendation);
  return {std::move(plan), std::move(answer)};
}

/// Without checks, each scanned once.
inline const Scanned& unchecked() {
  static const Scanned once =
      scanned(tempting_job(engine::StabilityCheck::none).linear_region.ratio);
  return once;
}

/// Among many macro-steps there is something to look for.
inline const Scanned& finely_scanned() {
  static const Scanned once = scanned(1.05);
  return once;
}

}  // namespace macrostep::tests
