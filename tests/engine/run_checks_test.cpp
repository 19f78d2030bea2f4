// Checks of what is recommended: what they see, and what a search makes of it.
#include "engine/run_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "engine/confirm.hpp"
#include "engine/curve_flags.hpp"
#include "engine/search.hpp"
#include "engine/stability.hpp"
#include "engine/study/study_problem.hpp"
#include "engine/true_error.hpp"
#include "engine/warnings.hpp"

using namespace macrostep::engine;

namespace {

const Executor executor;
const RunsOnThreads one_thread{.executor = executor, .threads = 1};

Plan planned(const Job& job) {
  auto plan = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&plan)) {
    FAIL(errors->front().pointer, ": ", errors->front().message);
  }
  REQUIRE(std::holds_alternative<Plan>(plan));
  return std::get<Plan>(std::move(plan));
}

/// A problem of the study, searched with a rule that alone leads beyond the limit of stability.
Job tempting_job(StabilityCheck check) {
  auto job = make_study_problem(1, 10).job;
  job.linear_region.rule = Rule::local_power_law;
  job.linear_region.points = usual_points(Rule::local_power_law);
  job.stability_check = check;
  return job;
}

double limit_of(const Plan& plan, std::size_t configuration) {
  const auto limit =
      stability_limit(plan, plan.configurations[configuration], longest_test_s(plan),
                      plan.job.macro_step.initial_s / 10, plan.job.macro_step.maximum_s);
  REQUIRE(std::holds_alternative<StabilityLimit>(limit));
  return std::get<StabilityLimit>(limit).limit_s.value_or(plan.job.macro_step.maximum_s);
}

const CheckOutcome& outcome_of(const CheckedRun& run, std::string_view check) {
  const auto found = std::ranges::find(run.outcomes, check, &CheckOutcome::check);
  REQUIRE(found != run.outcomes.end());
  return *found;
}

/// What checks say that agree or object.
CheckedRun checked_run(bool stands, const std::string& detail) {
  CheckedRun run;
  run.outcomes.push_back({.check = "growth",
                          .verdict = stands ? Verdict::agrees : Verdict::objects,
                          .value = {},
                          .limit = {},
                          .detail = detail});
  return run;
}

Eigen::MatrixXd without_column(const Eigen::MatrixXd& matrix, Eigen::Index column) {
  Eigen::MatrixXd result(matrix.rows(), matrix.cols() - 1);
  result << matrix.leftCols(column), matrix.rightCols(matrix.cols() - 1 - column);
  return result;
}

/// Among many macro-steps there is something to look for.
Plan finely_scanned() {
  auto job = tempting_job(StabilityCheck::none);
  job.linear_region.ratio = 1.02;
  return planned(job);
}

}  // namespace

TEST_CASE("a search by outputs alone stays below the exact limit where the residual does not") {
  const auto unchecked = planned(tempting_job(StabilityCheck::none));
  const auto tempted = run_search(unchecked, {}).analysis.recommendation;
  REQUIRE(tempted);
  CHECK(tempted->macro_step_s > limit_of(unchecked, tempted->configuration));
  CHECK(tempted->checks.empty());

  const auto plan = planned(tempting_job(StabilityCheck::identified));
  const auto analysis = run_search(plan, {.threads = 1}).analysis;
  const auto& answer = analysis.recommendation;
  REQUIRE(answer);
  CHECK(answer->macro_step_s <= limit_of(plan, answer->configuration));
  REQUIRE(answer->checks.size() == 1);
  CHECK(answer->checks.front().check == "growth");
  CHECK(answer->checks.front().verdict == Verdict::agrees);
  CHECK(answer->reason.find("the check of growth rejects") != std::string::npos);
  const auto cut = std::ranges::count_if(
      analysis.curves, [](const Curve& curve) { return has_flag(curve, cut_at_checks); });
  CHECK(cut > 0);
  for (const auto& curve : analysis.curves) {
    CHECK(curve.usable_s.value_or(0) < curve.rejected_from_s.value_or(1e9));
  }
  const auto again = run_search(plan, {.threads = 2}).analysis.recommendation;
  REQUIRE(again);
  CHECK(again->configuration == answer->configuration);
  CHECK(again->macro_step_s == answer->macro_step_s);
  CHECK(again->checks.front().value == answer->checks.front().value);
}

TEST_CASE("what a check rejects is used up to a smaller macro-step, and ranked anew") {
  const auto plan = planned(tempting_job(StabilityCheck::none));
  const auto analysis = run_search(plan, {}).analysis;
  const auto first = *analysis.recommendation;
  const auto rejecting = [](auto rejects) {
    return [rejects](std::size_t configuration, double macro_step_s) {
      return checked_run(!rejects(configuration, macro_step_s), "so it is");
    };
  };
  const auto answer = confirm(plan, analysis, rejecting([&](std::size_t configuration, double) {
                                return configuration == first.configuration;
                              }))
                          .recommendation;
  REQUIRE(answer);
  CHECK(answer->configuration != first.configuration);
  CHECK(answer->macro_step_s <= first.macro_step_s);
  CHECK(answer->reason.find("so it is") != std::string::npos);

  const auto smaller = confirm(plan, analysis, rejecting([&](std::size_t, double macro_step_s) {
                                 return macro_step_s >= first.macro_step_s;
                               }))
                           .recommendation;
  REQUIRE(smaller);
  CHECK(smaller->macro_step_s < first.macro_step_s);

  const auto none = confirm(plan, analysis, rejecting([](std::size_t, double) { return true; }));
  CHECK_FALSE(none.recommendation);
  CHECK(none.reason.find("no run that could be recommended stands its checks; make ") == 0);
  CHECK(none.reason.find("so it is") != std::string::npos);
  CHECK(std::ranges::none_of(none.curves, &Curve::counts));
  for (const auto& curve : none.curves) {
    CHECK(has_flag(curve, rejected_by_checks) != has_flag(curve, cut_at_checks));
    CHECK(has_flag(curve, rejected_by_checks) == !curve.usable_s);
  }
}

TEST_CASE("the largest macro-step that stands is found by halves, among many") {
  const auto plan = finely_scanned();
  const auto analysis = run_search(plan, {}).analysis;
  REQUIRE(analysis.recommendation);
  const double limit_s = analysis.recommendation->macro_step_s / 7.3;
  std::map<std::size_t, int> asked;  // by configuration
  const auto answer = confirm(plan, analysis, [&](std::size_t configuration, double macro_step_s) {
                        ++asked[configuration];
                        return checked_run(macro_step_s <= limit_s, "beyond the limit");
                      }).recommendation;
  REQUIRE(answer);
  CHECK(answer->macro_step_s <= limit_s);
  CHECK(answer->macro_step_s * plan.job.linear_region.ratio > limit_s * (1 - 1e-9));
  REQUIRE(answer->checks.size() == 1);
  CHECK(answer->checks.front().verdict == Verdict::agrees);
  // The largest, log2 of 7.3 halves of H, and of the 36 macro-steps between the last two.
  constexpr int most = 1 + 3 + 6;
  for (const auto& [configuration, count] : asked) {
    CAPTURE(configuration);
    CHECK(count <= most);
  }
}

TEST_CASE("at the limit of checks what stood until then is recommended, or nothing") {
  const auto plan = finely_scanned();
  const auto analysis = run_search(plan, {}).analysis;
  REQUIRE(analysis.recommendation);
  const double limit_s = analysis.recommendation->macro_step_s / 1.5;
  std::size_t checks = 0;
  std::set<std::pair<std::size_t, double>> stood;
  const auto check = [&](std::size_t configuration, double macro_step_s) {
    ++checks;
    const bool stands = macro_step_s <= limit_s;
    if (stands) {
      stood.emplace(configuration, macro_step_s);
    }
    return checked_run(stands, "beyond the limit");
  };
  const auto whole = confirm(plan, analysis, check);
  REQUIRE(whole.recommendation);
  const std::size_t most = checks - 1;
  stood.clear();
  const auto few = confirm(plan, analysis, check, nullptr, most);
  REQUIRE(few.recommendation);
  CHECK(few.recommendation->macro_step_s <= whole.recommendation->macro_step_s);
  CHECK(stood.contains({few.recommendation->configuration, few.recommendation->macro_step_s}));
  CHECK(few.recommendation->checks.size() == 1);
  CHECK(few.recommendation->reason.find("after " + std::to_string(most) +
                                        " checks the other runs were left out") !=
        std::string::npos);

  // Where the curves of a configuration have different points, what stood is one of all of them.
  auto uneven = analysis;
  for (auto& curve : uneven.curves) {
    if (curve.key.test == 0) {
      std::erase_if(curve.points, [&, n = 0](const CurvePoint&) mutable { return n++ % 2 == 1; });
    }
  }
  for (std::size_t limit = 1; limit <= most; ++limit) {
    const auto ended = confirm(plan, uneven, check, nullptr, limit);
    if (ended.recommendation) {
      CHECK(ended.recommendation->macro_step_s <= limit_s);
      CHECK(ended.recommendation->checks.size() == 1);
    }
  }

  const auto none = confirm(plan, analysis, check, nullptr, 1);
  CHECK_FALSE(none.recommendation);
  CHECK(none.reason.find("no run that could be recommended stands its checks") == 0);
  CHECK(none.reason.find("after 1 check the") != std::string::npos);
}

TEST_CASE("a search that is stopped during its checks says that nothing was checked") {
  const auto plan = planned(tempting_job(StabilityCheck::identified));
  std::atomic<bool> stop = false;
  Executor stopping;
  stopping.run_trial = [&](const Plan& of, const TrialSettings& run) {
    stop = stop || run.test->name == "free motion";  // the first of a growth probe
    return run_trial(of, run);
  };
  const auto result = run_search(plan, {.threads = 1, .stop = &stop, .executor = stopping});
  CHECK_FALSE(result.complete);
  const auto& answer = result.analysis.recommendation;
  REQUIRE(answer);
  REQUIRE_FALSE(answer->warnings.empty());
  CHECK(answer->warnings.front().find("not checked") == 0);
  CHECK_FALSE(answer->confidence);
}

TEST_CASE("of allowed macro-steps, one that no trial reached down to is not used after a cut") {
  auto job = tempting_job(StabilityCheck::none);
  const auto first = *run_search(planned(job), {}).analysis.recommendation;
  const double tried_s = job.macro_step.initial_s;
  job.allowed_macro_steps_s = {tried_s / 100, 2 * tried_s, first.macro_step_s};
  const auto plan = planned(job);
  const auto analysis = run_search(plan, {}).analysis;
  REQUIRE(analysis.recommendation);
  std::set<double> asked;
  const auto none = confirm(plan, analysis, [&](std::size_t, double macro_step_s) {
    asked.insert(macro_step_s);
    return checked_run(false, "no");
  });
  CHECK_FALSE(none.recommendation);
  CHECK(*asked.begin() == 2 * tried_s);
}

TEST_CASE("growth objects beyond the limit, and has no verdict of a problem that grows by itself") {
  const auto problem = make_study_problem(1, 3);
  const auto plan = planned(problem.job);
  const CheckRule rule{.growth = true};
  RunChecks checks(plan, one_thread);
  std::size_t judged = 0;
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    const double limit_s = limit_of(plan, c);
    if (limit_s < plan.job.macro_step.maximum_s) {
      ++judged;
      CHECK_FALSE(checks.check(rule, c, 1.05 * limit_s).stands());
      CHECK(checks.check(rule, c, 0.95 * limit_s).stands());
    }
  }
  CHECK(judged > 0);

  auto growing = problem.job;
  for (auto& subsystem : growing.own_problem->subsystems) {
    auto& a = subsystem.state_space.a;
    a(1, 1) = 1e-3 * std::sqrt(std::abs(a(1, 0)));  // damping that drives
  }
  const auto growing_plan = planned(growing);
  RunChecks of_growing(growing_plan, one_thread);
  const auto run = of_growing.check(rule, 1, growing.macro_step.initial_s);
  const auto& outcome = outcome_of(run, "growth");
  CAPTURE(outcome.detail);
  CHECK(outcome.verdict == Verdict::unknown);
  CHECK(outcome.detail.find("grows by itself") != std::string::npos);
}

TEST_CASE("the change tells the error of a run, and is asked where growth has no verdict") {
  const auto problem = make_study_problem(1, 12);  // pendula, which are not linear
  const auto plan = planned(problem.job);
  RunChecks checks(plan, one_thread);
  const CheckRule rule{.growth = true, .change_where_unknown = 0.5, .random_inputs = false};
  const double fine_s = plan.job.macro_step.initial_s;
  const auto fine = checks.check(rule, 1, fine_s);
  CHECK(outcome_of(fine, "growth").verdict == Verdict::unknown);
  const auto& change = outcome_of(fine, "change");
  CHECK(change.verdict == Verdict::agrees);
  // First-order extrapolation: the error falls by at least 4 with a quarter of H.
  const auto error = measure_error(plan, plan.configurations[1], fine_s, 1, nullptr, executor);
  REQUIRE(error.nrmse);
  CHECK(*change.value == doctest::Approx(*error.nrmse).epsilon(0.3));
  CHECK(fine.stands());
  const auto strict =
      checks.check({.change = *change.value / 2, .random_inputs = false}, 1, fine_s);
  CHECK_FALSE(strict.stands());
}

TEST_CASE("where growth has no verdict a larger macro-step is compared with a quarter of it") {
  const auto plan = planned(make_study_problem(1, 4).job);
  RunChecks checks(plan, one_thread);
  const double macro_step_s = plan.job.macro_step.initial_s;
  CheckRule rule{.growth = true, .swing_where_unknown = 2};
  const auto wider = checks.check(rule, 1, 1.25 * macro_step_s);
  rule.margin = 1.25;
  const auto checked = checks.check(rule, 1, macro_step_s);
  const auto& swing = outcome_of(checked, "swing");
  REQUIRE(swing.value);
  CHECK(swing.value == outcome_of(wider, "swing").value);
  CHECK(swing.detail.find("at 1.25 H") != std::string::npos);
  CHECK(check_rule(plan.job).margin == 1.25);

  // The rule of a search wants no more of a problem whose growth is known.
  const auto linear = planned(make_study_problem(1, 0).job);
  RunChecks of_linear(linear, one_thread);
  const auto known = of_linear.check(check_rule(linear.job), 0, linear.job.macro_step.initial_s);
  REQUIRE(known.outcomes.size() == 1);
  CHECK(known.outcomes.front().verdict == Verdict::agrees);
}

TEST_CASE("under unseen inputs a run is held against the monolithic solution") {
  const auto plan = planned(make_study_problem(1, 12).job);
  RunChecks checks(plan, one_thread);
  const double fine_s = plan.job.macro_step.initial_s;
  const auto checked = checks.check({.unseen = 1}, 1, fine_s);
  const auto& outcome = outcome_of(checked, "unseen");
  CAPTURE(outcome.detail);
  CHECK(outcome.verdict == Verdict::agrees);
  CHECK(outcome.detail.find("unseen ") != std::string::npos);
  CHECK_FALSE(checks.check({.unseen = *outcome.value / 2}, 1, fine_s).stands());
}

TEST_CASE("random inputs that no run follows go over less of their range, or say nothing") {
  const auto plan = planned(make_study_problem(1, 12).job);
  const double fine_s = plan.job.macro_step.initial_s;
  const CheckRule rule{.growth = true, .swing_where_unknown = 2};
  const auto swing_where_random_runs_end = [&](const std::string& but_those) {
    Executor ending;
    ending.run_trial = [&](const Plan& of, const TrialSettings& run) {
      const auto& name = run.test->name;
      const bool is_random = name.find("random ") != std::string::npos;
      if (is_random && (but_those.empty() || name.find(but_those) == std::string::npos)) {
        return TrialResult{.status = TrialStatus::diverged, .reason = "as in chaos"};
      }
      return run_trial(of, run);
    };
    RunChecks checks(plan, {.executor = ending, .threads = 1});
    return outcome_of(checks.check(rule, 1, fine_s), "swing");
  };
  const auto quarter = swing_where_random_runs_end("× 0.25");
  CHECK(quarter.verdict == Verdict::agrees);
  REQUIRE(quarter.value);
  CHECK(quarter.detail.find("runs follow") == std::string::npos);

  const auto joystick = swing_where_random_runs_end("joystick");
  CHECK(joystick.verdict == Verdict::agrees);
  CHECK(joystick.detail.find("random inputs, the others") != std::string::npos);

  const auto none = swing_where_random_runs_end("");
  CHECK(none.verdict == Verdict::unknown);
  CHECK(none.value);  // of the tests
  CHECK(none.left_out > 0);
  CHECK(none.detail.find("runs follow none of the ") != std::string::npos);
}

TEST_CASE("whether any run follows an input is never asked of the run itself") {
  auto job = make_study_problem(1, 12).job;
  const double macro_step_s = job.macro_step.initial_s;
  job.macro_step.initial_s = 2 * macro_step_s;  // as where a scan has halved it
  const auto plan = planned(job);
  Executor ending;
  ending.run_trial = [&](const Plan& of, const TrialSettings& run) {
    const bool is_random = run.test->name.find("random ") != std::string::npos;
    if (is_random && run.macro_step_s > 0.9 * macro_step_s) {
      return TrialResult{.status = TrialStatus::diverged, .reason = "too large"};
    }
    return run_trial(of, run);
  };
  RunChecks checks(plan, {.executor = ending, .threads = 1});
  const auto run = checks.check(check_rule(job), 1, macro_step_s);
  CHECK_FALSE(run.stands());
  CHECK(outcome_of(run, "swing").verdict == Verdict::objects);
}

TEST_CASE("what nothing moves is not taken for stable, and has no confidence") {
  auto job = make_study_problem(1, 0).job;
  job.stability_check = StabilityCheck::identified;  // the exact analysis sees what stands still
  auto& own = *job.own_problem;
  const auto driven = own;
  const auto second = [](PortName port) {
    port.subsystem += "_2";
    return port;
  };
  for (auto subsystem : driven.subsystems) {
    auto& model = subsystem.state_space;
    for (std::size_t i = model.inputs.size(); i-- > 0;) {
      const PortName port{subsystem.name, model.inputs[i].name};
      if (std::ranges::find(driven.external_inputs, port, &ExternalInput::to) !=
          driven.external_inputs.end()) {
        model.inputs.erase(model.inputs.begin() + static_cast<std::ptrdiff_t>(i));
        model.b = without_column(model.b, static_cast<Eigen::Index>(i));
        model.d = without_column(model.d, static_cast<Eigen::Index>(i));
      }
    }
    subsystem.name += "_2";
    model.x0.setZero();
    job.space.integrators[subsystem.name] = {macrostep::models::Integrator::exact};
    own.subsystems.push_back(std::move(subsystem));
  }
  for (auto connection : driven.connections) {
    connection.from = second(connection.from);
    connection.to = second(connection.to);
    own.connections.push_back(std::move(connection));
  }
  job.substeps.clear();
  const auto plan = planned(job);
  RunChecks checks(plan, one_thread);
  const auto run = checks.check(check_rule(job), 0, job.macro_step.initial_s);
  CHECK(run.stands());
  const auto& growth = outcome_of(run, "growth");
  CAPTURE(growth.detail);
  CHECK(growth.verdict == Verdict::unknown);
  CHECK(growth.detail.find("no jump moves ") == 0);
  CHECK(growth.detail.find("_2.") != std::string::npos);
  const auto& swing = outcome_of(run, "swing");
  CAPTURE(swing.detail);
  CHECK(swing.verdict == Verdict::unknown);
  CHECK(swing.detail.find("nothing moves ") != std::string::npos);
  const auto answer = run_search(plan, {.threads = 1}).analysis.recommendation;
  REQUIRE(answer);
  CHECK_FALSE(answer->confidence);
  CHECK(answer->warnings.front().find("no check tells whether this is stable") == 0);
}

TEST_CASE("where nothing can check the stability a warning says so") {
  const auto first_warning = [](StabilityCheck check, std::uint64_t number) {
    auto job = make_study_problem(1, number).job;
    job.stability_check = check;
    const auto plan = planned(job);
    Recommendation answer;
    answer.macro_step_s = job.macro_step.initial_s;
    const auto warnings = unchecked_warning(plan, answer);
    return warnings.empty() ? std::string() : warnings.front();
  };
  CHECK(first_warning(StabilityCheck::none, 0).find("stability_check is none") !=
        std::string::npos);
  CHECK(first_warning(StabilityCheck::exact, 0).empty());
  CHECK(first_warning(StabilityCheck::exact, 12).find("needs a linear problem") !=
        std::string::npos);
  CHECK(first_warning(StabilityCheck::all, 12).empty());
}

TEST_CASE("inputs of checks have names of their own") {
  auto job = make_study_problem(1, 3).job;
  job.tests.front().name = "random prbs";
  const auto plan = planned(job);
  std::set<std::string> names;
  for (const auto* input : plan.inputs()) {
    CHECK(names.insert(input->name).second);
  }
  CHECK(names.size() > job.tests.size() + 5);
}
