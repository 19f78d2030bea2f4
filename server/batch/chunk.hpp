// What goes to a batch system and comes back: manifests and shards, as text.
//
// A manifest is a chunk of a search: the whole job in its normal form, from which the plan is
// rebuilt, and the curves to scan (a curve's trials depend on each other, so that it is never
// divided among machines), or tasks of the search (search_task_json.hpp). A shard holds the trials
// and results of a chunk, exact to the bit, a line of JSON each, after a header and before the
// SHA-256 of all that. Both name the program and the arithmetic
// that they are of: results of others are refused.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/scan/curve_scan.hpp"
#include "server/batch/chunk_fmus.hpp"

namespace macrostep::server {

/// A manifest or a shard that is not whole, or not of this program.
class BadChunk : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Manifest {
  std::string build_id;
  std::string math_class;
  std::string job;                  ///< JSON (jobs/job_json.hpp), FMUs by their SHA-256
  std::vector<std::size_t> curves;  ///< ids
  bool fills_gaps = false;          ///< of those that are finished, with gaps (curve_scan.hpp)
  std::optional<double> beside_s;   ///< an H beside their grids to which finished ones go on
  /// New trials to run of each curve, where a scan is not to run to its end.
  std::optional<std::size_t> most_trials;
  std::vector<engine::TrialRecord> known;  ///< by curve and index; they are not run again
  std::vector<std::string> tasks;          ///< of the search, each as JSON
  int losses = 0;  ///< of the chunk so far (chunk_folder.hpp): nothing to who runs it
  std::optional<ForeignChunk> foreign;  ///< of jobs with FMUs
};

/// A task of the search and its result, each as JSON.
struct TaskOutcome {
  std::string task;
  std::string result;
};

struct Shard {
  std::string build_id;
  std::string math_class;
  std::string manifest_sha256;
  std::string refusal;  ///< why nothing could be run, if so: no try again would help
  std::vector<engine::TrialRecord> records;  ///< the new ones, by curve and index
  std::vector<TaskOutcome> outcomes;         ///< in the order of the tasks of the manifest
};

std::string manifest_text(const Manifest& manifest);
std::string shard_text(const Shard& shard);
// What is read is what was written, else BadChunk is thrown. Of a manifest it names the member; of
// one of another build no more than the build may be read.
Manifest read_manifest(std::string_view text);
Shard read_shard(std::string_view text);

/// Whether they are chunks of one search: what they say of job, build and FMUs is the same.
bool same_search(const Manifest& a, const Manifest& b);

/// Equal in all that is stored of a trial, but for the time that it took.
bool same_result(const engine::TrialRecord& a, const engine::TrialRecord& b);

/// A trial that has come twice with two results.
class Contradiction : public std::runtime_error {
 public:
  Contradiction(const engine::TrialRecord& record, const std::string& from);
};

/// Whether a trial that ended so may end otherwise on another machine.
bool depends_on_machine(engine::TrialStatus status);

/// What keeps this program from working with something of that build and arithmetic, if anything.
std::string foreign_build(std::string_view what, const std::string& build_id,
                          const std::string& math_class);

}  // namespace macrostep::server
