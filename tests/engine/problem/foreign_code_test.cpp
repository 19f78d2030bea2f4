#include "engine/problem/foreign_code.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "engine/plan/plan_fmus.hpp"
#include "engine/reference/reference.hpp"
#include "engine/search/run_search.hpp"
#include "engine/trial/event_phases.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
namespace models = macrostep::models;

namespace {

constexpr std::int64_t failing_step = 5;

/// Where a subsystem of foreign code says that it failed.
enum class FailsIn { start, step, outputs };

/// Works like another subsystem until it fails.
class Failing final : public models::Subsystem {
 public:
  Failing(std::unique_ptr<models::Subsystem> inner, FailsIn where)
      : inner_(std::move(inner)), where_(where) {}

  const models::Description& describe() const override { return inner_->describe(); }
  void start(double time_s, std::span<const models::ExternalSignal> externals) override {
    if (where_ == FailsIn::start) {
      throw models::SubsystemFailed("the start said no");
    }
    inner_->start(time_s, externals);
  }
  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    if (where_ == FailsIn::outputs && steps_ == failing_step) {
      throw models::SubsystemFailed("the outputs said no");
    }
    inner_->outputs(time_s, u, y);
  }
  models::StepResult step(const models::MacroStep& macro,
                          const models::InputModel& input) override {
    if (where_ == FailsIn::step && steps_ == failing_step) {
      reason_ = "step " + std::to_string(steps_) + " said no";
      return {.status = models::StepStatus::subsystem_failed, .reason = reason_.c_str()};
    }
    ++steps_;
    return inner_->step(macro, input);
  }
  std::optional<std::span<double>> state() override { return inner_->state(); }
  bool linearise(double time_s, std::span<const double> u, models::Linearisation& into) override {
    return inner_->linearise(time_s, u, into);
  }
  void save(models::SavedState& into) override { inner_->save(into); }
  void restore(const models::SavedState& saved) override { inner_->restore(saved); }

 private:
  std::unique_ptr<models::Subsystem> inner_;
  FailsIn where_;
  std::int64_t steps_ = 0;
  std::string reason_;
};

/// Two masses, the second of which counts as foreign code.
Plan plan_with_foreign_code() {
  auto plan = std::get<Plan>(make_plan(macrostep::tests::two_masses()));
  plan.problem.couplings[0].subsystems[1].foreign_code = true;
  return plan;
}

Plan failing_in(FailsIn where) {
  auto plan = plan_with_foreign_code();
  auto& make = plan.problem.couplings[0].subsystems[1].make;
  make = [inner = make, where](models::Integrator integrator, std::optional<double> micro_step_s) {
    return std::make_unique<Failing>(inner(integrator, micro_step_s), where);
  };
  return plan;
}

TrialResult run(const Plan& plan, std::atomic<std::int64_t>* progress = nullptr) {
  return run_trial(plan, {.configuration = &plan.configurations.front(),
                          .test = &plan.job.tests.front(),
                          .macro_step_s = 1e-3,
                          .until_s = 0.02,
                          .progress = progress});
}

}  // namespace

TEST_CASE("foreign code that fails ends its trial with its reason and the time") {
  const auto start = run(failing_in(FailsIn::start));
  CHECK(start.status == TrialStatus::fmu_error);
  CHECK(start.reason == "the start said no at 0 s");
  CHECK(start.macro_steps == 0);

  const auto step = run(failing_in(FailsIn::step));
  CHECK(step.status == TrialStatus::fmu_error);
  CHECK(step.reason == "step 5 said no at 0.005 s");
  CHECK(step.macro_steps == failing_step);
  CHECK(step.final_time_s == 5e-3);

  const auto outputs = run(failing_in(FailsIn::outputs));
  CHECK(outputs.status == TrialStatus::fmu_error);
  CHECK(outputs.reason.starts_with("the outputs said no at 0.00"));
}

TEST_CASE("every status has a name that is read back") {
  for (int i = 0; i <= static_cast<int>(TrialStatus::unsupported); ++i) {
    const auto status = static_cast<TrialStatus>(i);
    CHECK(trial_status_from(to_string(status)) == status);
  }
}

TEST_CASE("the progress of a trial is one for its start and one for every macro-step") {
  std::atomic<std::int64_t> progress = 0;
  const auto complete = run(plan_with_foreign_code(), &progress);
  CHECK(complete.status == TrialStatus::complete);
  CHECK(progress == 1 + 20);
  progress = 0;
  run(failing_in(FailsIn::step), &progress);
  CHECK(progress == 1 + failing_step);
}

TEST_CASE("a process without permission finds no solution of foreign code, but plans it") {
  const auto plan = plan_with_foreign_code();
  CHECK(has_foreign_code(plan));
  CHECK_FALSE(may_run_here(plan.problem.couplings[0]));
  const auto made = Reference::make(plan, plan.configurations.front(), plan.job.tests.front());
  REQUIRE(std::holds_alternative<std::string>(made));
  CHECK(std::get<std::string>(made) == "an FMU may not run in this process");
}

TEST_CASE("a search asks its backend for every trial and for the error of the answer" *
          doctest::test_suite("slow")) {
  const auto plan = plan_with_foreign_code();
  struct Counting final : TrialBackend {
    mutable std::atomic<std::size_t> trials = 0;
    mutable std::atomic<int> errors = 0;

    Measured perform(const Plan& given, const Measurement& measurement,
                     const RunControl& control) const override {
      if (std::holds_alternative<MeasureError>(measurement)) {
        ++errors;
        return MeasuredError{.nrmse = 0.25};
      }
      ++trials;
      return TrialBackend::perform(given, measurement, control);
    }
  };
  const Counting backend;
  const SearchSettings settings{
      .threads = 1, .options = {.measure_error = true}, .backend = &backend};
  const auto elsewhere = run_search(plan, settings);
  REQUIRE(elsewhere.answer.recommendation);
  CHECK(backend.trials > elsewhere.cost.trials);  // the others are checks
  CHECK_FALSE(elsewhere.answer.recommendation->checks.empty());
  std::size_t runs = 0;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    runs += runs_of_trial(plan, test);
  }
  CHECK(backend.errors == static_cast<int>(runs));
  CHECK(elsewhere.answer.recommendation->error->nrmse == 0.25);
}

TEST_CASE("a curve keeps the reason of foreign code that failed at its bend") {
  const auto plan = plan_with_foreign_code();
  CurveScan scan(plan, 0);
  for (auto h = scan.next(); h; h = scan.next()) {
    TrialResult result{.residual_j = *h, .transmitted_j = 1};
    if (*h > 1.5e-3) {
      result.status = TrialStatus::crashed;
      result.reason = "segmentation fault";
    }
    scan.add(result);
  }
  CHECK(scan.region().bend_found);
  CHECK(scan.region().cliff_s == 1.6e-3);
  CHECK(scan.region().reason() == "at H = 1.6 ms the trial crashed in an FMU: segmentation fault");
}

TEST_CASE("no smaller macro-step is tried where the first already takes too long") {
  const auto plan = plan_with_foreign_code();
  CurveScan scan(plan, 0);
  REQUIRE(scan.next());
  scan.add({.status = TrialStatus::timed_out, .reason = "no end of a macro-step for 10 s"});
  CHECK_FALSE(scan.next());
  CHECK(scan.region().reason().find("took too long: no end of a macro-step") != std::string::npos);
}
