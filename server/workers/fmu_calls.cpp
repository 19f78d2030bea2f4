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
#include "server/process/no_worker.hpp"
#include "server/workers/task_json.hpp"

namespace macrostep::server {

namespace {

/// At most so many findings of one sequence are taken: an FMU can write to the worker's socket.
constexpr std::size_t max_findings = 200;

/// Collects findings, each thing once however many sequences meet it.
class Collection {
 public:
  void add(const models::fmi::Finding& finding, const std::string& sequence) {
    add({finding, sequence, sequence});
  }
  /// The sequence ended its process: the message says how.
  void add_crash(const models::fmi::Finding& finding, const std::string& sequence) {
    add({finding, sequence, sequence, /*is_crash=*/true});
  }
  /// The part's plain run came to its end without an error.
  void note_passed(const models::fmi::CallSequence& plain_run) {
    passed_[plain_run.part] = plain_run.words;
  }

  models::fmi::Findings take() {
    models::fmi::Findings findings;
    for (const auto& met : met_) {
      findings.push_back(met.finding);
      findings.back().message = met.is_crash ? crash_text(met) : finding_text(met);
    }
    return findings;
  }

 private:
  struct Met {
    models::fmi::Finding finding;
    std::string first;  ///< sequence
    std::string last;
    bool is_crash = false;
    int more = 0;  ///< sequences besides the first
  };

  void add(Met met) {
    const auto same = [&](const Met& other) {
      return other.is_crash == met.is_crash && other.finding.part == met.finding.part &&
             other.finding.where == met.finding.where &&
             other.finding.message == met.finding.message;
    };
    const auto found = std::ranges::find_if(met_, same);
    if (found == met_.end()) {
      met_.push_back(std::move(met));
    } else if (found->last != met.last) {
      found->last = met.last;
      ++found->more;
    }
  }

  static std::string counted_more(int more) {
    return std::to_string(more) + (more == 1 ? " more sequence" : " more sequences");
  }

  /// "returned Error (two instances at once, and in 1 more sequence)".
  static std::string finding_text(const Met& met) {
    return met.finding.message + " (" + met.first +
           (met.more == 0 ? ")" : ", and in " + counted_more(met.more) + ")");
  }

  /// "crashed in the sequence 'two instances at once': abort (SIGABRT); 'a run …' passed".
  std::string crash_text(const Met& met) const {
    std::string text = "crashed in the sequence '" + met.first + "'";
    text += met.more == 0 ? "" : " and " + counted_more(met.more);
    text += ": " + met.finding.message;
    const auto passed = passed_.find(met.finding.part);
    return passed == passed_.end() ? text : text + "; '" + passed->second + "' passed";
  }

  std::vector<Met> met_;
  std::map<std::string, std::string> passed_;  ///< words of the plain run, by part
};

/// "did not return within 10 s", "segmentation fault (SIGSEGV); last output: …".
std::string words_of(const NoReply& end, const ForeignSettings& settings) {
  const bool hung = end.status == engine::TrialStatus::timed_out && !end.whole_task;
  return with_last_words(
      end, hung ? "did not return within " + engine::number_text(settings.step_timeout_s) + " s"
                : end.reason);
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
    std::map<std::string, int> endless;  // by part
    std::map<std::string, int> left_out;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto& sequence = sequences[i];
      if (progress) {
        progress(i, sequences.size());
      }
      if (is_stopped()) {
        break;
      }
      if (endless[sequence.part] >= max_endless_sequences) {
        ++left_out[sequence.part];
        continue;
      }
      try {
        endless[sequence.part] += call(sequence, i) ? 1 : 0;
      } catch (const NoWorker&) {
        if (is_stopped()) {
          break;
        }
        throw;
      }
    }
    done_.findings = met_.take();
    for (const auto& [part, count] : left_out) {
      done_.findings.push_back(
          {models::fmi::Severity::warning, part, "",
           std::to_string(count) + " sequences of calls were left out, after " +
               std::to_string(max_endless_sequences) + " that did not end in time"});
    }
    return std::move(done_);
  }

 private:
  bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

  /// Whether it did not end in time.
  bool call(const models::fmi::CallSequence& sequence, std::size_t which) {
    const auto worker = start_worker(spawner_, settings_, sandbox_, program_, {fmu_}, stop_);
    Pace pace(settings_.step_timeout_s, 1);
    std::size_t found = 0;
    bool has_errors = false;
    const WorkerWatch watch{.stop = stop_,
                            .timeout_s = settings_.trial_timeout_s,
                            .pace = &pace,
                            .on_stall = [](bool) {},
                            .on_finding =
                                [&](std::string_view json) {
                                  if (++found <= max_findings) {
                                    const auto written = worker.process->last_words_so_far();
                                    has_errors = add(json, written, sequence) || has_errors;
                                  } else {
                                    has_errors = true;  // nobody knows what is left out
                                  }
                                }};
    const auto answer = worker.process->run(
        task_text({.what = WorkerCalls{.fmu = fmu_->sha256, .sequence = which}}), watch);
    if (const auto* reply = std::get_if<std::string>(&answer)) {
      try {
        done_.calls += read_calls(*reply);
        if (sequence.is_plain_run && !has_errors) {
          met_.note_passed(sequence);
        }
      } catch (const std::exception&) {
        met_.add({models::fmi::Severity::error, sequence.part, "", invalid_reply}, sequence.words);
      }
      return false;
    }
    const auto& end = std::get<NoReply>(answer);
    const models::fmi::Finding finding{models::fmi::Severity::error, sequence.part,
                                       end.function.empty() ? "loading the library" : end.function,
                                       words_of(end, settings_)};
    if (end.status == engine::TrialStatus::crashed) {
      met_.add_crash(finding, sequence.words);
    } else if (end.status != engine::TrialStatus::cancelled) {
      met_.add(finding, sequence.words);
    }
    return end.status == engine::TrialStatus::timed_out;
  }

  /// Whatever comes is looked at: an FMU may have written it. Whether it is an error.
  bool add(std::string_view json, const std::string& written,
           const models::fmi::CallSequence& sequence) {
    try {
      auto finding = read_finding(json);
      finding.part = sequence.part;
      // Other output is of any call before, and would tell findings apart that are one.
      if (finding.message.starts_with(models::fmi::calls::no_instance) && !written.empty() &&
          finding.message.find(written) == finding.message.npos) {
        finding.message += "; last output: " + written;
      }
      met_.add(finding, sequence.words);
      return finding.severity == models::fmi::Severity::error;
    } catch (const std::exception&) {
      throw BadFrame("an invalid finding");
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
