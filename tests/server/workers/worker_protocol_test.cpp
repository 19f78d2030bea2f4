// What a worker is told when it is started.
#include "server/workers/worker_protocol.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace macrostep::server;

TEST_CASE("a worker reads from its command line how it is started, and its limits") {
  const Limits limits{
      .memory_bytes = 2'000'000'000, .file_bytes = 64, .cpu_s = 7, .files = 256, .threads = 0};
  for (const auto mode : {WorkerMode::init, WorkerMode::plain}) {
    const auto read = read_worker_arguments(worker_arguments(mode, limits));
    REQUIRE(read);
    CHECK((read->mode == mode));
    CHECK(read->limits.memory_bytes == limits.memory_bytes);
    CHECK(read->limits.file_bytes == limits.file_bytes);
    CHECK(read->limits.cpu_s == limits.cpu_s);
    CHECK(read->limits.files == limits.files);
    CHECK(read->limits.threads == limits.threads);
  }
}

TEST_CASE("what is no command line of a worker is not taken for one") {
  const auto good = worker_arguments(WorkerMode::init, {.memory_bytes = 1});
  const auto with = [&](std::size_t place, const std::string& text) {
    auto arguments = good;
    arguments.at(place) = text;
    return read_worker_arguments(arguments).has_value();
  };
  CHECK(with(0, "plain"));
  CHECK_FALSE(with(0, "worker"));
  for (std::size_t place = 1; place < good.size(); ++place) {
    for (const char* text : {"", "x", "-1", "1x", " 1", "1e3", "99999999999999999999"}) {
      CAPTURE(place);
      CAPTURE(std::string(text));
      CHECK_FALSE(with(place, text));
    }
  }
  CHECK_FALSE(with(4, "4294967296"));  // descriptors are counted in an int
  CHECK_FALSE(read_worker_arguments(std::vector<std::string>{}));
  auto more = good;
  more.emplace_back("0");
  CHECK_FALSE(read_worker_arguments(more));
}

TEST_CASE("the first frame to a worker is read as it was written") {
  const WorkerSettings settings{.build_id = "ab12",
                                .parent_process = 17,
                                .directory = "/a \"quoted\" folder",
                                .fmus = {{"aa", "/fmus/aa"}, {"bb", "/fmus/bb"}}};
  const auto read = read_settings(settings_text(settings));
  CHECK(read.build_id == settings.build_id);
  CHECK(read.parent_process == settings.parent_process);
  CHECK(read.directory == settings.directory);
  CHECK(read.fmus == settings.fmus);
  CHECK_THROWS_AS(read_settings("{}"), nlohmann::json::exception);
}
