#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/bonds/bond_notices.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/search/run_search.hpp"
#include "engine/stability/stability.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/recommendation/paper_rule.hpp"

using namespace macrostep::engine;
using macrostep::tests::codes_of;
using macrostep::tests::found_notice;
using macrostep::tests::has_notice;
using macrostep::tests::number_of;

namespace {

/// Two extrapolations, one choice of integrators, two tests: curves 0 1 (order 0), 2 3 (order 1).
Plan small_plan() {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
  job.space.integrators = {{"mechanics", {macrostep::models::Integrator::i1al}},
                           {"hydraulics", {macrostep::models::Integrator::forward_euler}}};
  job.tests.resize(2);
  return std::get<Plan>(make_plan(job));
}

Curve curve(std::size_t id, double bend_s, double cost, bool counts = true) {
  Curve curve{.id = id, .key = {id / 2, id % 2}};
  curve.points = {{.macro_step_s = bend_s / 2, .relative_residual = 1e-3, .cost = 2 * cost},
                  {.macro_step_s = bend_s, .relative_residual = 2e-3, .cost = cost}};
  curve.region = {.accepted = 2, .last_s = bend_s, .bend_found = true, .cliff_s = 2 * bend_s};
  curve.usable_s = bend_s;
  curve.counts = counts;
  if (!counts) {
    curve.flags = {"too_few_macro_steps"};
  }
  curve.measured = {.usable_s = bend_s, .counts = counts, .flags = curve.flags};
  return curve;
}

}  // namespace

TEST_CASE("max-min takes the best worst test, the paper's rule the smallest row") {
  // Order 0 bends at 5 and 1 ms, order 1 at 3 and 2 ms. The table's rows are 5 (order 0) and 2
  // (order 1): both rules end at 2 ms, with order 1.
  const auto plan = small_plan();
  const auto answer =
      recommend(plan, {curve(0, 5e-3, 1), curve(1, 1e-3, 1), curve(2, 3e-3, 1), curve(3, 2e-3, 1)});
  CHECK(answer.table[0].macro_step_s == 5e-3);
  CHECK(answer.table[1].macro_step_s == 2e-3);
  REQUIRE(answer.recommendation);
  CHECK(answer.recommendation->configuration == 1);
  CHECK(answer.recommendation->macro_step_s == 2e-3);
  CHECK(answer.recommendation->cliff_s == 4e-3);
  CHECK(answer.recommendation->relative_residual == 2e-3);
  CHECK(answer.paper_rule->configuration == 1);
}

TEST_CASE("the two rules differ where the smallest row's winner fails elsewhere") {
  // Rows: 4 ms (order 0) and 3 ms (order 1). The paper takes order 1 at 3 ms, although it bends at
  // 1 ms in the first test; max-min takes order 0 at 2 ms.
  const auto plan = small_plan();
  const auto answer =
      recommend(plan, {curve(0, 4e-3, 1), curve(1, 2e-3, 1), curve(2, 1e-3, 1), curve(3, 3e-3, 1)});
  CHECK(answer.recommendation->configuration == 0);
  CHECK(answer.recommendation->macro_step_s == 2e-3);
  CHECK(answer.paper_rule->configuration == 1);
  CHECK(answer.paper_rule->macro_step_s == 3e-3);
}

TEST_CASE("what verdicts and checks cut off a curve stays in the table and in the paper's rule") {
  // Order 1 has the larger bends, 4 and 3 ms. Checks leave 0.5 ms of it in both tests.
  const auto plan = small_plan();
  std::vector<Curve> curves{curve(0, 2e-3, 1), curve(1, 1e-3, 1), curve(2, 4e-3, 1),
                            curve(3, 3e-3, 1)};
  for (const std::size_t id : {2, 3}) {
    curves[id].usable_s = 0.5e-3;
    curves[id].flags = {"cut_at_checks"};
  }
  const auto answer = recommend(plan, curves);
  CHECK(answer.recommendation->configuration == 0);
  CHECK(answer.recommendation->macro_step_s == 1e-3);
  CHECK(answer.table[0].macro_step_s == 4e-3);
  CHECK(answer.table[1].macro_step_s == 3e-3);
  CHECK(answer.table[1].flags.empty());
  CHECK(answer.paper_rule->configuration == 1);
  CHECK(answer.paper_rule->macro_step_s == 3e-3);
  // Order 1 is timed at what it may use, which lies below all of its points.
  CHECK(answer.timing_candidates.at(1).macro_steps_s == std::vector<double>{0.5e-3});

  // And where nothing of it may be used.
  for (const std::size_t id : {2, 3}) {
    curves[id].usable_s.reset();
    curves[id].counts = false;
    curves[id].flags = {"rejected_by_checks"};
  }
  CHECK(recommend(plan, curves).paper_rule->macro_step_s == 3e-3);
  CHECK(recommend(plan, curves).paper_rule->cliff_s == 6e-3);
}

TEST_CASE("equal H are ties: lower cost first, then lower order, all reported") {
  const auto plan = small_plan();
  const auto expensive =
      recommend(plan, {curve(0, 2e-3, 9), curve(1, 2e-3, 9), curve(2, 2e-3, 1), curve(3, 2e-3, 1)});
  CHECK(expensive.recommendation->configuration == 1);
  CHECK(expensive.recommendation->ties == std::vector<std::size_t>{0});
  CHECK(expensive.table[0].configurations == std::vector<std::size_t>{1, 0});
  const auto equal =
      recommend(plan, {curve(0, 2e-3, 1), curve(1, 2e-3, 1), curve(2, 2e-3, 1), curve(3, 2e-3, 1)});
  CHECK(equal.recommendation->configuration == 0);
}

TEST_CASE("a curve with too few macro-steps is shown, flagged, and does not count") {
  const auto plan = small_plan();
  const auto answer = recommend(plan, {curve(0, 3e-3, 1), curve(1, 1e-3, 1, false),
                                       curve(2, 2e-3, 1), curve(3, 9e-3, 1, false)});
  CHECK(answer.recommendation->configuration == 0);
  CHECK(answer.recommendation->macro_step_s == 3e-3);
  CHECK(answer.table[1].macro_step_s == 9e-3);
  CHECK(answer.table[1].flags == std::vector<std::string>{"too_few_macro_steps"});
  CHECK(answer.paper_rule->macro_step_s == 3e-3);
}

TEST_CASE("curves that a short test drops are told of, with the duration that lets them count") {
  // Order 0 reaches 30 and 40 ms, but neither test is long enough for it: order 1 wins with 1 ms.
  auto plan = small_plan();
  std::vector<Curve> curves{curve(0, 0.03, 1, false), curve(1, 0.04, 1, false), curve(2, 1e-3, 1),
                            curve(3, 2e-3, 1)};
  curves[0].needed_duration_s = 20 * 0.03;
  curves[1].needed_duration_s = 20 * 0.04;
  const auto& name = plan.job.tests[0].name;
  const auto recommendation = *recommend(plan, curves).recommendation;
  CHECK(recommendation.configuration == 1);
  const auto notices = notices_of_answer(plan, curves, recommendation);
  REQUIRE(codes_of(notices) == std::vector{NoticeCode::tests_too_short});
  CHECK(number_of(notices[0], "configurations") == 1);
  CHECK(sentence(notices[0]).starts_with("the tests are too short for 1 of 2 configurations"));
  CHECK(sentence(notices[0]).find("make test " + name + " (1 s) at least 0.6 s long") !=
        std::string::npos);
  CHECK(codes_of(recommendation.reasons) == std::vector{NoticeCode::largest_linear_step,
                                                        NoticeCode::limited_by_tests,
                                                        NoticeCode::longer_curves_not_counted});
  CHECK(recommendation.reasons[1].subject == name);
  CHECK(recommendation.reasons[2].subject == name);

  curves[0].usable_s = 1e-3;  // it would not have won
  CHECK(notices_of_answer(plan, curves, *recommend(plan, curves).recommendation).empty());
  curves[0].usable_s = 0.03;
  curves[0].counts = true;  // it has its say
  CHECK(recommend(plan, curves).recommendation->configuration == 0);

  curves[0].counts = curves[2].counts = curves[3].counts = false;
  curves[2].flags = curves[3].flags = {"too_few_macro_steps"};
  const auto all_dropped = recommend(plan, curves).reasons;
  CHECK(number_of(found_notice(all_dropped, NoticeCode::all_tests_too_short), "configurations") ==
        2);
}

TEST_CASE("a test of the duration that a search asks for brings the dropped curves back") {
  auto job = macrostep::tests::two_masses();
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.05};
  job.minimum_macro_steps = 200;
  job.stability_check = StabilityCheck::none;  // where rates decide, no test is too short
  const auto curves_of = [&](double duration_s) {
    job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = duration_s}};
    return run_search(std::get<Plan>(make_plan(job)), {}).answer.curves;
  };
  const auto short_test = curves_of(0.5);
  REQUIRE(has_flag(short_test[1], too_few_macro_steps));
  CHECK(short_test[1].needed_duration_s == 200 * *short_test[1].usable_s);
  CHECK_FALSE(has_flag(curves_of(short_test[1].needed_duration_s)[1], too_few_macro_steps));
}

TEST_CASE("a configuration without a linear region in one test is never recommended") {
  const auto plan = small_plan();
  Curve unstable{.id = 1, .key = {0, 1}, .flags = {"no_linear_region"}};
  const auto answer =
      recommend(plan, {curve(0, 9e-3, 1), unstable, curve(2, 1e-3, 1), curve(3, 1e-3, 1)});
  CHECK(answer.recommendation->configuration == 1);
}

TEST_CASE("the warning of accuracy grows with the relative residual, whatever its limit") {
  auto plan = small_plan();
  const auto notices = [&](double relative_residual) {
    return accuracy_warning(
        plan, {.relative_residual = relative_residual, .largest_residual_test = "ramp"});
  };
  for (const auto& [limit, advice] :
       {std::pair(std::optional<double>(), NoticeCode::set_accuracy),
        std::pair(std::optional(1.0), NoticeCode::tighten_residual_limit)}) {
    plan.job.relative_residual_max = limit;
    CHECK(notices(0.009).empty());
    const auto some = notices(0.07);
    REQUIRE(codes_of(some) == std::vector{NoticeCode::residual_notable, advice});
    CHECK(some[0].subject == "ramp");
    CHECK(number_of(some[0], "relative_residual") == 0.07);
    CHECK(sentence(some[0]).starts_with("the residual is 7 % of the energy that the coupling"));
    CHECK(codes_of(notices(0.3)) == std::vector{NoticeCode::residual_not_accurate, advice});
    CHECK(codes_of(notices(1.33)) == std::vector{NoticeCode::residual_useless, advice});
  }
  // The paper's rule asks for no limit: a smaller one would not change its answer.
  const auto of_paper = accuracy_warning(
      plan, {.rule = "paper", .relative_residual = 0.07, .largest_residual_test = "ramp"});
  CHECK(codes_of(of_paper) == std::vector{NoticeCode::residual_notable});
}

TEST_CASE("where the error is known, the warning of accuracy tells it instead of the residual") {
  auto plan = small_plan();
  const auto notices = [&](double relative_residual, double nrmse) {
    return accuracy_warning(plan, {.macro_step_s = 1e-3,
                                   .relative_residual = relative_residual,
                                   .error = MeasuredError{.nrmse = nrmse, .test = "sine"}});
  };
  const auto code = [&](double relative_residual, double nrmse) {
    return notices(relative_residual, nrmse).front().code;
  };
  CHECK(notices(0.5, 0.01).empty());
  CHECK(sentence(notices(0.07, 0.12).front())
            .starts_with("the outputs are off by 12 % of their standard deviation in test sine"));
  CHECK(code(0.07, 0.12) == NoticeCode::outputs_off);
  CHECK(code(0.07, 0.4) == NoticeCode::outputs_not_accurate);
  CHECK(code(0.07, 1.5) == NoticeCode::outputs_useless);
  CHECK(code(0.009, 0.4) == NoticeCode::outputs_off_by_integrators);
  CHECK(code(0.009, 0.12) == NoticeCode::outputs_off);
  for (auto& [group, integrator] : plan.configurations.front().integrators) {
    integrator = macrostep::models::Integrator::exact;  // which has no error of its own
  }
  CHECK(code(0.009, 0.4) == NoticeCode::outputs_not_accurate);
}

TEST_CASE("an error that is said to be the integrators' falls with the micro-steps alone") {
  // Symplectic Euler with h = H gains or loses phase over the 1 % of energy that the coupling is
  // allowed; with micro-steps of a hundredth of H only the coupling's error is left.
  Job job = find_built_in("linear_oscillator")->default_job;
  job.space.couplings = {"displacement_displacement"};
  job.space.extrapolation = {Extrapolation::order_2};
  job.relative_residual_max = 0.01;
  job.stability_check = StabilityCheck::none;  // with exact subsystems every H grows
  const auto answer_of = [](const Job& asked) {
    const auto plan = std::get<Plan>(make_plan(asked));
    return *run_search(plan, {.options = {.measure_error = true}}).answer.recommendation;
  };
  const auto coarse = answer_of(job);
  CHECK(has_notice(coarse.notices, NoticeCode::outputs_off_by_integrators));
  job.micro_steps = {{"m1", coarse.macro_step_s / 100}, {"m2", coarse.macro_step_s / 100}};
  const auto fine = answer_of(job);
  CHECK(fine.macro_step_s == coarse.macro_step_s);
  CHECK(*fine.error->nrmse < *coarse.error->nrmse / 5);
}

TEST_CASE("a cliff nearer than 1.25 H is a warning") {
  const auto plan = small_plan();
  const auto notices = [&](double cliff_s) {
    std::vector<Curve> curves{curve(0, 2e-3, 1), curve(1, 2e-3, 1), curve(2, 1e-3, 1),
                              curve(3, 1e-3, 1)};
    curves[1].region.cliff_s = cliff_s;
    return notices_of_answer(plan, curves, *recommend(plan, curves).recommendation);
  };
  CHECK(notices(2.5e-3).empty());
  CHECK(codes_of(notices(2e-3)) == std::vector{NoticeCode::beyond_cliff});
  const auto near = notices(2.2e-3);
  REQUIRE(codes_of(near) == std::vector{NoticeCode::little_margin});
  CHECK(number_of(near[0], "cliff_s") == 2.2e-3);
  CHECK(sentence(near[0]).find("is at 2.2 ms, only 1.1 times H") != std::string::npos);
}

TEST_CASE("a micro-step longer than the time between exchanges is a warning") {
  auto plan = small_plan();  // hydraulics: at most 0.1 ms
  const auto& configuration = plan.configurations.front();
  CHECK(micro_step_warning(plan, configuration, 2e-4).empty());
  CHECK(micro_step_warning(plan, configuration, 1e-4).empty());
  plan.job.micro_steps = {{"hydraulics", 1e-3}};
  CHECK(micro_step_warning(plan, configuration, 1e-3).empty());
  const auto cut = micro_step_warning(plan, configuration, 2e-4);
  REQUIRE(cut.size() == 2);  // a notice for each of both cylinders
  CHECK(cut[0] == Notice{.code = NoticeCode::micro_step_cut,
                         .subject = "hydraulics_1",
                         .numbers = {{"micro_step_s", 1e-3}, {"interval_s", 2e-4}}});
  CHECK(sentence(cut[0]) ==
        "the micro-step of hydraulics_1, 1 ms, is longer than the time between two exchanges and "
        "is cut to 0.2 ms");
  auto halved = configuration;
  halved.substeps = {{"hydraulics_2", 2}};
  const auto of_one = micro_step_warning(plan, halved, 1e-3);
  REQUIRE(of_one.size() == 1);
  CHECK(of_one[0].subject == "hydraulics_2");
  CHECK(number_of(of_one[0], "interval_s") == 5e-4);
}

TEST_CASE("a curve says whether the scan or the limit on the residual ended it") {
  // E grows like H², the relative residual with it from 1e-4 at 0.2 ms on: 1 % at 2 ms.
  auto plan = small_plan();
  plan.job.macro_step = {.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 4e-3};
  const auto finished = [&] {
    CurveScan scan(plan, 0);
    for (auto h = scan.next(); h; h = scan.next()) {
      const double residual_j = 2500 * *h * *h;
      scan.add({.residual_j = residual_j, .transmitted_j = 1});
    }
    StabilityVerdicts verdicts(plan);
    return finish_curve(plan, 0, scan, verdicts);
  };
  const auto whole = finished();
  CHECK(whole.usable_s == 4e-3);
  CHECK(whole.flags == std::vector<std::string>{"bend_not_reached"});
  plan.job.relative_residual_max = 0.0101;
  const auto cut = finished();
  CHECK(cut.usable_s == 2e-3);
  CHECK(cut.flags == std::vector<std::string>{"cut_at_relative_residual"});
}

TEST_CASE("people are told the H that was tried, not the maximum of the scan") {
  // From 0.2 ms on by factors of 1.25, the last below 4 ms is 0.2 · 1.25¹³ = 3.638 ms.
  auto plan = small_plan();
  plan.job.macro_step = {.initial_s = 2e-4, .increment_s = 0, .maximum_s = 4e-3};
  plan.job.linear_region.scan = ScanKind::geometric;
  StabilityVerdicts verdicts(plan);
  std::vector<Curve> curves;
  for (std::size_t id = 0; id < plan.curves.size(); ++id) {
    CurveScan scan(plan, id);
    for (auto h = scan.next(); h; h = scan.next()) {
      scan.add({.residual_j = *h * *h, .transmitted_j = 1});
    }
    curves.push_back(finish_curve(plan, id, scan, verdicts));
  }
  const auto answer = recommend(plan, curves);
  REQUIRE(answer.recommendation);
  CHECK(*answer.recommendation->largest_tried_s / (2e-4 * std::pow(1.25, 13)) ==
        doctest::Approx(1).epsilon(1e-9));
  const auto notices = notices_of_answer(plan, answer.curves, *answer.recommendation);
  REQUIRE(codes_of(notices) == std::vector{NoticeCode::linear_to_largest_tried});
  CHECK(notices[0].subject == plan.job.tests[0].name + ", " + plan.job.tests[1].name);
  CHECK(number_of(notices[0], "macro_step_s") == *answer.recommendation->largest_tried_s);
  CHECK(sentence(notices[0]).find("tried, 3.63 ms: step") != std::string::npos);
}

TEST_CASE("connections that no power bond watches are a warning") {
  auto plan = small_plan();
  plan.problem.couplings[0].power_bonds.pop_back();
  const auto answer =
      recommend(plan, {curve(0, 2e-3, 1), curve(1, 2e-3, 1), curve(2, 1e-3, 1), curve(3, 1e-3, 1)});
  const auto warnings = notices_of_answer(plan, answer.curves, *answer.recommendation);
  CHECK(found_notice(warnings, NoticeCode::unwatched_connections)
            .subject.find("hydraulics_2.f → mechanics.f_2") != std::string::npos);
}

TEST_CASE("an H that the exact analysis calls unstable is not recommended, however fine the scan") {
  // A line that is fitted anew from point to point follows slow growth: the bend lies beyond.
  auto job = macrostep::tests::by_residual(macrostep::tests::two_masses());
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 4}};
  job.space.extrapolation = {Extrapolation::order_3};
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 0.05};
  const auto plan = std::get<Plan>(make_plan(job));
  const auto answer = run_search(plan, {}).answer;
  REQUIRE(answer.recommendation);
  const double h = answer.recommendation->macro_step_s;
  const double limit_s = macrostep::tests::limit_of(plan, answer.recommendation->configuration);
  CHECK(h <= limit_s / 1.1);
  CHECK(h >= 0.9 * limit_s / 1.1);
  REQUIRE(answer.recommendation->bend_s);
  CHECK(h < *answer.recommendation->bend_s);
  CHECK(has_flag(answer.curves[0], cut_at_stability_limit));
  // The table is of what was measured, and the paper's rule tells that this H is unstable.
  CHECK_FALSE(has_flag(answer.table[0], cut_at_stability_limit));
  CHECK(*answer.table[0].macro_step_s > limit_s);
  CHECK(verified_for_all(answer.table[0]) == h);
  REQUIRE(answer.paper_rule);
  CHECK(answer.paper_rule->macro_step_s == *answer.table[0].macro_step_s);
  CHECK_FALSE(answer.paper_rule->is_verified());
  CHECK(has_notice(answer.paper_rule->notices, NoticeCode::unstable_by_exact_analysis));
  CHECK(has_notice(answer.recommendation->notices, NoticeCode::larger_steps_unstable));
}

TEST_CASE("a problem that grows by itself is recommended with a warning") {
  auto job = macrostep::tests::two_masses();
  job.own_problem->subsystems[1].state_space.a(1, 1) = 2;  // its damper pushes: e⁴ in 4 s
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 4}};
  job.space.extrapolation = {Extrapolation::order_2};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.02};
  const auto plan = std::get<Plan>(make_plan(job));
  const auto answer = run_search(plan, {}).answer;
  REQUIRE(answer.recommendation);
  const auto grows = found_notice(answer.recommendation->notices, NoticeCode::problem_grows);
  const double doubles_every_s = std::log(2) / number_of(grows, "rate_per_s");
  CHECK(doubles_every_s > 0.7);
  CHECK(doubles_every_s < 0.8);
  CHECK(sentence(grows).starts_with("the problem itself grows: its exact solution doubles every "));
}

TEST_CASE("a problem that blows up by itself is told of, after three trials of a curve") {
  auto job = macrostep::tests::two_masses();
  job.own_problem->subsystems[1].state_space.a(1, 0) = 1000;  // a spring that pushes: e^31 in 1 s
  const auto plan = std::get<Plan>(make_plan(job));
  const auto result = run_search(plan, {});
  CHECK_FALSE(result.answer.recommendation);
  CHECK(result.answer.reasons.back().code == NoticeCode::problem_grows);
  CHECK(result.cost.trials == 3 * plan.curves.size());
}

TEST_CASE("a factor of another size than the units of a power is a warning") {
  auto own = *macrostep::tests::two_masses().own_problem;
  const auto warnings = [&](double factor, const char* flow_unit) {
    own.power_bonds[0].factor = factor;
    own.subsystems[1].state_space.outputs[1].unit = flow_unit;
    own.subsystems[0].state_space.inputs[2].unit = flow_unit;
    return bond_factor_warning(std::get<Problem>(build_own_problem(own)).couplings[0]);
  };
  CHECK(warnings(1, "m/s").empty());
  CHECK(warnings(-1e-3, "mm/s").empty());  // the sign is the user's
  const auto wrong = warnings(1, "mm/s");  // N mm/s is 1e-3 W
  REQUIRE(wrong.size() == 1);
  CHECK(sentence(wrong[0]).starts_with(
      "the factor of power bond m1.f × m2.v is 1, although the units of effort "
      "and flow make 0.001 W"));
  CHECK(warnings(5, "kg").empty());  // no power by its units: the factor alone knows
}

TEST_CASE("where the coupling adds more energy than it transmits, the linear region is over") {
  auto plan = small_plan();
  plan.job.macro_step = {.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 4e-3};
  CurveScan scan(plan, 0);
  for (auto h = scan.next(); h; h = scan.next()) {
    scan.add({.residual_j = 250000 * *h * *h, .transmitted_j = 1});  // 1 at 2 ms
  }
  StabilityVerdicts verdicts(plan);
  const auto curve = finish_curve(plan, 0, scan, verdicts);
  CHECK(curve.usable_s == 2e-3);
  CHECK(curve.flags == std::vector<std::string>{"cut_at_transmitted_energy"});
}
