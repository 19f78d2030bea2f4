#include "server/cli/serve/run_chunk.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "server/base/durable_file.hpp"
#include "server/batch/chunk.hpp"
#include "server/batch/run_chunk.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"
#include "server/cli/frame/terminal.hpp"

namespace macrostep::server {

namespace {

struct RunChunkOptions {
  std::string manifest;
  std::string out;
  int threads = 1;
};

/// Above that of the round, which the manifest lies in.
std::filesystem::path folder_of_search(const std::string& manifest) {
  return std::filesystem::absolute(manifest).parent_path().parent_path();
}

int run_chunk(const RunChunkOptions& options) {
  Outputs({{"--out", options.out}}).require_apart("the manifest", options.manifest);
  const Interrupt interrupt;
  std::string shard;
  try {
    shard = server::run_chunk(read_whole(options.manifest),
                              {.threads = options.threads,
                               .stop = &interrupt.requested(),
                               .folder = folder_of_search(options.manifest)});
  } catch (const BadChunk& bad) {
    throw CommandError(Failure::bad_job, options.manifest + " is no manifest: " + bad.what());
  } catch (const std::exception& error) {
    if (interrupt.requested()) {
      return interrupted("no shard is written");
    }
    throw CommandError(Failure::failed, error.what());
  }
  write_durably(options.out, shard);
  const auto refusal = read_shard(shard).refusal;
  if (!refusal.empty()) {
    throw CommandError(Failure::failed, options.manifest + " cannot be run: " + refusal);
  }
  return exit_success;
}

}  // namespace

void add_run_chunk(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RunChunkOptions>();
  CLI::App* command =
      app.add_subcommand("run-chunk", "Run one chunk of a search, as tasks of a batch system do");
  expect_file(command->add_option("--manifest", options->manifest, "The chunk: a manifest")
                  ->option_text("FILE")
                  ->required());
  expect_file(command
                  ->add_option("--out", options->out,
                               "The shard to write, which appears whole or not at all")
                  ->option_text("FILE")
                  ->required());
  add_threads(*command, options->threads);
  command->footer(
      "A chunk is some curves of a search, with its whole job. Nothing but the two files is read "
      "or\n"
      "written, and what comes out depends on the manifest alone, but for the times that trials\n"
      "took. FMUs of the job are read from ../fmus beside the manifest's folder, held against the\n"
      "hashes in the manifest, and run in the sandbox.\n"
      "\n"
      "Example:\n"
      "  macrostep run-chunk --manifest 7.json --out 7.shard");
  command->callback([options, &action] { action = [options] { return run_chunk(*options); }; });
}

}  // namespace macrostep::server
