#include "server/worker_executable/worker.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/problem/fmu_source.hpp"
#include "engine/problem/foreign_code.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/finding.hpp"
#include "models/fmi/sequences/check_calls.hpp"
#include "models/fmi/simulation/running_fmu.hpp"
#include "server/base/descriptor.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/exact_json.hpp"
#include "server/process/frames.hpp"
#include "server/process/seccomp.hpp"
#include "server/worker_executable/landlock.hpp"
#include "server/workers/task_json.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

/// Doubles of a trace that are sent together.
constexpr std::size_t trace_batch = 8192;

engine::FmuSource source_of(const std::map<std::string, std::string>& directories) {
  using Found = std::variant<engine::FmuPointer, std::string>;
  return [directories](const std::string& called) -> Found {
    const auto found = directories.find(called);
    if (found == directories.end()) {
      return "this FMU was not announced to the worker process";
    }
    try {
      return std::make_shared<const models::fmi::Fmu>(
          models::fmi::open_unpacked(found->second, called));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
}

engine::Plan plan_of_job(const std::string& text, const engine::FmuSource& fmus) {
  const auto document = nlohmann::json::parse(text);
  auto plan = json::plan_of(json::read_job(document.at("job"), fmus),
                            exact_optional(document.at("until_s")));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    const auto first = errors->empty() ? engine::FieldError{} : errors->front();
    throw std::runtime_error(first.pointer + " " + first.message);
  }
  return std::move(std::get<engine::Plan>(plan));
}

/// Sends the points of a trace, many at a time.
class TraceSender {
 public:
  explicit TraceSender(int socket) : socket_(socket) {}

  void add(const engine::TracePoint& point) {
    values_.push_back(point.time_s);
    values_.push_back(point.residual_power_w);
    values_.push_back(point.energy_j ? 1 : 0);
    values_.push_back(point.energy_j.value_or(0));
    values_.insert(values_.end(), point.outputs.begin(), point.outputs.end());
    if (values_.size() >= trace_batch) {
      send();
    }
  }

  void send() {
    if (!values_.empty()) {
      send_all(socket_,
               frame_bytes(FrameKind::trace, {reinterpret_cast<const char*>(values_.data()),
                                              values_.size() * sizeof(double)}));
      values_.clear();
    }
  }

 private:
  int socket_;
  std::vector<double> values_;
};

class Worker {
 public:
  Worker(const engine::TrialBackend& backend, WorkerPage& page) : backend_(backend), page_(page) {
    models::fmi::running_fmu = &page.running_fmu;
  }

  void run() {
    while (const auto frame = receive(worker_socket, received_)) {
      switch (frame->kind) {
        case FrameKind::settings:
          begin(read_settings(frame->content));
          break;
        case FrameKind::job:
          add_job(read_numbered(frame->content));
          break;
        case FrameKind::task: {
          const auto task = read_numbered(frame->content);
          reply(FrameKind::reply,
                numbered(task.number, answer(read_task(std::string(task.content)))));
          break;
        }
        default:
          throw BadFrame("a frame that is not for a worker");
      }
    }
  }

 private:
  void begin(const WorkerSettings& settings) {
    if (settings.parent_process != 0) {
      die_with(settings.parent_process);
    }
    if (!settings.build_id.empty() && settings.build_id != engine::provenance().build_id) {
      throw std::runtime_error(
          "macrostep and macrostep-worker are of different builds: install both of one build, and "
          "start macrostep again");
    }
    directory_ = settings.directory;
    fmus_ = source_of(settings.fmus);
    fs::current_path(directory_);
    const bool is_sandboxed = settings.parent_process == 0;
    if (is_sandboxed) {  // which has its filter already
      restrict_writes_to(directory_);
      apply(socket_filter());
    } else {
      apply(sandbox_filter(false));
    }
    apply(worker_filter(::getpid()));
    engine::permit_foreign_code();
    reply(FrameKind::ready, "{}");
  }

  void add_job(const Numbered& job) {
    plans_.insert_or_assign(static_cast<std::uint64_t>(job.number),
                            plan_of_job(std::string(job.content), fmus_));
    reply(FrameKind::ready, "{}");
  }

  std::string answer(const WorkerTask& task) {
    tidy_up();
    auto text = answer_of(task);
    page_.running_fmu = 0;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    page_.memory_bytes = usage.ru_maxrss * bytes_per_kibibyte;
    return text;
  }

  std::string answer_of(const WorkerTask& task) {
    if (const auto* calls = std::get_if<WorkerCalls>(&task.what)) {
      return calls_text(call_functions(*calls));
    }
    const auto& measurement = std::get<engine::Measurement>(task.what);
    const auto& plan = plans_.at(task.job);
    TraceSender sender(worker_socket);
    engine::RunControl control{.stop = nullptr, .progress = &page_.progress};
    if (task.trace_every > 0) {
      control.on_point = [&](std::size_t, const engine::TracePoint& point) { sender.add(point); };
      control.points_every = task.trace_every;
    }
    const auto measured = without_throwing<engine::Measured>(
        [&] { return backend_.perform(plan, measurement, control); },
        [&](const std::string& reason) {
          return not_measured(measurement, engine::TrialStatus::fmu_error, reason);
        });
    sender.send();
    return reply_text(measured);
  }

  /// Calls an FMU's functions; the last one stays known whatever becomes of this process.
  std::int64_t call_functions(const WorkerCalls& calls) {
    const auto fmu = fmus_(calls.fmu);
    const auto found = [](const models::fmi::Finding& finding) {
      reply(FrameKind::finding, finding_text(finding));
    };
    if (const auto* why = std::get_if<std::string>(&fmu)) {
      found({.part = "library", .where = "", .message = *why});
      return 0;
    }
    const models::fmi::CallReport report{.found = found, .calling = [this](const char* function) {
                                           ++page_.progress;
                                           auto& name = page_.function;
                                           std::strncpy(name.data(), function, name.size() - 1);
                                         }};
    const auto& one = *std::get<engine::FmuPointer>(fmu);
    return without_throwing<std::int64_t>(
        [&] { return models::fmi::run_call_sequence(one, calls.sequence, report); },
        [&](const std::string& why) {
          found({.part = models::fmi::call_sequences(one).at(calls.sequence).part,
                 .where = page_.function.data(),
                 .message = "threw an exception through the C interface: " + why});
          return std::int64_t{0};
        });
  }

  /// What an FMU throws, against the rules, comes out here.
  template <class Result, class Run, class Failed>
  static Result without_throwing(const Run& run, const Failed& failed) {
    try {
      return run();
    } catch (const std::bad_alloc&) {
      return failed("there was not enough memory");
    } catch (const std::exception& error) {
      return failed(error.what());
    } catch (...) {
      return failed("an FMU threw an exception");
    }
  }

  static void reply(FrameKind kind, const std::string& content) {
    if (content.size() > max_reply_bytes) {
      throw BadFrame("a reply of " + std::to_string(content.size()) + " bytes is too long");
    }
    if (!send_all(worker_socket, frame_bytes(kind, content))) {
      ::_exit(0);
    }
  }

  /// What one trial leaves behind must not change the next: files, rounding, the decimal point.
  void tidy_up() const {
    std::fesetenv(FE_DFL_ENV);
    std::setlocale(LC_ALL, "C");
    std::error_code ignored;
    fs::current_path(directory_, ignored);
    for (const auto& entry : fs::directory_iterator(directory_, ignored)) {
      fs::remove_all(entry.path(), ignored);
    }
  }

  const engine::TrialBackend& backend_;
  WorkerPage& page_;
  FrameBuffer received_{max_frame_bytes};
  fs::path directory_;
  engine::FmuSource fmus_;
  std::map<std::uint64_t, engine::Plan> plans_;
};

WorkerPage& shared_page() {
  void* const memory =
      ::mmap(nullptr, sizeof(WorkerPage), PROT_READ | PROT_WRITE, MAP_SHARED, worker_memory, 0);
  if (memory == MAP_FAILED) {
    throw_errno("mapping the memory shared with a worker");
  }
  return *static_cast<WorkerPage*>(memory);
}

}  // namespace

void run_worker(const engine::TrialBackend& backend) {
  auto& page = shared_page();
  ::close(worker_memory);
  Worker(backend, page).run();
  ::_exit(0);  // without what an FMU has left to run at the end
}

}  // namespace macrostep::server
