#include "server/workers/fmu_calls.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/text.hpp"
#include "models/fmi/description/finding.hpp"
#include "models/fmi/sequences/check_calls.hpp"
#include "server/workers/task_json.hpp"

namespace macrostep::server {

namespace {

/// At most so many findings of one sequence are taken: an FMU can write to the worker's socket.
constexpr std::size_t max_findings = 200;

/// Collects findings, each thing once however many sequences meet it.
class Collection {
 public:
  void add(const models::fmi::Finding& finding, const std::string& sequence) {
    const auto same = [&](const Met& met) {
      return met.finding.part == finding.part && met.finding.where == finding.where &&
             met.finding.message == finding.message;
    };
    const auto found = std::ranges::find_if(met_, same);
    if (found == met_.end()) {
      met_.push_back({finding, sequence, sequence, 1});
    } else if (found->last != sequence) {
      found->last = sequence;
      ++found->sequences;
    }
  }

  models::fmi::Findings take() {
    models::fmi::Findings findings;
    for (auto& [finding, first, last, sequences] : met_) {
      auto& one = findings.emplace_back(finding);
      one.message += " (" + first;
      if (sequences > 1) {
        one.message += ", and in " + std::to_string(sequences - 1) + " more " +
                       (sequences == 2 ? "sequence" : "sequences");
      }
      one.message += ")";
    }
    return findings;
  }

 private:
  struct Met {
    models::fmi::Finding finding;
    std::string first;  ///< sequence
    std::string last;
    int sequences = 0;
  };
  std::vector<Met> met_;
};

/// "did not return within 10 s", "crashed: segmentation fault (SIGSEGV); its last words: …".
std::string words_of(const NoReply& end, const ForeignSettings& settings) {
  const bool too_long = end.reason.starts_with("it took");
  std::string text;
  if (end.status == engine::TrialStatus::timed_out && !too_long) {
    text = "did not return within " + engine::number_text(settings.step_timeout_s) + " s";
  } else if (end.status == engine::TrialStatus::crashed) {
    text = "ended its process: " + end.reason;
  } else {
    text = end.reason;
  }
  return end.last_words.empty() ? text : text + "; its last words: " + end.last_words;
}

class Caller {
 public:
  Caller(const engine::FmuPointer& fmu, const ForeignSettings& settings,
         const std::atomic<bool>* stop, const WorkerProgram& program)
      : fmu_(fmu),
        settings_(settings),
        stop_(stop),
        program_(program),
        sandbox_(sandbox_of(settings)) {}

  FmuCalls run(const std::function<void(std::size_t, std::size_t)>& progress) {
    const auto sequences = models::fmi::call_sequences(*fmu_);
    std::map<std::string, int> hung;  // by part
    std::map<std::string, int> left_out;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto& sequence = sequences[i];
      if (progress) {
        progress(i, sequences.size());
      }
      if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
        break;
      }
      if (hung[sequence.part] >= max_hung_sequences) {
        ++left_out[sequence.part];
        continue;
      }
      hung[sequence.part] += call(sequence, i) ? 1 : 0;
    }
    done_.findings = met_.take();
    for (const auto& [part, count] : left_out) {
      done_.findings.push_back({models::fmi::Severity::warning, part, "",
                                std::to_string(count) +
                                    " sequences of calls were left out, after " +
                                    std::to_string(max_hung_sequences) + " that did not return"});
    }
    return std::move(done_);
  }

 private:
  /// Whether it hung.
  bool call(const models::fmi::CallSequence& sequence, std::size_t which) {
    const auto worker = start_worker(spawner_, settings_, sandbox_, program_, {fmu_});
    Pace pace(settings_.step_timeout_s, 1);
    std::size_t found = 0;
    const WorkerWatch watch{.stop = stop_,
                            .timeout_s = settings_.trial_timeout_s,
                            .pace = &pace,
                            .on_stall = [](bool) {},
                            .on_finding =
                                [&](std::string_view json) {
                                  if (++found <= max_findings) {
                                    add(json, sequence);
                                  }
                                }};
    const auto answer = worker.process->run(
        task_text({.kind = WorkerTaskKind::calls, .fmu = fmu_->sha256, .sequence = which}), watch);
    if (const auto* reply = std::get_if<std::string>(&answer)) {
      try {
        done_.calls += read_calls(*reply);
      } catch (const std::exception&) {
        met_.add(
            {models::fmi::Severity::error, sequence.part, "", "the worker sent an invalid reply"},
            sequence.words);
      }
      return false;
    }
    const auto& end = std::get<NoReply>(answer);
    if (end.status != engine::TrialStatus::cancelled) {
      met_.add(
          {models::fmi::Severity::error, sequence.part,
           end.function.empty() ? "loading the library" : end.function, words_of(end, settings_)},
          sequence.words);
    }
    return end.status == engine::TrialStatus::timed_out;
  }

  /// Whatever comes is looked at: an FMU may have written it.
  void add(std::string_view json, const models::fmi::CallSequence& sequence) {
    try {
      auto finding = read_finding(json);
      finding.part = sequence.part;
      met_.add(finding, sequence.words);
    } catch (const std::exception&) {
      throw BadFrame("a finding that is none");
    }
  }

  const engine::FmuPointer fmu_;
  const ForeignSettings settings_;
  const std::atomic<bool>* stop_;
  const WorkerProgram program_;
  const std::optional<Sandbox> sandbox_;
  Spawner spawner_;  // outlives the workers that it started
  Collection met_;
  FmuCalls done_;
};

}  // namespace

FmuCalls call_fmu(const engine::FmuPointer& fmu, const ForeignSettings& settings,
                  const std::atomic<bool>* stop,
                  const std::function<void(std::size_t done, std::size_t all)>& progress,
                  const WorkerProgram& program) {
  return Caller(fmu, settings, stop, program).run(progress);
}

}  // namespace macrostep::server
