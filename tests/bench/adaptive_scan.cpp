// How many right-hand sides an adaptive scan evaluates beside scans by the fixed increment of the
// same grid, for the default job of every built-in problem; prints the rows of a table.
//
//   to maximum_s   every point of the grid of each curve
//   to the bend    each curve to the first point beyond its linear region
//   arithmetic     each curve to its cliff; itself from one start: where tests that begin alike
//                  share their beginnings, as they do in the adaptive scan
//   line           the points that say where the line is, and what came before them
//
// Arguments: the share of its own increment that each job is given instead (1), and the problem to
// run alone (all of them).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <variant>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/cosim/residual.hpp"
#include "engine/search/run_search.hpp"

namespace {

using namespace macrostep::engine;

constexpr double most_points = 1e4;  ///< of a grid

Plan plan_by(ScanKind scan, const BuiltInProblem& problem, double share) {
  Job job = problem.default_job;
  job.macro_step.initial_s *= share;
  job.macro_step.increment_s *= share;
  job.linear_region = {.rule = Rule::baseline_power_law, .scan = scan};
  job.linear_region.points = usual_points(job.linear_region.rule);
  return std::get<Plan>(make_plan(job));
}

struct Scanned {
  SearchResult result;
  std::vector<TrialRecord> records;

  /// Right-hand sides of all trials, each run alone.
  double evaluations() const { return static_cast<double>(result.cost.rhs_evaluations); }
  /// Without those that tests of one beginning share.
  double made() const {
    return evaluations() - static_cast<double>(result.cost.shared_evaluations);
  }
};

Scanned scan(const Plan& plan) {
  Scanned scanned;
  scanned.result = run_search(plan, {.on_result = [&](const TrialRecord& record, const auto&) {
                                scanned.records.push_back(record);
                              }});
  return scanned;
}

/// Right-hand sides of the grid from where the arithmetic scan ended to the largest H that the test
/// allows.
double evaluations_beyond(const Plan& plan, const std::vector<Curve>& curves) {
  std::vector<double> of_curve(curves.size());
  for_each_index(curves.size(), 0, [&](std::size_t i) {
    const auto& points = curves[i].points;
    if (points.size() < 2) {
      return;
    }
    const auto& configuration = plan.configurations[curves[i].key.configuration];
    const auto& test = plan.job.tests[curves[i].key.test];
    const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
    const double largest_s =
        std::min(plan.job.macro_step.maximum_s, test.duration_s / static_cast<double>(needed));
    const double increment_s = points[1].macro_step_s - points[0].macro_step_s;
    const double left = std::floor((largest_s - points.back().macro_step_s) / increment_s);
    for (int k = 1; k <= std::min(left, most_points); ++k) {
      const auto result =
          run_trial(plan, {.configuration = &configuration,
                           .test = &test,
                           .macro_step_s = points.back().macro_step_s + k * increment_s});
      of_curve[i] += static_cast<double>(result.rhs_evaluations);
    }
  });
  double sum = 0;
  for (const double one : of_curve) {
    sum += one;
  }
  return sum;
}

void print_row(const BuiltInProblem& problem, double share) {
  const auto plan = plan_by(ScanKind::arithmetic, problem, share);
  const auto arithmetic = scan(plan);
  const auto adaptive = scan(plan_by(ScanKind::adaptive, problem, share));
  const auto& curves = arithmetic.result.answer.curves;
  double to_bend = 0;
  double line = 0;
  for (const auto& record : arithmetic.records) {
    const auto& curve = curves[record.curve];
    const auto beyond = std::ranges::find_if(curve.points, [&](const CurvePoint& point) {
      return point.macro_step_s > curve.region.last_s.value_or(0);
    });
    const bool past_bend = beyond != curve.points.end() && curve.region.last_s &&
                           record.macro_step_s > beyond->macro_step_s;
    const auto evaluations = static_cast<double>(record.result.rhs_evaluations);
    to_bend += past_bend ? 0 : evaluations;
    const auto points = static_cast<std::size_t>(plan.job.linear_region.points);
    const bool of_line = curve.points.size() <= points ||
                         record.macro_step_s <= curve.points[points - 1].macro_step_s;
    line += of_line && !past_bend ? evaluations : 0;
  }
  const double to_maximum = arithmetic.evaluations() + evaluations_beyond(plan, curves);
  std::size_t longer = 0;
  for (const auto& curve : adaptive.result.answer.curves) {
    longer += curve.region.last_s != curves[curve.id].region.last_s ? 1 : 0;
  }
  const auto& by_all = arithmetic.result.answer.recommendation;
  const auto& by_few = adaptive.result.answer.recommendation;
  const bool same = by_all.has_value() == by_few.has_value() &&
                    (!by_all || (by_all->configuration == by_few->configuration &&
                                 by_all->macro_step_s == by_few->macro_step_s));
  std::printf("| `%s` | %zu | %zu | %.2f | %.2f | %.2f | %.2f | %.2f | %s | %zu of %zu |\n",
              problem.name.c_str(), arithmetic.records.size(), adaptive.records.size(),
              adaptive.made() / to_maximum, adaptive.made() / to_bend,
              adaptive.made() / arithmetic.evaluations(),
              arithmetic.made() / arithmetic.evaluations(), line / arithmetic.evaluations(),
              same ? "same" : "another", longer, curves.size());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const double share = argc > 1 ? std::atof(argv[1]) : 1;
  if (!(share > 0 && share <= 1) || (argc > 2 && !find_built_in(argv[2]))) {
    std::fputs("usage: bench_adaptive_scan [SHARE, greater than 0, at most 1 [PROBLEM]]\n", stderr);
    return 2;
  }
  std::puts(
      "| problem | trials, arithmetic | adaptive | right-hand sides of the scan to maximum_s "
      "| to the bend | arithmetic | itself from one start | of that the line | recommendation "
      "| bends too late |");
  std::puts("|---|--:|--:|--:|--:|--:|--:|--:|---|--:|");
  for (const auto& problem : catalogue()) {
    if (argc <= 2 || problem.name == argv[2]) {
      print_row(problem, share);
    }
  }
}
