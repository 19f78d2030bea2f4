// Exported FMUs under the checker of tests/fmu_checker, which shares no code with this project.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/fmu_export/exported.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

namespace {

/// Only memory that cannot be reached any more counts as a leak; the loader keeps a block of its
/// own.
const std::vector<std::string> valgrind_options{
    "-q", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible",
    "--errors-for-leak-kinds=definite,indirect,possible", "--error-exitcode=9"};

std::string name_of(const FmuRequest& request) {
  return request.problem + " " + request.coupling.value_or("") + " " + request.subsystem;
}

/// Sanitizers find the same, and do not run under it.
constexpr bool has_sanitizer =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

bool has_valgrind() {
  return std::system("valgrind --version >/dev/null 2>&1") == 0;
}

}  // namespace

TEST_CASE("every built-in subsystem passes the checker as an FMU of both versions") {
  tests::Unpacked unpacked;
  for (auto request : tests::every_subsystem()) {
    for (const auto version : tests::both_versions) {
      request.version = version;
      const auto result = run_program({unpacked.add(tests::exported(request))});
      CAPTURE(name_of(request));
      CAPTURE(result.err);
      CHECK_MESSAGE(result.code == 0, result.out);
    }
  }
}

TEST_CASE("an FMU of every integrator passes the checker") {
  tests::Unpacked unpacked;
  for (auto request : tests::every_subsystem()) {
    const auto problem = std::get<Problem>(find_built_in(request.problem)->build({}));
    if (request.coupling != problem.couplings.front().name) {
      continue;
    }
    for (const auto integrator : problem.find_subsystem(request.subsystem)->integrators) {
      request.integrator = integrator;
      const auto result = run_program({unpacked.add(tests::exported(request))});
      CAPTURE(name_of(request));
      CAPTURE(to_string(integrator));
      CHECK_MESSAGE(result.code == 0, result.out);
    }
  }
}

TEST_CASE("an FMU of every problem passes the checker without a leak or a wrong access" *
          doctest::test_suite("slow")) {
  if (has_sanitizer) {
    return;
  }
  if (!has_valgrind()) {
    std::puts("skipped: exported FMUs under valgrind: valgrind cannot run here");
    return;
  }
  tests::Unpacked unpacked;
  std::set<std::string> problems;
  for (auto request : tests::every_subsystem()) {
    if (!problems.insert(request.problem).second) {
      continue;
    }
    request.version = tests::both_versions[problems.size() % 2];
    auto arguments = valgrind_options;
    arguments.insert(arguments.end(),
                     {MACROSTEP_FMU_CHECKER, unpacked.add(tests::exported(request))});
    const auto result = Child(arguments, "", "valgrind").wait();
    CAPTURE(name_of(request));
    CAPTURE(result.err);
    CHECK_MESSAGE(result.code == 0, result.out);
  }
}
