// kill -9: what a store has reported as written is in the file, and nothing is in it by halves. The
// victim is a fork of this process, which has no other thread and no open store at that moment.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

constexpr std::int64_t batch_trials = 20;
constexpr std::int64_t victim_batches = 20'000;  // ends by itself if nobody kills it
constexpr int first_report_ms = 20'000;

std::string search_of(pid_t victim) {
  return numbered("search", victim);
}

void write_batches(const std::filesystem::path& file, int reports) {
  Store store(file);
  const std::string id = search_of(getpid());
  store.create_search(new_search(id));
  store.start_search(id, search_start());
  for (std::int64_t batch = 0; batch < victim_batches; ++batch) {
    const auto rows = trial_rows(batch * batch_trials, batch_trials);
    store.append_results(id,
                         {.trials = rows, .progress = {.trials_done = (batch + 1) * batch_trials}},
                         {{.name = "points"}});
    if (write(reports, "x", 1) != 1) {
      return;
    }
  }
}

class Victim {
 public:
  explicit Victim(const std::filesystem::path& file) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      try {
        write_batches(file, ends[1]);
      } catch (...) {  // the parent misses the report
      }
      _exit(1);
    }
    close(ends[1]);
    reports_ = ends[0];
  }
  ~Victim() {
    kill_and_wait();
    close(reports_);
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;

  pid_t pid() const { return pid_; }

  bool wait_for_report() const {
    pollfd waiting{.fd = reports_, .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, first_report_ms) == 1 && (waiting.revents & POLLIN) != 0;
  }

  /// How many batches it reported before it died.
  std::int64_t kill_and_wait() {
    if (pid_ <= 0) {
      return 0;
    }
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    CHECK(WIFSIGNALED(status));
    std::int64_t reported = 0;
    char buffer[4096];
    for (ssize_t size; (size = read(reports_, buffer, sizeof buffer)) > 0;) {
      reported += size;
    }
    return reported;
  }

 private:
  int reports_ = -1;
  pid_t pid_ = 0;
};

std::int64_t events_in(const std::filesystem::path& file) {
  Connection raw(file, OpenMode::read);
  auto query = raw.prepare("SELECT count(*) FROM events");
  std::int64_t count = -1;
  if (query.step()) {
    query.read(count);
  }
  return count;
}

std::int64_t trials_in(const Store& store, const std::string& id) {
  return static_cast<std::int64_t>(store.trials_of_search(id).size());
}

TEST_CASE("kill -9 loses no batch that was reported and stores none by halves") {
  const TemporaryDirectory directory;
  for (const useconds_t delay_us : {0U, 30'000U, 90'000U, 250'000U}) {
    Victim victim(directory.file());
    const std::string id = search_of(victim.pid());
    REQUIRE(victim.wait_for_report());
    usleep(delay_us);
    const std::int64_t reported = victim.kill_and_wait();

    // Whoever comes next, reader or writer, takes up the log that the victim left.
    const auto trials = trials_in(Store(directory.file(), {.access = Access::read}), id);
    Store store(directory.file());
    CHECK(check_database(directory.file()).empty());
    CHECK(trials_in(store, id) == trials);
    CHECK(reported > 0);
    CHECK(trials >= reported * batch_trials);
    // At most one batch was committed without its report getting out.
    CHECK(trials <= (reported + 1) * batch_trials);
    CHECK(trials % batch_trials == 0);
    CHECK(store.get_search(id)->summary.progress.trials_done == trials);
    CHECK(events_in(directory.file()) == trials / batch_trials);
    CHECK(store.mark_interrupted() == std::vector<std::string>{id});
    CHECK(store.delete_search(id));
    CHECK(store.events_after(0, 1).empty());
  }
}

TEST_CASE("the lock names another process that holds it, and goes with that process") {
  const TemporaryDirectory directory;
  Victim victim(directory.file());
  REQUIRE(victim.wait_for_report());
  try {
    const Store second(directory.file());
    FAIL("the second writer was let in");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::locked);
    CHECK(std::string(error.what()).find("process " + std::to_string(victim.pid())) !=
          std::string::npos);
  }
  // Reading beside it is fine.
  const Store reader(directory.file(), {.access = Access::read});
  CHECK(reader.list_searches(1).rows.size() == 1);
  victim.kill_and_wait();
  const Store next(directory.file());
  CHECK(check_database(directory.file()).empty());
}

}  // namespace
}  // namespace macrostep::db
