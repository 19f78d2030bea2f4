// Searches of a server whose chunks run on a batch system: here programs, one for each chunk.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_fmus.hpp"
#include "tests/server/cli/serve/serve_process.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

const std::string batch_searches = "/api/v1/searches";

server::BatchOffer slurm_with_templates() {
  return {.executor = "slurm", .folder = "/nowhere", .templates = {{"long", {"--time=600"}}}};
}

/// The pointers of the mistakes that are found in a job with this executor.
Json mistakes(const Api& api, const Json& executor) {
  Json job = small_job();
  job["executor"] = executor;
  const auto answer =
      api.json("POST", batch_searches + "?dry_run=true", 422, job.dump()).at("errors");
  Json pointers = Json::array();
  for (const auto& error : answer) {
    pointers.push_back(error.at("pointer"));
  }
  return pointers;
}

/// Every chunk is a curve, and they run one after the other.
ServeProcess serve_chunks(const TemporaryDirectory& directory, const char* log) {
  return ServeProcess({"--listen", "127.0.0.1:0", "--threads", "1", "--db", directory.file(),
                       "--executor", "command", "--chunk-folder", directory.file("chunks"),
                       "--fmu-sandbox", "none", "--chunk-minutes", "1e-9", "--chunk-template",
                       "slow={program} run-chunk --manifest {manifest} --out {out} --threads 1"},
                      directory.file(log));
}

/// Some tenths of a second for each of its six curves.
Json chunked_job() {
  Json job = small_job();
  job["search"]["extrapolation"] = {"0", "1", "2"};
  job["search"]["stability_check"] = "none";  // the dear part, which is not in chunks
  job["micro_steps"] = {{"hydraulics", 2e-6}};
  job["tests"].push_back({{"name", "ramp"}, {"kind", "ramp"}, {"duration_s", 1}});
  return job;
}

std::string submit_to(const ServeProcess& server, const Json& job) {
  return server.json("POST " + batch_searches, job.dump()).at("id");
}

Json search_of(const ServeProcess& server, const std::string& id) {
  return server.json("GET " + batch_searches + "/" + id);
}

bool ends_as(const ServeProcess& server, const std::string& id, const std::string& status) {
  return eventually([&] { return search_of(server, id).at("status") == status; });
}

bool has_chunks_done(const ServeProcess& server, const std::string& id) {
  return eventually([&] {
    const auto batch = search_of(server, id).at("batch");
    return !batch.is_null() && batch.at("chunks").at("done") >= 1;
  });
}

Json result_of(const ServeProcess& server, const std::string& id) {
  return essence(search_of(server, id),
                 server.json("GET " + batch_searches + "/" + id + "/curves"));
}

TEST_CASE("a job names an executor and a template that the server has, or is refused") {
  const Api api({.threads = 1, .batch = slurm_with_templates()});
  CHECK(api.get("/api/v1/executors") ==
        Json::parse(R"({"default": "slurm", "executors": [{"name": "local", "templates": []},
                        {"name": "slurm", "templates": ["long"]}]})"));
  CHECK(mistakes(api, {{"name", "command"}}) == Json{"/executor/name"});
  CHECK(mistakes(api, {{"name", "slurm"}, {"template", "lonk"}}) == Json{"/executor/template"});
  CHECK(mistakes(api, {{"name", "local"}, {"template", "long"}}) == Json{"/executor/template"});
  CHECK(mistakes(api, {{"name", "slurm"}, {"options", "--time=1"}}) == Json{"/executor/options"});
  CHECK(mistakes(api, {{"template", "long"}}) == Json{"/executor"});
  CHECK(mistakes(api, "slurm") == Json{"/executor"});
  Json job = small_job();
  job["executor"] = {{"name", "slurm"}, {"template", "long"}};
  api.json("POST", batch_searches + "?dry_run=true", 200, job.dump());
}

TEST_CASE("settings of chunks that do not go together are named where they stand") {
  const TemporaryDirectory directory;
  const auto file = directory.file("config.toml");
  const auto refused = [&](const std::string& text, const std::string& message,
                           std::vector<std::string> variables = {}) {
    std::ofstream(file) << text;
    int code = 0;
    contains(
        refusal(directory,
                {"--listen", "127.0.0.1:0", "--db", directory.file(), "--config", file.string()},
                code, std::move(variables)),
        message);
    CHECK(code == 2);
  };
  const auto place = file.string();
  refused("\nchunk-minutes = 3\n",
          place + ":2: chunk-minutes goes with --executor command or slurm");
  refused("partition = 'x'\n", place + ":1: partition goes with --executor slurm");
  refused("executor = 'slurm'\n", place + ":1: executor slurm needs a --chunk-folder");
  refused("executor = 'command'\nchunk-folder = 'f'\nchunk-template = ['a=x {manifest}']\n",
          place + ":3: chunk-template a: must have {out} in it");
  refused("", "MACROSTEP_CHUNK_TIME_LIMIT: chunk-time-limit goes with",
          {"MACROSTEP_CHUNK_TIME_LIMIT=60"});
}

TEST_CASE("a server without a batch system runs a search itself, whatever it is asked for") {
  const Api api;
  CHECK(mistakes(api, {{"name", "slurm"}}) == Json{"/executor/name"});
  Json job = small_job();
  job["executor"] = {{"name", "local"}};
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  CHECK(api.get(batch_searches + "/" + id).at("batch").is_null());
}

TEST_CASE("chunks of a server's search give what its threads give, and leave nothing behind") {
  const TemporaryDirectory directory;
  ServeProcess server = serve_chunks(directory, "serve.log");
  server.wait_until_ready();
  Json job = chunked_job();
  const auto chunked = submit_to(server, job);
  CHECK(has_chunks_done(server, chunked));
  job["executor"] = {{"name", "command"}, {"template", "slow"}};
  const auto templated = submit_to(server, job);
  job["executor"] = {{"name", "local"}};
  const auto here = submit_to(server, job);
  REQUIRE_MESSAGE(ends_as(server, here, "succeeded"), server.log());
  CHECK(result_of(server, chunked) == result_of(server, here));
  CHECK(result_of(server, templated) == result_of(server, here));
  CHECK(search_of(server, chunked).at("batch").is_null());
  CHECK(std::filesystem::is_empty(directory.file("chunks")));
}

TEST_CASE("chunks of a server's search may have FMUs, as they were uploaded") {
  const TemporaryDirectory directory;
  ServeProcess server = serve_chunks(directory, "serve.log");
  server.wait_until_ready();
  Json job = mass_and_spring(uploaded(server, "spring_mass2"), uploaded(server, "mass2"));
  const auto chunked = submit_to(server, job);
  CHECK(has_chunks_done(server, chunked));
  job["executor"] = {{"name", "local"}};
  const auto here = submit_to(server, job);
  REQUIRE_MESSAGE(ends_as(server, here, "succeeded"), server.log());
  CHECK(result_of(server, chunked) == result_of(server, here));
  CHECK(search_of(server, chunked).at("status") == "succeeded");
}

TEST_CASE("a server that was killed takes up the shards of its search at the next start") {
  const TemporaryDirectory directory;
  std::string id;
  {
    ServeProcess server = serve_chunks(directory, "first.log");
    server.wait_until_ready();
    id = submit_to(server, chunked_job());
    REQUIRE(has_chunks_done(server, id));
    server.signal(SIGKILL);
    server.wait();
  }
  const auto round = directory.file("chunks") / id / "round-0";
  const auto shard = round / "0.shard";
  REQUIRE(std::filesystem::exists(shard));
  const auto written = std::filesystem::last_write_time(shard);
  ServeProcess server = serve_chunks(directory, "second.log");
  server.wait_until_ready();
  REQUIRE(eventually([&] { return !search_of(server, id).at("batch").is_null(); }));
  CHECK(std::filesystem::last_write_time(shard) == written);  // it was not run again
  REQUIRE_MESSAGE(ends_as(server, id, "succeeded"), server.log());
  Json job = chunked_job();
  job["executor"] = {{"name", "local"}};
  const auto here = submit_to(server, job);
  REQUIRE(ends_as(server, here, "succeeded"));
  CHECK(result_of(server, id) == result_of(server, here));
}

TEST_CASE("cancelling a search ends its chunks; it can be resumed, and deleted with its chunks") {
  const TemporaryDirectory directory;
  ServeProcess server = serve_chunks(directory, "serve.log");
  server.wait_until_ready();
  const auto id = submit_to(server, chunked_job());
  REQUIRE(has_chunks_done(server, id));
  server.json("POST " + batch_searches + "/" + id + "/cancel", "{}");
  REQUIRE(ends_as(server, id, "cancelled"));
  const auto folder = directory.file("chunks") / id;
  CHECK(std::filesystem::exists(folder));
  server.json("POST " + batch_searches + "/" + id + "/resume", "{}");
  REQUIRE(has_chunks_done(server, id));
  server.json("POST " + batch_searches + "/" + id + "/cancel", "{}");
  REQUIRE(ends_as(server, id, "cancelled"));
  CHECK(eventually([&] {  // its worker may still tidy up
    return server.ask("DELETE " + batch_searches + "/" + id).starts_with("HTTP/1.1 204");
  }));
  CHECK_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace macrostep::tests
