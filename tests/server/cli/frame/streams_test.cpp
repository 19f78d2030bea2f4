// Where the command line cannot write: files at their size limit, and pipes.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/server/child_process.hpp"

namespace {

/// A limit on the size of files for the programs that are started meanwhile.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

Outcome trace_into(const std::string& file) {
  return run_program({"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation",
                      "2", "--no-reference", "--csv", file});
}

}  // namespace

TEST_CASE("a file at its size limit is a failed write, and leaves nothing behind") {
  const Scratch scratch;
  const auto limited = [&] {
    const FileSizeLimit limit(16384);
    return trace_into(scratch.file("out.csv"));
  };
  const Outcome outcome = limited();
  CHECK(outcome.code == 1);
  CHECK_MESSAGE(outcome.err.find("out.csv: File too large") != std::string::npos, outcome.err);
  CHECK(scratch.names().empty());
}

TEST_CASE("a pipe that nobody reads is refused, one with a reader gets the trace") {
  const Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const Outcome refused = trace_into(pipe);
  CHECK(refused.code == 1);
  CHECK_MESSAGE(refused.err.find("a pipe that nobody reads") != std::string::npos, refused.err);

  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  const Outcome outcome =  // few rows: they fit into the pipe
      run_program({"run", "single_actuator_crane", "--macro-step", "0.01", "--extrapolation", "2",
                   "--until", "0.05", "--csv", pipe});
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  std::string text(2, '\0');
  CHECK(read(reader, text.data(), text.size()) == 2);
  CHECK(text == "t,");
  close(reader);
}

TEST_CASE("a trace goes through a link, and the link stays") {
  const Scratch scratch;
  scratch.write("real.csv", "before");
  std::filesystem::create_symlink("real.csv", scratch.file("link.csv"));
  const Outcome outcome = trace_into(scratch.file("link.csv"));
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(std::filesystem::is_symlink(scratch.file("link.csv")));
  CHECK(scratch.read("real.csv").starts_with("t,"));
}
