// What the API takes to answer from a large file: two thousand searches with a million trials,
// while a search runs. Handlers are called without sockets. MACROSTEP_BENCH_SEARCHES makes it
// smaller.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/api/frame/application.hpp"
#include "server/api/routes.hpp"

namespace macrostep::bench {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t curves_per_search = 25;
constexpr std::int64_t points_per_curve = 20;
constexpr int answers = 500;

int searches_wanted() {
  const char* text = std::getenv("MACROSTEP_BENCH_SEARCHES");
  return text == nullptr ? 2000 : std::max(1, std::atoi(text));
}

std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string search_id(int number) {
  return "bench" + padded(number, 11);
}

/// A second later with every search, from the first of the year on.
std::string time_of(int number) {
  return "2025-01-01T" + padded(number / 3600 % 24, 2) + ":" + padded(number / 60 % 60, 2) + ":" +
         padded(number % 60, 2) + ".000Z";
}

std::vector<db::ConfigurationRow> configurations() {
  std::vector<db::ConfigurationRow> rows;
  for (std::int64_t id = 0; id < curves_per_search; ++id) {
    const std::string order = std::to_string(id % 5);
    const std::string integrators = R"({"mechanics":"i1al","hydraulics":"forward_euler"})";
    rows.push_back(
        {.id = id,
         .coupling = "force_displacement",
         .scheme = "jacobi",
         .extrapolation = order,
         .integrators = integrators,
         .json = R"({"coupling":"force_displacement","scheme":"jacobi","extrapolation":")" + order +
                 R"(","integrators":)" + integrators + R"(,"substeps":{},"correction":"none"})"});
  }
  return rows;
}

std::vector<db::CurveRow> curves() {
  std::vector<db::CurveRow> rows;
  for (std::int64_t id = 0; id < curves_per_search; ++id) {
    rows.push_back({.id = id,
                    .configuration_id = id,
                    .test = "step",
                    .bend_s = 1.8e-3,
                    .cliff_s = 2.4e-3,
                    .slope = 2,
                    .fit_coefficient = 1e4,
                    .fit_exponent = 2,
                    .reason = "residual beyond the tolerance",
                    .weighted_rhs_evaluations = 1e6,
                    .counts = true});
  }
  return rows;
}

std::vector<db::TrialRow> trials() {
  std::vector<db::TrialRow> rows;
  for (std::int64_t id = 0; id < curves_per_search * points_per_curve; ++id) {
    const double macro_step_s = 1e-4 * static_cast<double>(id / curves_per_search + 1);
    rows.push_back({.id = id,
                    .curve_id = id % curves_per_search,
                    .point = id / curves_per_search,
                    .macro_step_s = macro_step_s,
                    .status = "complete",
                    .residual_J = 1e4 * macro_step_s * macro_step_s,
                    .startup_residual_J = 1.23456789e-6,
                    .relative_residual = 1.23456789e-5,
                    .transmitted_J = 1234.56789,
                    .bond_residuals_J = "[0.00123456789,0.00234567891]",
                    .macro_steps = 5000,
                    .rhs_evaluations = 20000,
                    .cost = 60000,
                    .wall_s = 0.00123});
  }
  return rows;
}

void fill(db::Store& store, int searches) {
  const auto trial_rows = trials();
  const std::string recommendation =
      R"({"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":)"
      R"({"mechanics":"i1al","hydraulics":"forward_euler"},"substeps":{},"correction":"none",)"
      R"("macro_step_s":0.0018,"rule":"max_min","confidence":null,"warnings":["stable only"],)"
      R"("reason":"largest smallest bend","sentence":"Use extrapolation 2 with H = 1.8 ms."})";
  db::SearchEnd end{
      .status = "succeeded",
      .complete = true,
      .curves = curves(),
      .recommendations = {{.configuration_id = 2, .macro_step_s = 1.8e-3, .json = recommendation}},
      .table = R"([{"test":"step","configurations":[],"macro_step_s":0.0018,"flags":[]}])",
      .progress = {.curves_done = curves_per_search,
                   .curves_total = curves_per_search,
                   .trials_done = curves_per_search * points_per_curve},
      .cost = {.trials = curves_per_search * points_per_curve,
               .rhs_evaluations = 10'000'000,
               .wall_s = 0.6}};
  for (auto& curve : end.curves) {
    curve.linear_up_to_s = trial_rows[9].macro_step_s;
  }
  for (int i = 0; i < searches; ++i) {
    const std::string id = search_id(i);
    store.create_search({.id = id,
                         .name = "crane " + std::to_string(i),
                         .problem = i % 2 == 0 ? "double_actuator_crane" : "coupled_pendula",
                         .created_at = time_of(i),
                         .linear_region_rule = "local_power_law",
                         .plan = R"({"kind":"search","problem":"double_actuator_crane"})",
                         .provenance = R"({"version":"0.1.0"})",
                         .curves_total = curves_per_search,
                         .tags = {i % 10 == 0 ? "rig" : "desk", "all"}},
                        {{.name = "status"}});
    store.start_search(
        id, {.started_at = time_of(i), .configurations = configurations(), .curves = curves()});
    store.append_results(id, {.trials = trial_rows, .progress = end.progress},
                         {{.name = "points"}});
    end.finished_at = time_of(i);
    store.finish_search(id, end, {{.name = "finished"}});
  }
}

/// A server without its sockets over a file that goes away with it.
class LargeServer {
 public:
  LargeServer() : directory_(make_directory()), store_(directory_ / "store.db") {
    fill(store_, searches_wanted());
    store_.checkpoint();
    service_.start();
    // It runs for minutes, on one processor, and its results come in all the time.
    Json job = small_job();
    job["search"]["macro_step"] = {
        {"initial_s", 5e-5}, {"increment_s", 1e-7}, {"maximum_s", 0.002}};
    call("POST", "/api/v1/searches", job.dump());
  }
  ~LargeServer() {
    service_.stop();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  LargeServer(const LargeServer&) = delete;
  LargeServer& operator=(const LargeServer&) = delete;

  static Json small_job() {
    return {{"problem", "single_actuator_crane"},
            {"search",
             {{"extrapolation", {"1", "2"}},
              {"integrators", {{"mechanics", {"i1al"}}, {"hydraulics", {"forward_euler"}}}}}},
            {"tests", {{{"name", "step"}, {"kind", "step"}, {"duration_s", 1}}}}};
  }

  std::size_t call(const std::string& method, const std::string& target,
                   const std::string& body = "") const {
    const server::http::Request request{.method = method,
                                        .target = server::http::parse_target(target).value(),
                                        .headers = {},
                                        .body = body,
                                        .id = "bench",
                                        .captures = {}};
    const auto response = router_.handle(request, router_.find(request));
    if (response.status >= 300) {
      throw std::runtime_error(method + " " + target + ": " + response.body);
    }
    return response.body.size();
  }

  std::int64_t full_scan_steps() const { return store_.full_scan_steps(); }

 private:
  static std::filesystem::path make_directory() {
    std::string pattern = std::filesystem::temp_directory_path() / "macrostep_bench_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no directory for the store");
    }
    return pattern;
  }

  std::filesystem::path directory_;
  server::Log log_{server::Log::Form::silent};
  db::Store store_;
  server::FmuStore fmus_{store_, server::fmu_directory_of(directory_ / "store.db")};
  server::SearchService service_{store_, log_, {.threads = 1, .max_queued = 100'000}};
  server::Access access_;
  server::TrialReplay replay_{store_, log_, {}, fmus_.source()};
  server::Metrics metrics_;
  server::Application application_{store_,   service_, replay_, fmus_,
                                   metrics_, log_,     access_, directory_ / "store.db"};
  server::http::Router router_ = server::make_router(application_);
};

std::unique_ptr<LargeServer> the_server;

/// The times of single calls: their median, 99 % and worst, in milliseconds.
void measure(benchmark::State& state, const std::function<std::size_t(int)>& call) {
  std::vector<double> times_ms;
  std::size_t bytes = 0;
  int count = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    bytes = call(count++);
    times_ms.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::ranges::sort(times_ms);
  const auto share = [&](double part) {
    const auto last = static_cast<double>(times_ms.size() - 1);
    return times_ms[static_cast<std::size_t>(part * last)];
  };
  state.counters["p50_ms"] = share(0.5);
  state.counters["p99_ms"] = share(0.99);
  state.counters["worst_ms"] = times_ms.back();
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["scanned_rows"] = static_cast<double>(the_server->full_scan_steps());
}

void get(benchmark::State& state, const std::string& target) {
  measure(state, [&](int) { return the_server->call("GET", target); });
}

void one_search(benchmark::State& state, const std::string& below) {
  const int searches = searches_wanted();
  measure(state, [&](int count) {
    return the_server->call("GET", "/api/v1/searches/" + search_id(count * 7 % searches) + below);
  });
}

void post_search(benchmark::State& state) {
  measure(state, [&](int count) {
    Json job = LargeServer::small_job();
    job["name"] = "submitted " + std::to_string(count);
    job["tags"] = {"rig"};
    job["priority"] = count % 5;
    return the_server->call("POST", "/api/v1/searches", job.dump());
  });
}

void add(const char* name, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name, run)
      ->Iterations(answers)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace
}  // namespace macrostep::bench

int main(int argc, char** argv) {
  using namespace macrostep::bench;
  benchmark::Initialize(&argc, argv);
  the_server = std::make_unique<LargeServer>();
  const std::string list = "/api/v1/searches?";
  const auto add_get = [&](const char* name, const std::string& target) {
    add(name, [target](benchmark::State& state) { get(state, target); });
  };
  add_get("list/newest", list + "limit=50");
  add_get("list/thousand", list + "limit=1000");
  add_get("list/tag", list + "tag=rig&limit=50");
  add_get("list/statuses", list + "status=succeeded,failed&problem=coupled_pendula&limit=50");
  add_get("list/by_name", list + "sort=name&limit=50");
  add_get("list/by_end", list + "sort=-finished_at&limit=50");
  add_get("list/name_not_found", list + "name=no+such&limit=50");
  add("search", [](benchmark::State& state) { one_search(state, ""); });
  add("search/curves", [](benchmark::State& state) { one_search(state, "/curves"); });
  add("search/trials", [](benchmark::State& state) { one_search(state, "/trials?limit=100"); });
  add("POST", post_search);
  add_get("list/newest_of_queued", list + "limit=50");
  benchmark::RunSpecifiedBenchmarks();
  the_server.reset();
  benchmark::Shutdown();
  return 0;
}
