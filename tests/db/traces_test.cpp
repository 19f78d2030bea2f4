// Traces of single trials: kept as they were, found again by their request, and never more than
// fit.
#include <sys/wait.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

#include "db/rows/series.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

constexpr std::int64_t page_bytes = 4096;

TraceRow trace_of(std::int64_t rows, int second = 0) {
  TraceRow trace{.status = "complete",
                 .points_total = 10 * rows,
                 .columns = R"(["t","m1.f","residual_power_W"])",
                 .rows = rows,
                 .used_at = time_at(second)};
  for (std::int64_t row = 0; row < rows; ++row) {
    const double t = 1e-3 * static_cast<double>(row);
    for (const double value : {t, std::sin(t) / 3, -std::cos(7 * t)}) {
      trace.values.push_back(value);
    }
  }
  return trace;
}

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) {
    result.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return result;
}

/// How many of the first `count` trials of search a have a trace.
int traced(const Store& store, int count) {
  int found = 0;
  for (int trial = 0; trial < count; ++trial) {
    found += store.get_trace({"a", trial}).has_value() ? 1 : 0;
  }
  return found;
}

TEST_CASE("a trace comes back bit for bit, and only for the request that it answers") {
  const TemporaryDirectory directory;
  TraceRow trace = trace_of(500);
  trace.reason = "an output grew";
  trace.reference = R"({"nrmse":0.25})";
  trace.reference_reason = "none at the end";
  trace.values[3] = -0.0;
  trace.values[4] = std::numeric_limits<double>::denorm_min();
  trace.values[5] = std::numeric_limits<double>::max();
  const TraceKey key{"a", 3, R"({"points":500})"};
  {
    Store store(directory.file());
    fill(store, "a");
    TraceRow other = trace;
    other.status = "diverged";
    other.values.front() = 1;
    store.put_trace(key, other);
    store.put_trace(key, trace);  // in its place
  }
  const Store store(directory.file());
  const auto stored = store.get_trace(key);
  REQUIRE(stored.has_value());
  CHECK(stored->status == "complete");
  CHECK(stored->reason == "an output grew");
  CHECK(stored->points_total == 5000);
  CHECK(stored->columns == trace.columns);
  CHECK(stored->rows == 500);
  CHECK(stored->reference == trace.reference);
  CHECK(stored->reference_reason == trace.reference_reason);
  CHECK(stored->used_at == time_at(0));
  CHECK(bits(stored->values) == bits(trace.values));
  CHECK_FALSE(store.get_trace({"a", 3, R"({"points":501})"}).has_value());
  CHECK_FALSE(store.get_trace({"a", 4, key.request}).has_value());
  CHECK_FALSE(store.get_trace({"b", 3, key.request}).has_value());
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a number that is not finite is none, and a trace may have no row") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  TraceRow trace = trace_of(2);
  trace.values[1] = std::numeric_limits<double>::infinity();
  trace.values[2] = -std::numeric_limits<double>::quiet_NaN();
  store.put_trace({"a", 0}, trace);
  store.put_trace({"a", 1}, trace_of(0));
  const auto stored = store.get_trace({"a", 0});
  REQUIRE(stored.has_value());
  CHECK(std::isnan(stored->values[1]));
  CHECK(std::isnan(stored->values[2]));
  CHECK(stored->values[3] == trace.values[3]);
  REQUIRE(store.get_trace({"a", 1}).has_value());
  CHECK(store.get_trace({"a", 1})->values.empty());
}

TEST_CASE("a trace belongs to a trial and goes with its search") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  fill(store, "b");
  store.put_trace({"a", 3}, trace_of(5));
  store.put_trace({"b", 3}, trace_of(5));
  CHECK(kind_thrown_by([&] { store.put_trace({"a", 40}, trace_of(5)); }) == ErrorKind::constraint);
  CHECK(kind_thrown_by([&] { store.put_trace({"c", 3}, trace_of(5)); }) == ErrorKind::constraint);
  CHECK(store.delete_search("a"));
  CHECK_FALSE(store.get_trace({"a", 3}).has_value());
  CHECK(store.get_trace({"b", 3}).has_value());
  CHECK(check_database(directory.file()).empty());
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("beyond their room the traces used longest ago are dropped") {
  const TemporaryDirectory directory;
  constexpr int fitting = 5;
  Store store(directory.file(), {.trace_bytes = fitting * page_bytes});
  fill(store, "a");
  for (int trial = 0; trial < fitting; ++trial) {
    store.put_trace({"a", trial}, trace_of(5, trial));
  }
  CHECK(traced(store, fitting) == fitting);
  store.note_trace_use({"a", 0}, time_at(30));
  store.put_trace({"a", 10}, trace_of(5, 40));
  store.put_trace({"a", 11}, trace_of(5, 41));
  CHECK(store.get_trace({"a", 0}).has_value());
  CHECK_FALSE(store.get_trace({"a", 1}).has_value());
  CHECK_FALSE(store.get_trace({"a", 2}).has_value());
  CHECK(store.get_trace({"a", 3}).has_value());
  CHECK(traced(store, 20) == fitting);
  // One that takes more room than there is leaves none.
  store.put_trace({"a", 12}, trace_of(20'000, 50));
  CHECK(traced(store, 20) == 0);
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a series that was tampered with is damage, not other numbers") {
  const std::vector<double> values = trace_of(100).values;
  const std::string packed = packed_series(values, 3);
  CHECK(packed.size() < values.size() * sizeof(double));
  CHECK(bits(unpacked_series(packed, 100, 3)) == bits(values));
  std::string changed = packed;
  changed[packed.size() / 2] = static_cast<char>(changed[packed.size() / 2] ^ 1);
  for (const auto& [text, rows] :
       {std::pair{changed, 100}, std::pair{packed, 99}, std::pair{packed, 101},
        std::pair{packed.substr(0, packed.size() / 2), 100}, std::pair{std::string("x"), 100},
        std::pair{std::string(), 100}}) {
    CHECK(kind_thrown_by([&] { unpacked_series(text, static_cast<std::size_t>(rows), 3); }) ==
          ErrorKind::corrupt);
  }
  CHECK(kind_thrown_by([&] { unpacked_series(packed, std::size_t{1} << 62U, 3); }) ==
        ErrorKind::corrupt);
}

/// What the README's Python program writes for the file; empty without python3.
std::string unpacked_by_python(const std::filesystem::path& file,
                               const std::filesystem::path& script) {
  std::ifstream readme(MACROSTEP_SOURCE_DIR "/db/README.md");
  std::stringstream text;
  text << readme.rdbuf();
  const std::string opening = "```python\n";
  const auto begin = text.str().find(opening);
  REQUIRE(begin != std::string::npos);
  std::string program = text.str().substr(begin + opening.size());
  program.resize(program.find("```"));
  const auto name = program.find("FILE");
  REQUIRE(name != std::string::npos);
  program.replace(name, 4, file.string());
  std::ofstream(script) << program;
  FILE* pipe = popen(("python3 '" + script.string() + "' 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    output += static_cast<char>(c);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    MESSAGE("there is no python3 here");
    return "";
  }
  CHECK_MESSAGE(status == 0, output);
  return output;
}

TEST_CASE("the README's program unpacks a series, also while the store is open") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  const TraceRow trace = trace_of(50);
  store.put_trace({"a", 3, R"({"points":50})"}, trace);
  std::stringstream lines(unpacked_by_python(directory.file(), directory.file("unpack.py")));
  std::string line;
  if (!std::getline(lines, line)) {
    return;
  }
  CHECK(line == "t,m1.f,residual_power_W");
  std::vector<double> values;
  while (std::getline(lines, line)) {
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      values.push_back(std::stod(cell));
    }
  }
  CHECK(bits(values) == bits(trace.values));
}

}  // namespace
}  // namespace macrostep::db
