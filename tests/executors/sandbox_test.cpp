// What the sandbox itself holds, tried with programs that are no workers: a worker also forbids
// itself to write by Landlock, which not every kernel has.
#include "server/process/sandbox.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/process/child.hpp"
#include "server/process/seccomp.hpp"
#include "tests/executors/pool_fixture.hpp"

using namespace macrostep::server;
using namespace macrostep::tests;

namespace {

constexpr std::chrono::seconds limit{60};

/// How the shell's command ends inside; nothing where it does not within the limit.
std::optional<int> exit_code_inside(const std::string& command) {
  const auto found = probe_sandbox();
  const auto filter = filter_file(sandbox_filter(::geteuid() == 0));
  auto [info, info_writer] = make_pipe();
  Child child(
      {.arguments = command_line(std::get<Sandbox>(found), {.arguments = {"/bin/sh", "-c", command},
                                                            .private_bytes = 1 << 20}),
       .descriptors = {{filter.get(), sandbox_filter_descriptor},
                       {info_writer.get(), sandbox_info_descriptor},
                       {info.get(), sandbox_info_reader}},
       .environment = std::vector<std::string>{}});
  return child.wait_for(limit).value_or(ChildEnd{}).exit_code;
}

}  // namespace

TEST_CASE("the sandbox alone lets nothing be written but its directory") {
  if (lacks_sandbox("writing from the sandbox")) {
    return;
  }
  CHECK(exit_code_inside("test -w /tmp") == 0);  // whether this would notice
  for (const std::string file :
       {"/", "/usr", "/dev", "/fmus", "/proc/self/comm", "/proc/1/oom_score_adj",
        "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
        "/proc/irq/default_smp_affinity", "/proc/sysrq-trigger", "/proc/pressure/cpu"}) {
    CAPTURE(file);
    CHECK(exit_code_inside("test -w " + file) == 1);
  }
}
