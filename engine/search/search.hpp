// A search as a value that is asked and told: it says which trials and tasks it wants, takes their
// results in any order, and in the end has an answer. It runs nothing itself: that do drivers, on
// threads (run_search.hpp) or elsewhere.
//
// What is wanted depends on the plan and on results that count, never on their order of arrival, on
// threads or times; so does the answer, but for times that were measured.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/scan/scan.hpp"
#include "engine/search/course.hpp"
#include "engine/search/stage.hpp"
#include "engine/stability/stability_verdicts.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::engine {

/// A round of a search; without trials and tasks, it has ended.
struct Wanted {
  Stage stage = Stage::curves;
  /// The next of every curve that goes on. As soon as its result counts the curve may want another.
  std::vector<WantedTrial> trials;
  bool fills_gaps = false;         ///< the curves were finished before, with gaps
  std::optional<double> beside_s;  ///< or go on to an H beside their grids
  std::vector<Task> tasks;

  bool is_nothing() const { return trials.empty() && tasks.empty(); }
};

class Search {
 public:
  /// The plan must outlive it.
  explicit Search(const Plan& plan, const SearchOptions& options = {});
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Goes on to the next round where the last one has all its results. Throws what its course
  /// throws, and std::system_error where the thread of that cannot be started: then it has not
  /// begun.
  Wanted wanted();

  /// What a curve asks for next; nothing where it is finished.
  std::optional<WantedTrial> next(std::size_t curve) const { return scan_.next(curve); }
  /// The result of a trial, whenever it comes: one that no curve asks for is dropped. May be called
  /// from several threads at once, each for another curve.
  void add(TrialRecord record);
  /// The result of one of the tasks of this round.
  void add(std::size_t task, TaskResult result);

  /// No more results will come: an answer is drawn from what there is.
  void stop();

  /// Once nothing is wanted; without the time that it took.
  SearchResult result() const;

 private:
  using Question = std::variant<CurvesWanted, std::vector<Task>>;
  /// Those of the curves that are finished; no results of tasks once stopped.
  struct Reply {
    std::vector<Curve> curves;
    std::optional<std::vector<TaskResult>> results;
  };

  // What the thread of the course does. It asks for what it needs in the middle of its work, so
  // that it reads from top to bottom.

  void run_course();
  SearchResult course();
  Reply ask(Question question);

  // What those do who hold the search. They and the course never run at once: each waits for the
  // other, and sees all that the other has written.

  void start_course();
  const Question* question();
  void answer(Reply reply);
  void begin(const Question& question);
  bool is_answered(const Question& question) const;
  Reply reply(const Question& question);
  const Question* advance();
  void count(const std::vector<TrialRecord>& records);

  const Plan& plan_;
  const SearchOptions options_;
  StabilityVerdicts verdicts_;
  Scan scan_;
  std::atomic<bool> stopped_{false};
  std::mutex cost_mutex_;
  SearchCost cost_;
  Stage stage_ = Stage::curves;
  std::vector<std::optional<TaskResult>> results_;  ///< of the tasks of this round
  const Question* asked_ = nullptr;                 ///< the question of this round

  std::mutex turn_mutex_;  ///< guards what follows
  std::condition_variable turn_;
  std::optional<Question> question_;
  std::optional<Reply> reply_;
  std::optional<SearchResult> result_;
  std::exception_ptr failure_;
  bool ended_ = false;
  std::thread course_;  ///< last: it uses what stands above
};

}  // namespace macrostep::engine
