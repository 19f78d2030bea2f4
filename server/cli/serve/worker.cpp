#include "server/cli/serve/worker.hpp"

#include <CLI/CLI.hpp>

#include "server/workers/worker.hpp"

namespace macrostep::server {

void add_worker(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "worker", "Run trials of FMUs for a search or server, which starts this by itself");
  command->footer(
      "FMUs run in processes of their own, in a sandbox, so that one that crashes or hangs ends\n"
      "its trial and nothing else. This is such a process: not for people to start.");
  command->callback([&action] {
    action = []() -> int {
      if (!is_worker()) {
        throw CommandError(Failure::bad_usage,
                           "a worker is started by search, run, tune, analyse or serve");
      }
      run_worker({});
    };
  });
}

}  // namespace macrostep::server
