// GET /metrics: the format of Prometheus, and that what is counted is what happened.
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "server/ops/metrics_text.hpp"
#include "server/respond/renewed.hpp"
#include "tests/server/api/api_fixture.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

struct Family {
  std::string type;
  std::map<std::string, double> samples;  // by name and labels as they stand
};

/// Reads the text as strictly as the format has it.
std::map<std::string, Family> families_of(const std::string& text) {
  static const std::regex help(R"(# HELP ([a-z_]+) \S.*)");
  static const std::regex type(R"(# TYPE ([a-z_]+) (counter|gauge|histogram))");
  static const std::string label = R"re([a-z_]+="(?:[^"\\\n]|\\["\\n])*")re";
  static const std::regex sample("([a-z_]+)((?:\\{" + label + "(?:," + label + ")*\\})?) (\\S+)");
  std::map<std::string, Family> families;
  std::string current;
  CHECK(text.ends_with('\n'));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    std::smatch match;
    if (std::regex_match(line, match, help)) {
      current = match[1];
      CHECK_FALSE(families.contains(current));
    } else if (std::regex_match(line, match, type)) {
      CHECK(match[1] == current);
      families[current].type = match[2];
      CHECK((match[2] == "counter") == current.ends_with("_total"));
    } else {
      REQUIRE(std::regex_match(line, match, sample));
      const std::string name = match[1];
      auto& family = families[current];
      const std::string suffix = name.substr(std::min(current.size(), name.size()));
      CHECK(name.starts_with(current));
      CHECK((family.type == "histogram"
                 ? suffix == "_bucket" || suffix == "_sum" || suffix == "_count"
                 : suffix.empty()));
      CHECK(family.samples.emplace(name + match[2].str(), std::stod(match[3])).second);
    }
  }
  return families;
}

server::Gauges some_gauges() {
  return {.version = "0.1 \"x\\y\"\n",
          .build_id = "ab",
          .connections = 3,
          .event_streams = 2,
          .queue_length = 1,
          .database_bytes = 4096,
          .wal_bytes = 0,
          .fmu_store_bytes = 7,
          .process = server::process_figures()};
}

TEST_CASE("metrics are text of the format of Prometheus, whatever the labels hold") {
  server::Metrics metrics;
  metrics.count_request("/api/v1/searches/{id}", "GET", 200, 0.004);
  metrics.count_request("/api/v1/searches/{id}", "GET", 404, 0.001);
  metrics.count_request("/api/v1/searches/{id}", "GET", 200, 100);
  metrics.count_request("none", "BREW\"\n", 400, 0);
  const auto families = families_of(server::metrics_text(metrics.counts(), some_gauges()));
  const auto& requests = families.at("macrostep_http_requests_total").samples;
  const std::string labels = R"({route="/api/v1/searches/{id}",method="GET",status=")";
  CHECK(requests.at("macrostep_http_requests_total" + labels + "2xx\"}") == 2);
  CHECK(requests.at("macrostep_http_requests_total" + labels + "4xx\"}") == 1);
  CHECK(requests.contains(
      R"(macrostep_http_requests_total{route="none",method="other",status="4xx"})"));
  CHECK(families.at("macrostep_build_info")
            .samples.contains(R"(macrostep_build_info{version="0.1 \"x\\y\"\n",build_id="ab"})"));
  CHECK(families.at("macrostep_http_connections").samples.at("macrostep_http_connections") == 3);
}

TEST_CASE("every method that a route has is counted under its own name") {
  const Api api;
  server::Metrics metrics;
  for (const auto& route : api.router().routes()) {
    metrics.count_request(route.pattern, route.method, 200, 0);
  }
  const auto counts = metrics.counts();
  CHECK(counts.requests.size() == api.router().routes().size());
  for (const auto& [key, count] : counts.requests) {
    CHECK_MESSAGE(key.method != "other", key.route);
  }
}

TEST_CASE("a histogram counts what is at most its bounds, and everything in the last one") {
  server::Metrics metrics;
  for (const double bound : server::request_duration_bounds_s) {
    metrics.count_request("/", "GET", 200, bound);
  }
  metrics.count_request("/", "GET", 200, 1000);
  const auto histogram = families_of(server::metrics_text(metrics.counts(), some_gauges()))
                             .at("macrostep_http_request_duration_seconds");
  CHECK(histogram.type == "histogram");
  const std::string name = "macrostep_http_request_duration_seconds";
  double expected = 0;
  for (const char* bound : {"0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25",
                            "0.5", "1", "2.5", "5", "10", "+Inf"}) {
    CAPTURE(bound);
    CHECK(histogram.samples.at(name + R"(_bucket{route="/",method="GET",le=")" + bound + "\"}") ==
          ++expected);
  }
  CHECK(histogram.samples.at(name + R"(_count{route="/",method="GET"})") == expected);
  CHECK(histogram.samples.at(name + R"(_sum{route="/",method="GET"})") ==
        doctest::Approx(1019.4435));
}

TEST_CASE("what the kernel tells of this process is there") {
  const auto figures = server::process_figures();
  REQUIRE(figures.start_time_s.has_value());
  // Between the start of this century's second quarter and now.
  CHECK(*figures.start_time_s > 1.7e9);
  CHECK(*figures.start_time_s <= static_cast<double>(time(nullptr)) + 1);
  CHECK(figures.resident_bytes.value() > 1'000'000);
  CHECK(figures.open_descriptors.value() >= 3);
  const auto before = figures.children.value();
  {
    Child child({"60"}, "", "sleep");
    CHECK(server::process_figures().children.value() == before + 1);
    child.signal(SIGKILL);
    child.wait();
  }
  CHECK(server::process_figures().children.value() == before);
}

TEST_CASE("a value that is costly to find is found once in its time, by one who asks") {
  using server::Renewed;
  using namespace std::chrono_literals;
  Renewed<int>::Clock::time_point now{};
  std::atomic<int> found = 0;
  std::atomic<bool> may_end = true;
  Renewed<int> value(
      10s,
      [&] {
        const int number = ++found;
        eventually([&] { return may_end.load(); });
        return number;
      },
      [&] { return now; });
  CHECK(value.get() == 1);
  now += 9999ms;
  CHECK(value.get() == 1);
  now += 1ms;
  may_end = false;
  std::thread finder([&] { CHECK(value.get() == 2); });
  CHECK(eventually([&] { return found == 2; }));
  CHECK(value.get() == 1);  // does not wait, and does not find it, too
  CHECK(found == 2);
  may_end = true;
  finder.join();
  CHECK(value.get() == 2);
  CHECK(found == 2);
}

TEST_CASE("scrapes that follow each other walk through the directories once") {
  const Api api;
  const auto workers = [&] {
    return families_of(api.call("GET", "/metrics").body)
        .at("macrostep_worker_processes")
        .samples.at("macrostep_worker_processes");
  };
  api.service.planner().no_foreign_code();  // the try of the sandbox is a child, too
  const auto before = workers();
  Child child({"60"}, "", "sleep");
  CHECK(server::process_figures().children.value() == before + 1);
  CHECK(workers() == before);
  child.signal(SIGKILL);
  child.wait();
}

TEST_CASE("trials and ends of searches are counted when they are stored") {
  const Api api;
  const auto families = [&] { return families_of(api.call("GET", "/metrics").body); };
  const auto before = families();
  CHECK(before.at("macrostep_trials_total").samples.size() == 8);
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto search = api.get("/api/v1/searches/" + id);
  const auto after = families();
  double trials = 0;
  for (const auto& [name, count] : after.at("macrostep_trials_total").samples) {
    trials += count;
  }
  CHECK(trials == search.at("cost").at("trials"));
  CHECK(after.at("macrostep_rhs_evaluations_total").samples.at("macrostep_rhs_evaluations_total") ==
        search.at("cost").at("rhs_evaluations"));
  // The end is stored a moment before it is counted.
  CHECK(eventually([&] {
    return families()
               .at("macrostep_searches_ended_total")
               .samples.at(R"(macrostep_searches_ended_total{status="succeeded"})") == 1;
  }));
  CHECK(after.at("macrostep_database_file_bytes").samples.begin()->second > 0);
  CHECK(*api.call("GET", "/metrics").header("content-type") ==
        "text/plain; version=0.0.4; charset=utf-8");
}

TEST_CASE("server/README.md lists exactly the metrics there are") {
  const Api api;
  std::set<std::string> real;
  for (const auto& [name, family] : families_of(api.call("GET", "/metrics").body)) {
    real.insert(name);
  }
  std::ifstream file(MACROSTEP_SOURCE_DIR "/server/README.md");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto begin = text.find("<!-- metrics -->");
  const auto end = text.find("<!-- end of metrics -->");
  REQUIRE(begin < end);
  text = text.substr(begin, end - begin);
  static const std::regex row(R"(\n\| `([a-z_]+)` \|)");
  std::set<std::string> documented;
  for (std::sregex_iterator match(text.begin(), text.end(), row), last; match != last; ++match) {
    documented.insert((*match)[1]);
  }
  CHECK(documented == real);
}

TEST_CASE("requests are counted by their route's pattern, however many paths clients make up") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"));
  const auto port = server.wait_until_ready();
  for (int i = 0; i < 20; ++i) {
    server.ask("GET /nowhere/" + std::to_string(i));
    server.ask("GET /api/v1/searches/" + std::to_string(i));
  }
  server.ask("BREW /api/v1/searches/1");
  RawClient stream(port);
  stream.send(request_text(port, "GET /api/v1/events"));
  stream.read_until("\r\n\r\n");
  std::string metrics;
  // A request is counted when its answer has been sent; at its start the server tries its sandbox.
  CHECK(eventually([&] {
    const auto response = server.ask("GET /metrics");
    metrics = response.substr(response.find("\r\n\r\n") + 4);
    return metrics.find("method=\"other\"") != std::string::npos &&
           metrics.find("searches/{id}\",method=\"GET\",status=\"4xx\"} 20\n") !=
               std::string::npos &&
           metrics.find("macrostep_worker_processes 0\n") != std::string::npos;
  }));
  const auto families = families_of(metrics);
  const auto& requests = families.at("macrostep_http_requests_total").samples;
  const auto counted = [&](const std::string& route, const std::string& method) {
    const auto at = requests.find("macrostep_http_requests_total{route=\"" + route +
                                  "\",method=\"" + method + "\",status=\"4xx\"}");
    return at == requests.end() ? 0 : at->second;
  };
  CHECK(counted("none", "GET") == 20);
  CHECK(counted("/api/v1/searches/{id}", "GET") == 20);
  CHECK(counted("/api/v1/searches/{id}", "other") == 1);
  CHECK(families.at("macrostep_event_streams").samples.at("macrostep_event_streams") == 1);
  CHECK(families.at("macrostep_http_connections").samples.at("macrostep_http_connections") >= 2);
  CHECK(families.at("macrostep_worker_processes").samples.at("macrostep_worker_processes") == 0);
}

/// Fetched by docker/install-deps.sh --tests, or the machine's own; empty without one.
std::string promtool() {
  std::vector<std::string> directories{MACROSTEP_SOURCE_DIR "/build/tools"};
  std::istringstream path(getenv("PATH") == nullptr ? "" : getenv("PATH"));
  for (std::string directory; std::getline(path, directory, ':');) {
    directories.push_back(directory);
  }
  for (const auto& directory : directories) {
    if (access((directory + "/promtool").c_str(), X_OK) == 0) {
      return directory + "/promtool";
    }
  }
  return "";
}

TEST_CASE("promtool finds nothing wrong with the metrics") {
  const std::string program = promtool();
  if (program.empty()) {
    std::puts("skipped: promtool finds nothing wrong with the metrics: there is no promtool here");
    return;
  }
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  server::Metrics metrics;
  metrics.count_request("/", "GET", 200, 0.1);
  for (const auto& text :
       {api.call("GET", "/metrics").body, server::metrics_text(metrics.counts(), some_gauges())}) {
    const auto outcome = Child({"check", "metrics"}, text, program).wait();
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    CHECK_MESSAGE(outcome.err.empty(), outcome.err);
  }
}

}  // namespace
}  // namespace macrostep::tests
