#include "server/process/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "server/process/limits.hpp"
#include "server/process/no_worker.hpp"
#include "server/process/team.hpp"

namespace macrostep::server {

namespace {

void check(int error, const char* what) {
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), what);
  }
}

class FileActions {
 public:
  FileActions() { check(posix_spawn_file_actions_init(&actions_), "posix_spawn"); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void duplicate(int from, int to) {
    check(posix_spawn_file_actions_adddup2(&actions_, from, to), "posix_spawn");
  }
  void open_null(int to) {
    check(posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", O_RDWR, 0), "posix_spawn");
  }
  void close(int number) {
    check(posix_spawn_file_actions_addclose(&actions_, number), "posix_spawn");
  }
  void close_from(int first) {
    check(posix_spawn_file_actions_addclosefrom_np(&actions_, first), "posix_spawn");
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() {
    check(posix_spawnattr_init(&attributes_), "posix_spawn");
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// argv or envp for posix_spawn: pointers, then a null.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (auto& text : texts) {
    list.push_back(text.data());
  }
  list.push_back(nullptr);
  return list;
}

constexpr std::chrono::milliseconds look_interval{1};
constexpr int standard_streams = 3;

}  // namespace

ChildEnd child_end(int wait_status, std::int64_t memory_bytes) {
  return {
      .exit_code = WIFEXITED(wait_status) ? std::optional(WEXITSTATUS(wait_status)) : std::nullopt,
      .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0,
      .memory_bytes = memory_bytes};
}

Child::Child(const ChildCommand& command) {
  auto arguments = command.arguments;
  auto environment = command.environment.value_or(std::vector<std::string>{});
  const auto argv = pointers(arguments);
  const auto envp = pointers(environment);
  FileActions actions;
  int last = standard_streams - 1;
  for (const auto& [from, to] : command.descriptors) {
    actions.duplicate(from, to);
    last = std::max(last, to);
  }
  // Not all of this process's are close-on-exec: libraries make sockets that are not.
  for (int number = 0; number <= last; ++number) {
    if (std::ranges::find(command.descriptors, number, &std::pair<int, int>::second) ==
        command.descriptors.end()) {
      number < standard_streams ? actions.open_null(number) : actions.close(number);
    }
  }
  actions.close_from(last + 1);
  const Attributes attributes;
  check(posix_spawnp(&pid_, argv.front(), actions.get(), attributes.get(), argv.data(),
                     command.environment ? envp.data() : environ),
        command.arguments.front().c_str());
}

Child::~Child() {
  kill();
  wait_for(kill_timeout);
}

void Child::kill() {
  if (!end_) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);  // before it has become a group
  }
}

/// Whether it has ended.
bool Child::look(int options) {
  int status = 0;
  rusage usage{};
  if (end_) {
    return true;
  }
  const pid_t found = ::wait4(pid_, &status, options, &usage);
  if (found == pid_) {
    end_ = child_end(status, usage.ru_maxrss * bytes_per_kibibyte);
  } else if (found < 0 && errno != EINTR) {
    end_ = ChildEnd{};
  }
  return end_.has_value();
}

ChildEnd Child::wait() {
  while (!look(0)) {
  }
  return *end_;
}

std::optional<ChildEnd> Child::wait_for(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!look(WNOHANG) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(look_interval);
  }
  return end_;
}

Spawner::Spawner() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    throw NoWorker(no_thread_text(error));
  }
}

Spawner::~Spawner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::unique_ptr<Child> Spawner::start(const ChildCommand& command) {
  std::packaged_task<std::unique_ptr<Child>()> task(
      [&] { return std::make_unique<Child>(command); });
  auto started = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back([&] { task(); });
  }
  wake_.notify_one();
  return started.get();
}

void Spawner::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      return;
    }
    const auto tasks = std::exchange(waiting_, {});
    lock.unlock();
    for (const auto& task : tasks) {
      task();
    }
    lock.lock();
  }
}

}  // namespace macrostep::server
