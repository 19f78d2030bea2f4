#include "engine/verification/comparisons.hpp"

#include <doctest/doctest.h>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/verification/run_checks.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/verification/one_thread.hpp"

using namespace macrostep::engine;
using macrostep::tests::found_notice;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

TEST_CASE("a run that ends once in many hundred seconds does so in a lasting input") {
  // Springs that harden: beyond some amplitude, which random steps reach now and then, the held
  // coupling adds more energy than the dampers take.
  auto job = find_built_in("nonlinear_oscillator")->default_job;
  job.parameters = {{"m1.m", 0.354416},
                    {"m2.m", 5.45407},
                    {"m1.k", 148.71},
                    {"m2.k", 275.534},
                    {"coupling.k_c", 17.4229},
                    {"m1.x0", 0},
                    {"m2.x0", 0},
                    {"m1.v0", 0},
                    {"m2.v0", 1.66333},
                    {"m1.n_s", 2.55726},
                    {"m1.n_d", 1.57728},
                    {"m2.n_s", 2.12451},
                    {"m2.n_d", 1.40255},
                    {"coupling.n_s", 2.57354},
                    {"coupling.n_d", 1.09894},
                    {"m1.c", 0.207377},
                    {"m2.c", 0.522677},
                    {"coupling.c_c", 0.0803343}};
  job.space.couplings = {"displacement_displacement"};
  job.space.extrapolation = {Extrapolation::order_0};
  const auto plan = planned(job);
  Comparisons comparisons(plan, performed_by(plan, one_thread));
  Completion completion(plan, performed_by(plan, one_thread));
  double cost = 0;
  using Run = Comparisons::Run;
  const Run small(0, 0.01), large(0, 0.024);
  const auto ended = completion.of_lasting(large, cost);
  CHECK(ended.verdict == Verdict::objects);
  const auto why = found_notice(ended.findings, NoticeCode::incomplete_where_smaller_completes);
  CHECK(why.subject.starts_with("lasting "));
  CHECK(why.detail.starts_with("diverged: "));
  CHECK(completion.of_lasting(small, cost).verdict == Verdict::agrees);
  CHECK(comparisons.compare_long(small, 2, cost).verdict == Verdict::agrees);
  CHECK(comparisons.compare_long(large, 2, cost).verdict == Verdict::objects);
  // H and H with the margin must complete, whichever of them is compared.
  RunChecks checks(plan, performed_by(plan, one_thread));
  auto rule = check_rule(plan.job);
  rule.change.reset();
  rule.unseen.reset();
  rule.margin = 2.4;
  const auto checked = checks.check(rule, 0, small.second);
  CHECK(!checked.passes());
  CHECK(checked.outcomes.back().findings.front().detail.starts_with("diverged: "));
}

TEST_CASE("a motion that loses its damping shows under the sine of its frequency") {
  // By runs outside the engine the force swings 2.2 times as far as with an eighth of H under a
  // sine of 27.8 Hz, and 1.9 times at 25.7 Hz; no random input comes near that.
  auto job = find_built_in("single_actuator_crane")->default_job;
  job.parameters = {{"mechanics.m", 134.8623},         {"mechanics.m_p", 150.9693},
                    {"mechanics.m_h", 116.5550},       {"hydraulics.k_d", 7214187.876},
                    {"hydraulics.c_d", 5447.068},      {"hydraulics.rho", 1031.11},
                    {"hydraulics.B_o", 1.091574e9},    {"hydraulics.B_c", 1.988781e10},
                    {"hydraulics.B_h", 1.437469e8},    {"hydraulics.V_h1", 3.570306e-05},
                    {"hydraulics.V_h2", 7.097170e-05}, {"hydraulics.V_h3", 4.864823e-05},
                    {"hydraulics.c", 108636.4},        {"hydraulics.d_t", 0.008144943},
                    {"hydraulics.C_v", 5.664741e-9},   {"hydraulics.f_45", 39.73384}};
  using macrostep::models::Integrator;
  job.space.extrapolation = {Extrapolation::i2};
  job.space.integrators = {{"hydraulics", {Integrator::forward_euler}},
                           {"mechanics", {Integrator::i1al}}};
  const auto plan = planned(job);
  Comparisons comparisons(plan, performed_by(plan, one_thread));
  double cost = 0;
  const auto large = comparisons.compare_long({0, 1.8e-3}, 2, cost);
  CHECK(large.verdict == Verdict::objects);
  CHECK(large.findings.front().subject.starts_with("sine of "));
  CHECK(comparisons.compare_long({0, 1.25e-3}, 2, cost).verdict == Verdict::agrees);
}

TEST_CASE("what no test is long enough for shows in a long motion or a lasting input") {
  // Without any input the pendula of hold gain 130 J within 100 s, while a sixteenth of H loses
  // energy for 3000 s; with order 1 they calm down for 3000 s at this H, but under a sine of
  // 0.3 Hz they swing much farther at 1.25 H than at an eighth of that.
  auto job = find_built_in("coupled_pendula")->default_job;
  job.parameters = {{"m1.m", 0.485},     {"m2.m", 4.49},         {"m1.l", 2.51},
                    {"m2.l", 1.87},      {"m1.theta", 0.836},    {"m2.theta", -0.931},
                    {"coupling.k_c", 2}, {"coupling.c_c", 0.152}};
  job.space.couplings = {"force_displacement"};
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
  job.accuracy.reset();
  const auto plan = macrostep::tests::planned(job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  auto rule = check_rule(plan.job);
  const double macro_step_s = 0.108420217249;
  const auto held = checks.check(rule, 0, macro_step_s);
  CHECK(!held.passes());
  CHECK(held.outcomes.back().findings.front().subject.starts_with("long "));
  const auto driven = checks.check(rule, 1, macro_step_s);
  CHECK(!driven.passes());
  CHECK(driven.outcomes.back().findings.front().subject.starts_with("sine of "));
  CHECK(driven.outcomes.back().value.value_or(0) > 2.5);
  CHECK(checks.check(rule, 1, 0.3 * macro_step_s).passes());
  rule.long_motions = false;
  CHECK(checks.check(rule, 0, macro_step_s).passes());
}
