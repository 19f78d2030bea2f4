// Searches of many kinds whose records come in any order, from any number of threads or chunks, or
// from the store: what is told of them is the same, byte for byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "server/batch/search_task_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/exact_json.hpp"
#include "server/store/stored_rows.hpp"
#include "tests/batch/told_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;

namespace {

using Random = std::mt19937;

template <class T>
T one_of(Random& random, const std::vector<T>& list) {
  return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
}

/// The first test of a built-in problem, with axes, scans and checks by chance.
engine::Plan drawn_plan(Random& random, const engine::BuiltInProblem& problem) {
  using nlohmann::json;
  const json job{
      {"problem", problem.name},
      {"search",
       {{"extrapolation", one_of<json>(random, {{"0"}, {"1"}, {"0", "1"}, {"2"}})},
        {"linear_region",
         {{"scan", one_of<json>(random, {"adaptive", "arithmetic", "geometric", "adaptive"})}}},
        {"stability_check", one_of<json>(random, {"all", "identified", "exact", "none"})},
        {"accuracy", one_of<json>(random, {nullptr, 0.2})},
        {"validate_unseen", one_of<json>(random, {false, true})}}}};
  auto read = server::json::read_job(job);
  auto& asked = read.job;
  asked.tests.resize(1);
  auto plan = engine::make_plan(asked);
  REQUIRE_MESSAGE(std::holds_alternative<engine::Plan>(plan), job.dump());
  MESSAGE(job.dump());
  return std::get<engine::Plan>(std::move(plan));
}

/// What one run has made of a search.
struct Made {
  Records records;
  std::map<std::string, engine::TaskResult> tasks;  ///< by JSON
};

/// Asks and tells, with what is made in that order; what is missing is made.
std::string told_in_order(const engine::Plan& plan, Made& made, Random* order) {
  engine::Search search(plan);
  auto records = made.records;
  if (order) {
    std::ranges::shuffle(records, *order);
  }
  for (const auto& record : records) {
    search.add(record);
  }
  for (auto wanted = search.wanted(); !wanted.is_nothing(); wanted = search.wanted()) {
    REQUIRE(wanted.trials.empty());
    std::vector<std::size_t> places(wanted.tasks.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (order) {
      std::ranges::shuffle(places, *order);
    }
    for (const std::size_t place : places) {
      const auto& task = wanted.tasks[place];
      const auto name = server::search_task_json(task).dump();
      if (!made.tasks.contains(name)) {
        const std::vector<engine::Task> one{task};
        made.tasks.emplace(name, perform(plan, one, {engine::this_process(), 2}).front());
      }
      search.add(place, made.tasks.at(name));
    }
  }
  return told(plan, search.result(), made.records);
}

std::string on_threads(const engine::Plan& plan, int threads, Records stored, Records& records) {
  records = stored;
  const auto result = engine::run_search(
      plan, {.threads = threads,
             .on_result = [&](const auto& record, const auto&) { records.push_back(record); },
             .stored = stored});
  return told(plan, result, records);
}

/// As it comes back from a database.
Records through_rows(const Records& records) {
  Records back;
  for (const auto& record : records) {
    back.push_back(server::trial_record(server::trial_row(record, 0)));
  }
  return back;
}

void check_all_ways(const engine::Plan& plan, Random& random) {
  Made made;
  const auto wanted = on_threads(plan, 1, {}, made.records);
  Records records;
  for (const int threads : {2, 16}) {
    CHECK(on_threads(plan, threads, {}, records) == wanted);
  }
  CHECK(told_in_order(plan, made, nullptr) == wanted);
  for (int n = 0; n < 100; ++n) {
    CHECK(told_in_order(plan, made, &random) == wanted);
  }
  Made stored{.records = through_rows(made.records), .tasks = made.tasks};
  CHECK(told_in_order(plan, stored, nullptr) == wanted);
  for (int n = 0; n < 20; ++n) {  // interrupted after any trial
    const auto kept = std::uniform_int_distribution<std::size_t>(0, made.records.size())(random);
    Made rest = made;
    std::ranges::rotate(rest.records, rest.records.begin() + static_cast<std::ptrdiff_t>(kept));
    CHECK(told_in_order(plan, rest, nullptr) == wanted);
  }
  for (const double chunk_s : {a_curve_each, 0.02, 1e3}) {
    const Scratch scratch;
    FakeSystem fake;
    CHECK(in_chunks(plan, fake, scratch.file("chunks"), chunk_s) == wanted);
  }
}

}  // namespace

TEST_SUITE("slow") {
  TEST_CASE("a search is the same, byte for byte, whoever runs it and in whatever order") {
    Random random(39);
    for (const auto& problem : engine::catalogue()) {
      CAPTURE(problem.name);
      check_all_ways(drawn_plan(random, problem), random);
    }
    for (int n = 0; n < 30; ++n) {
      CAPTURE(n);
      const auto all = engine::catalogue();
      const auto& problem =
          all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
      CAPTURE(problem.name);
      check_all_ways(drawn_plan(random, problem), random);
    }
  }
}
