// What is asked of bubblewrap, and what it tells.
#include "server/process/sandbox.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace macrostep::server;

TEST_CASE("process 1 of a sandbox is known from what bubblewrap tells") {
  CHECK(process_one_in("{\n    \"child-pid\": 4711\n}\n") == 4711);
  CHECK(process_one_in("{\"child-pid\":7,\"mnt-namespace\": 4026532205}") == 7);
  CHECK(process_one_in("{\"exit-code\": 1}") == 0);
  CHECK(process_one_in("\"child-pid\":") == 0);
  CHECK(process_one_in("\"child-pid\": nobody") == 0);
  CHECK(process_one_in("") == 0);
}

TEST_CASE("the reason of a missing sandbox ends with one full stop, whatever bubblewrap says") {
  for (const char* reason : {"no user namespaces", "no user namespaces."}) {
    CHECK(no_sandbox_text(reason).find("there is none: no user namespaces. --fmu-sandbox=none") !=
          std::string::npos);
  }
}

TEST_CASE("a sandbox shows what it is told to, under a process 1 and an environment of ours") {
  for (const bool user_namespace : {true, false}) {
    const auto line =
        command_line({.user_namespace = user_namespace}, {.arguments = {"/worker", "init"},
                                                          .shown = {{"/somewhere/fmu", "/fmus/a"}},
                                                          .private_bytes = 1000});
    const auto has = [&](const std::vector<std::string>& part) {
      return !std::ranges::search(line, part).empty();
    };
    CHECK(line.front() == "bwrap");
    CHECK(has({"--as-pid-1"}));
    CHECK_FALSE(has({"--die-with-parent"}));
    CHECK(has({"--clearenv"}));
    CHECK(has({"--cap-drop", "ALL"}));
    CHECK(has({"--seccomp", std::to_string(sandbox_filter_descriptor)}));
    CHECK(has({"--info-fd", std::to_string(sandbox_info_descriptor)}));
    CHECK(has({"--ro-bind", "/somewhere/fmu", "/fmus/a"}));
    CHECK(has({"--size", "1000", "--tmpfs", sandbox_directory}));
    CHECK(has({"--", "/worker", "init"}));
    CHECK(has({"--unshare-user"}) == user_namespace);
    CHECK((has({"--unshare-pid"}) || has({"--unshare-all"})));
    CHECK((has({"--unshare-net"}) || has({"--unshare-all"})));
  }
}
