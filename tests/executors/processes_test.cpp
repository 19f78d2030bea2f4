// The program with FMUs: what is left of its workers when it ends, in whatever way.
#include "tests/executors/processes.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/process/private_directory.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

using namespace macrostep::tests;
using Json = nlohmann::json;

namespace {

std::string archive(const std::string& name) {
  return std::string(MACROSTEP_TEST_FMUS) + "/" + name + ".fmu";
}

/// Two coupled masses; from 0.5 s on the second one does what `what` says (tests/fmus/README.md).
Json job(const std::string& first, const std::string& second, int what) {
  return {{"problem",
           {{"subsystems",
             {{{"name", "m1"}, {"fmu", first}},
              {{"name", "m2"}, {"fmu", second}, {"parameters", {{"what", what}, {"when", 0.5}}}}}},
            {"connections",
             {{{"from", "m2.x"}, {"to", "m1.x_in"}},
              {{"from", "m2.v"}, {"to", "m1.v_in"}},
              {{"from", "m1.f"}, {"to", "m2.f"}}}},
            {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}}}}}},
          {"search",
           {{"extrapolation", {"0", "1"}},
            {"integrators", {{"m1", {"fmu"}}, {"m2", {"fmu"}}}},
            {"macro_step", {{"initial_s", 1e-3}, {"increment_s", 1e-3}, {"maximum_s", 0.02}}}}},
          {"tests",
           {{{"name", "short"}, {"kind", "none"}, {"duration_s", 0.4}},
            {{"name", "long"}, {"kind", "none"}, {"duration_s", 0.6}}}}};
}

constexpr int crashes = 1;
constexpr int hangs = 4;
constexpr int deaf = 19;

/// The caches and temporary files of programs started here, in one place.
class Surroundings {
 public:
  Surroundings() {
    std::filesystem::create_directory(temporary());
    ::setenv("XDG_CACHE_HOME", scratch_.file("cache").c_str(), 1);
    ::setenv("TMPDIR", temporary().c_str(), 1);
  }
  ~Surroundings() {
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("TMPDIR");
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  std::string temporary() const { return scratch_.file("temporary"); }
  std::string write(const std::string& name, const Json& json) const {
    return scratch_.write(name, json.dump());
  }
  std::string file(const std::string& name) const { return scratch_.file(name); }

 private:
  Scratch scratch_;
};

/// The linear oscillator, of FMUs.
Json oscillator(const std::string& spring_mass, const std::string& mass) {
  auto whole = job(archive(spring_mass), archive(mass), 0);
  whole["problem"]["subsystems"][1].erase("parameters");
  whole["search"].erase("integrators");
  return whole;
}

/// The last line of CSV as numbers.
std::vector<double> last_row(const std::string& csv) {
  std::istringstream lines(csv);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    last = line;
  }
  std::istringstream cells(last);
  std::vector<double> row;
  for (std::string cell; std::getline(cells, cell, ',');) {
    row.push_back(std::stod(cell));
  }
  return row;
}

std::string job_file(const Surroundings& surroundings, int what) {
  return surroundings.write("job.json",
                            job(archive("spring_mass2"), archive("misbehaving2"), what));
}

std::string usual_sandbox() {
  return usable().sandbox == macrostep::server::SandboxMode::none ? "none" : "bubblewrap";
}

/// `search` in its trials that hang.
std::unique_ptr<Child> hanging_search(const std::string& file, const std::string& sandbox) {
  auto child = std::make_unique<Child>(std::vector<std::string>{
      "search", file, "--json", "--fmu-step-timeout", "100", "--fmu-sandbox", sandbox});
  REQUIRE(eventually([] { return workers().size() >= 2; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return child;
}

}  // namespace

TEST_CASE("nothing is left of a search that is killed while its FMUs hang") {
  for (const auto& sandbox : {usual_sandbox(), std::string("none")}) {
    for (const int what : {hangs, deaf}) {
      CAPTURE(sandbox);
      const Surroundings surroundings;
      const auto child = hanging_search(job_file(surroundings, what), sandbox);
      const auto started = descendants();
      child->signal(SIGKILL);
      CHECK(child->wait().code == 128 + SIGKILL);
      CHECK(eventually([&] {
        const auto running = running_processes();
        return std::ranges::none_of(started,
                                    [&](pid_t process) { return running.contains(process); });
      }));
      // The next worker without a sandbox removes what the killed one worked in.
      macrostep::server::remove_stale_directories();
      for (const auto& entry : std::filesystem::directory_iterator(surroundings.temporary())) {
        CHECK_FALSE(entry.path().filename().string().starts_with("macrostep-worker-"));
      }
    }
  }
}

TEST_CASE("nothing is left of a search that is ended while its sandbox starts") {
  if (lacks_sandbox("end a search while its sandbox starts")) {
    return;
  }
  const Surroundings surroundings;
  const auto file = job_file(surroundings, 0);
  REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);  // what is left becomes a child of the tests
  for (const int signal : {SIGKILL, SIGINT}) {
    for (int i = 0; i < 60; ++i) {
      Child search({"search", file, "--json"});
      std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
      search.signal(signal);
      CHECK(search.wait().code == 128 + signal);
      REQUIRE(eventually([] { return descendants().empty(); }));
    }
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("Ctrl-C ends a search whose FMUs hang, with the best so far") {
  const Surroundings surroundings;
  const auto child = hanging_search(job_file(surroundings, hangs), usual_sandbox());
  const auto asked = std::chrono::steady_clock::now();
  child->signal(SIGINT);
  const auto outcome = child->wait();
  CHECK(std::chrono::steady_clock::now() - asked < std::chrono::seconds(50));  // its timeout: 100 s
  CHECK(outcome.code == 130);
  const auto result = Json::parse(outcome.out);
  CHECK(result.at("complete") == false);
  CHECK(workers().empty());
}

TEST_CASE("run tells how an FMU ended, and exits with 1") {
  if (sanitized || lacks_sandbox("run with an FMU that crashes")) {
    return;
  }
  const Surroundings surroundings;
  const auto file = job_file(surroundings, crashes);
  const auto bad = run_program(
      {"run", file, "--macro-step", "0.001", "--extrapolation", "0", "--test", "long", "--json"});
  CHECK(bad.code == 1);
  CHECK(Json::parse(bad.out).at("status") == "crashed");
  CHECK(Json::parse(bad.out).at("reason") == "FMU 'm2': segmentation fault (SIGSEGV) at 0.5 s");
  const auto text =
      run_program({"run", file, "--macro-step", "0.001", "--extrapolation", "0", "--test", "long"});
  CHECK(text.out.find("An FMU crashed: FMU 'm2': segmentation fault") != std::string::npos);
  const auto good = run_program({"run", file, "--macro-step", "0.001", "--extrapolation", "0",
                                 "--csv", surroundings.file("out.csv")});
  CHECK(good.code == 0);
  std::ifstream csv(surroundings.file("out.csv"));
  std::string line;
  int lines = 0;
  while (std::getline(csv, line)) {
    ++lines;
  }
  CHECK(lines == 1 + 401);
}

TEST_CASE("reference solves FMUs for model exchange in a worker, as the oscillator that they are") {
  const Surroundings surroundings;
  const auto solve = [&](const std::string& of) {
    return run_program({"reference", of, "--interval", "0.1", "--until", "0.4", "--test",
                        of == "linear_oscillator" ? "none" : "short", "--fmu-sandbox",
                        usual_sandbox()});
  };
  const auto fmus =
      solve(surroundings.write("exchange.json", oscillator("spring_mass2", "mass_exchange3")));
  REQUIRE_MESSAGE(fmus.code == 0, fmus.err);
  CHECK(fmus.out.starts_with("t,m1.x,m1.v,m1.f,m2.x,m2.v,m2.a\n0,"));
  const auto found = last_row(fmus.out);
  const auto native = solve("linear_oscillator");
  const auto exact = last_row(native.out);
  REQUIRE(found.size() == 7);
  CHECK(found[0] == 0.4);
  for (const auto& name :
       {std::pair("m1.x", 1), std::pair("m1.v", 2), std::pair("m2.x", 4), std::pair("m2.v", 5)}) {
    std::istringstream header(native.out.substr(0, native.out.find('\n')));
    std::size_t column = 0;
    for (std::string cell; std::getline(header, cell, ',') && cell != name.first;) {
      ++column;
    }
    REQUIRE(column < exact.size());
    CHECK(found[static_cast<std::size_t>(name.second)] ==
          doctest::Approx(exact[column]).epsilon(1e-6));
  }
  const auto hidden =
      solve(surroundings.write("plain.json", oscillator("spring_mass_plain2", "mass2")));
  CHECK(hidden.code == 1);
  CHECK(hidden.err.find("the equations of subsystem 'm1' are not known: its FMU offers "
                        "co-simulation") != std::string::npos);
  CHECK(hidden.out.empty());
}

TEST_CASE("without bubblewrap a search with FMUs fails with the way out, and takes it") {
  if (lacks_sandbox("search without bubblewrap")) {
    return;
  }
  const Surroundings surroundings;
  const auto file = job_file(surroundings, 0);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const auto refused = run_program({"search", file});
  const auto free = run_program({"search", file, "--fmu-sandbox", "none", "--json"});
  ::setenv("PATH", path.c_str(), 1);
  CHECK(refused.code == 1);
  CHECK(refused.err.find("--fmu-sandbox=none") != std::string::npos);
  CHECK(free.code == 0);
  const auto sandboxed = run_program({"search", file, "--json"});
  CHECK(Json::parse(free.out).at("curves") == Json::parse(sandboxed.out).at("curves"));
}

TEST_CASE("a search that verifies FMUs has a worker per thread, and needs few descriptors" *
          doctest::test_suite("slow")) {
  const Surroundings surroundings;
  auto verified = oscillator("spring_mass2", "mass2");
  verified["search"]["accuracy"] = 0.05;
  verified["tests"][1]["duration_s"] = 3;
  const auto file = surroundings.write("verified.json", verified);
  constexpr int threads = 2;
  rlimit all{};
  ::getrlimit(RLIMIT_NOFILE, &all);
  const rlimit few{.rlim_cur = 128, .rlim_max = all.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  Child search({"search", file, "--json", "--threads", std::to_string(threads), "--fmu-sandbox",
                usual_sandbox()});
  ::setrlimit(RLIMIT_NOFILE, &all);
  std::size_t most = 0;
  std::jthread watch([&](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      most = std::max(most, workers().size());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  const auto outcome = search.wait();
  watch.request_stop();
  watch.join();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  const auto result = Json::parse(outcome.out);
  CHECK(result.at("complete") == true);
  CHECK_FALSE(result.at("recommendation").at("checks").empty());
  CHECK(most >= 1);
  CHECK(most <= threads + 1);  // one more while a worker takes the place of another
}

TEST_CASE("a worker that a person starts says who starts it") {
  ::Child worker({}, "", MACROSTEP_WORKER);
  const auto outcome = worker.wait();
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find("which starts it by itself") != std::string::npos);
}

TEST_CASE("options of FMUs are checked by their names") {
  const auto told = [](const std::string& option, const std::string& value) {
    const auto outcome = run_program({"search", "linear_oscillator", option, value});
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK(told("--fmu-sandbox", "docker").find("must be bubblewrap or none") != std::string::npos);
  CHECK(told("--fmu-step-timeout", "0").find("positive number of seconds") != std::string::npos);
  CHECK(told("--fmu-step-timeout", "1e7").find("number of seconds up to 1000000, not \"1e7\"") !=
        std::string::npos);
  CHECK(told("--fmu-memory", "10").find("a whole number from 200") != std::string::npos);
  CHECK(told("--fmu-trials-per-worker", "0").find("a whole number from 1") != std::string::npos);
}

TEST_CASE("a server goes on past FMUs that crash and hang, and leaves nothing behind") {
  if (sanitized || lacks_sandbox("a server with FMUs")) {
    return;
  }
  const Surroundings surroundings;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", surroundings.file("server.db"),
                       "--fmu-step-timeout", "1"},
                      surroundings.file("log"));
  const auto port = server.wait_until_ready();
  const auto upload = [&](const std::string& name) {
    std::ostringstream bytes;
    bytes << std::ifstream(archive(name), std::ios::binary).rdbuf();
    ApiClient client(port);
    client.send(request_text(port, "POST /api/v1/fmus",
                             "Content-Type: application/octet-stream\r\n", bytes.str()));
    const auto response = client.read_response();
    return Json::parse(response.substr(response.find("\r\n\r\n") + 4))
        .at("sha256")
        .get<std::string>();
  };
  const auto first = upload("spring_mass2");
  const auto second = upload("misbehaving2");
  for (const int what : {crashes, hangs}) {
    const auto id = server.json("POST /api/v1/searches", job(first, second, what).dump())
                        .at("id")
                        .get<std::string>();
    Json found;
    CHECK(eventually([&] {
      found = server.json("GET /api/v1/searches/" + id);
      return found.at("status") != "queued" && found.at("status") != "running";
    }));
    CHECK(found.at("status") == "succeeded");
    const auto trials = server.json("GET /api/v1/searches/" + id + "/trials?limit=500").dump();
    CHECK(trials.find(what == crashes
                          ? "segmentation fault (SIGSEGV) at 0.5 s"
                          : "a macro-step took more than 1 s at 0.5 s") != std::string::npos);
  }
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
  CHECK(descendants().empty());
}
