#include "server/workers/worker_process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/base/text.hpp"
#include "server/process/child_end_text.hpp"
#include "server/process/no_worker.hpp"
#include "server/process/seccomp.hpp"

namespace macrostep::server {

namespace {

/// How often a worker is looked at that says nothing.
constexpr std::chrono::milliseconds watch_interval{20};
/// For starting the program and reading a job, where nothing of an FMU runs.
constexpr std::chrono::seconds start_timeout{60};
/// For a worker to end by itself that is not wanted any more.
constexpr std::chrono::milliseconds goodbye_timeout{500};
/// For a worker to die that has closed its connection: writing a core dump or giving back much
/// memory takes time, and only then it is known what killed it.
constexpr std::chrono::seconds death_timeout{5};
/// More macro-steps than a trial has: an FMU can write any number into the shared memory.
constexpr std::int64_t most_progress = 1LL << 52;
/// SO_PASSRIGHTS of Linux 6.16: whether descriptors can be sent over a socket.
constexpr int pass_rights = 83;
/// The end of a process's output that is kept to tell its last words.
constexpr std::size_t kept_output = 4096;

bool is_set(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

std::string seconds(double value_s) {
  return engine::number_text(value_s) + " s";
}

}  // namespace

std::string with_last_words(const NoReply& end, std::string text) {
  return end.last_words.empty() ? text : text + "; last output: " + end.last_words;
}

WorkerProcess::WorkerProcess(Spawner& spawner, const WorkerLaunch& start,
                             const WorkerSettings& settings)
    : memory_limit_bytes_(start.memory_limit_bytes), group_(start.group) {
  auto [socket, worker_end] = make_socket_pair();
  auto [reading, writing] = make_pipe();
  socket_ = std::move(socket);
  output_ = std::move(reading);
  const int yes = 1;
  if (::setsockopt(socket_.get(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) {
    throw_errno("setsockopt");
  }
  const int no = 0;
  ::setsockopt(socket_.get(), SOL_SOCKET, pass_rights, &no, sizeof no);  // not in older kernels
  set_nonblocking(output_);
  ChildCommand command{.arguments = start.command,
                       .descriptors = {{worker_end.get(), worker_socket},
                                       {page_.descriptor(), worker_memory},
                                       {writing.get(), STDOUT_FILENO},
                                       {writing.get(), STDERR_FILENO}}};
  Descriptor filter;
  Descriptor info;
  Descriptor info_writer;
  Descriptor status_end;
  Descriptor may_start;
  Descriptor start_end;
  if (start.is_sandboxed) {
    filter = filter_file(sandbox_filter(::geteuid() == 0));
    std::tie(info, info_writer) = make_pipe();
    std::tie(status_, status_end) = make_pipe();
    set_nonblocking(status_);
    command.environment.emplace();
    command.descriptors.insert(command.descriptors.end(),
                               {{status_end.get(), worker_status},
                                {filter.get(), sandbox_filter_descriptor},
                                {info_writer.get(), sandbox_info_descriptor},
                                {info.get(), sandbox_info_reader}});
    if (group_) {
      std::tie(start_end, may_start) = make_pipe();
      command.descriptors.emplace_back(start_end.get(), sandbox_start_descriptor);
    }
  }
  child_ = spawner.start(command);
  for (auto* given : {&worker_end, &writing, &filter, &info_writer, &status_end, &start_end}) {
    given->close();
  }
  page_.close_descriptor();
  if (start.is_sandboxed) {
    process_one_ = ProcessOne(std::move(info));
  }
  if (group_) {
    join(*group_, start);
    may_start.close();
  }
  expect_ready(frame_bytes(FrameKind::settings, settings_text(settings)),
               "a worker process does not start", start.stop);
  process_one_.find(child_->process(), Clock::now());
}

/// An idle worker ends by itself when its connection is closed.
WorkerProcess::~WorkerProcess() {
  socket_.close();
  if (child_ && !child_->wait_for(goodbye_timeout)) {
    kill_all(process_one_, *child_);
  }
}

/// Before anything runs in it. Where bubblewrap has ended, what it says is told when the worker
/// does not become ready.
void WorkerProcess::join(const ControlGroup& group, const WorkerLaunch& start) {
  if (start.is_sandboxed) {
    process_one_.find(child_->process(), Clock::now() + start_timeout, start.stop);
    if (process_one_.process() == 0) {
      if (child_->wait_for(watch_interval)) {
        return;
      }
      kill_all(process_one_, *child_);
      throw NoWorker("process 1 of the sandbox of a worker cannot be identified");
    }
  }
  try {
    group.add(start.is_sandboxed ? process_one_.process() : child_->process());
  } catch (const std::system_error& error) {
    kill_all(process_one_, *child_);
    throw NoWorker(std::string("a worker process cannot be put into its control group: ") +
                   error.what());
  }
}

/// What process 1 of the sandbox told, if it did.
std::optional<ChildEnd> WorkerProcess::told_end() {
  WorkerEnd told;
  if (status_.get() < 0 || ::read(status_.get(), &told, sizeof told) != sizeof told) {
    return std::nullopt;
  }
  return child_end(told.wait_status, told.memory_bytes);
}

void WorkerProcess::add_job(std::uint64_t number, std::string_view job,
                            const std::atomic<bool>* stop) {
  expect_ready(frame_bytes(FrameKind::job, numbered(static_cast<std::int64_t>(number), job)),
               "a worker process does not accept its job", stop);
  jobs_.insert(number);
}

/// Sends a frame that is answered with "ready". Where it is not, NoWorker says the refusal, and the
/// worker's last words.
void WorkerProcess::expect_ready(std::string_view frame, const char* refusal,
                                 const std::atomic<bool>* stop) {
  const auto deadline = Clock::now() + start_timeout;
  try {
    if (send_all(socket_.get(), frame, {.deadline = deadline, .stop = stop})) {
      do {
        if (const auto answer = received_.take(); answer && answer->kind == FrameKind::ready) {
          return;
        }
      } while (receive_some() && Clock::now() < deadline && !is_set(stop));
    }
  } catch (const BadFrame&) {
    // An FMU of an earlier task has written to the socket.
  }
  const auto failure = end(engine::TrialStatus::crashed, "");
  throw NoWorker(refusal + (failure.last_words.empty() ? "" : ": " + failure.last_words));
}

WorkerProcess::Answer WorkerProcess::run(std::string_view task, const WorkerWatch& watch) {
  ++tasks_;
  page_->progress = 0;
  page_->running_fmu = 0;
  output_bytes_ = 0;
  last_output_.clear();
  if (!send_all(socket_.get(), frame_bytes(FrameKind::task, numbered(tasks_, task)),
                {.deadline = Clock::now() + start_timeout, .stop = watch.stop})) {
    return ended_by_itself(watch);
  }
  try {
    auto answer = watch_over(watch);
    if (tasks_ == 1) {
      first_memory_bytes_ = page_->memory_bytes;
    }
    return answer;
  } catch (const BadFrame&) {
    return end(engine::TrialStatus::crashed, invalid_reply);
  }
}

WorkerProcess::Answer WorkerProcess::watch_over(const WorkerWatch& watch) {
  using enum engine::TrialStatus;
  const auto started = Clock::now();
  std::optional<Progress> progress;
  if (watch.pace != nullptr) {
    progress.emplace(page_->progress, *watch.pace, watch.on_stall);
  }
  for (;;) {
    if (auto reply = take_reply(watch)) {
      const auto words = last_words_so_far();  // none of it may count for the next task
      if (watch.last_words != nullptr) {
        *watch.last_words = words;
      }
      return std::move(*reply);
    }
    const bool connected = receive_some();
    if (watch.stopped()) {
      return end(cancelled, "stopped");
    }
    if (!connected) {
      return ended_by_itself(watch);
    }
    if (output_bytes_ > max_output_bytes) {
      return end(fmu_error, "an FMU wrote more than " + std::to_string(max_output_bytes >> 20) +
                                " MB of text");
    }
    if (progress) {
      progress->look();
      if (progress->is_timed_out()) {
        auto failure =
            end(timed_out, std::string(progress->value() == 0 ? "the start" : "a macro-step") +
                               " took more than " + seconds(watch.pace->step_timeout_s()));
        failure.option = "--fmu-step-timeout";
        return failure;
      }
    }
    if (std::chrono::duration<double>(Clock::now() - started).count() > watch.timeout_s) {
      auto failure = end(timed_out, "it took more than " + seconds(watch.timeout_s));
      failure.whole_task = true;
      failure.option = "--fmu-trial-timeout";
      return failure;
    }
  }
}

/// Takes what has come; the reply if it is there.
std::optional<std::string> WorkerProcess::take_reply(const WorkerWatch& watch) {
  while (auto frame = received_.take()) {
    if (frame->kind == FrameKind::reply) {
      const auto reply = read_numbered(frame->content);
      if (reply.number != tasks_) {
        throw BadFrame("a reply to another task");
      }
      return std::string(reply.content);
    }
    if (frame->kind == FrameKind::finding && watch.on_finding) {
      watch.on_finding(frame->content);
      continue;
    }
    if (frame->kind != FrameKind::trace || !watch.on_trace ||
        frame->content.size() % sizeof(double) != 0) {
      throw BadFrame("a frame that was not asked for");
    }
    std::vector<double> values(frame->content.size() / sizeof(double));
    std::memcpy(values.data(), frame->content.data(), frame->content.size());
    watch.on_trace(values);
  }
  return std::nullopt;
}

/// Takes what is there of what the process has written; false where there is nothing.
bool WorkerProcess::read_output() {
  std::array<char, receive_bytes> bytes{};
  const auto count = ::read(output_.get(), bytes.data(), bytes.size());
  if (count <= 0) {
    return false;
  }
  output_bytes_ += count;
  last_output_.append(bytes.data(), static_cast<std::size_t>(count));
  if (last_output_.size() > kept_output) {
    last_output_.erase(0, last_output_.size() - kept_output);
  }
  return true;
}

std::string WorkerProcess::last_words_so_far() {
  while (output_bytes_ <= max_output_bytes && read_output()) {
  }
  // The last words of a flood tell nothing.
  return output_bytes_ > max_output_bytes ? "" : last_words(last_output_);
}

/// Waits a little for bytes and takes them. False: the other side is gone.
bool WorkerProcess::receive_some() {
  std::array<pollfd, 2> ready{{{.fd = socket_.get(), .events = POLLIN, .revents = 0},
                               {.fd = output_.get(), .events = POLLIN, .revents = 0}}};
  ::poll(ready.data(), ready.size(), static_cast<int>(watch_interval.count()));
  if ((ready[1].revents & POLLIN) != 0) {
    read_output();
  } else if (ready[1].revents != 0) {
    output_.close();  // nobody writes to it any more
  }
  if (ready[0].revents == 0) {
    note_memory();
    return true;
  }
  std::array<char, receive_bytes> bytes{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> credentials{};
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = credentials.data();
  message.msg_controllen = credentials.size();
  const auto count = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT);
  if (count > 0) {
    received_.add({bytes.data(), static_cast<std::size_t>(count)});
    note_process(message);
  }
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

/// The system tells with every message which process has sent it, by its number out here.
void WorkerProcess::note_process(const msghdr& message) {
  const auto* const header = CMSG_FIRSTHDR(&message);
  if (process_ == 0 && header != nullptr && header->cmsg_type == SCM_CREDENTIALS) {
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
    process_ = sender.pid;
  }
}

void WorkerProcess::note_memory() {
  std::int64_t pages = 0;
  if (process_ > 0) {
    std::ifstream file("/proc/" + std::to_string(process_) + "/statm");
    std::int64_t ignored = 0;
    file >> ignored >> pages;
  }
  seen_memory_bytes_ = std::max(seen_memory_bytes_, pages * ::sysconf(_SC_PAGESIZE));
}

/// Kills what is left of it and waits until nothing is.
NoReply WorkerProcess::end(engine::TrialStatus status, std::string reason) {
  kill_all(process_one_, *child_);
  // What it had started holds the other ends until it is gone as well.
  for (const auto deadline = Clock::now() + kill_timeout;
       receive_some() && Clock::now() < deadline;) {
  }
  return {.status = status,
          .reason = std::move(reason),
          .last_words = last_words_so_far(),
          .progress = std::clamp<std::int64_t>(page_->progress, 0, most_progress),
          .function = last_words(
              {page_->function.data(), ::strnlen(page_->function.data(), page_->function.size())}),
          .running_fmu = page_->running_fmu};
}

/// The socket was closed: the process ends, or an FMU has closed what is not its own.
NoReply WorkerProcess::ended_by_itself(const WorkerWatch& watch) {
  auto ended = child_->wait_for(watch_interval);
  for (const auto deadline = Clock::now() + death_timeout; !ended && Clock::now() < deadline;) {
    if (watch.stopped()) {
      return end(engine::TrialStatus::cancelled, "stopped");
    }
    receive_some();  // its last words: a full pipe would hold it up
    ended = child_->wait_for(watch_interval);
  }
  if (ended) {
    if (const auto told = told_end()) {
      ended = told;
    } else if (status_.get() >= 0) {
      ended = end_of_other(*ended);
    }
    ended->memory_bytes = std::max(ended->memory_bytes, seen_memory_bytes_);
  }
  if (!ended) {
    return end(engine::TrialStatus::timed_out, "its process went on for " +
                                                   std::to_string(death_timeout.count()) +
                                                   " s after it closed its connection");
  }
  return end(engine::TrialStatus::crashed, ended->exit_code == worker_failed_code
                                               ? "the worker failed"
                                               : end_text(*ended, memory_limit_bytes_));
}

}  // namespace macrostep::server
