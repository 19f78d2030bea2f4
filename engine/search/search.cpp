#include "engine/search/search.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

Search::Search(const Plan& plan, const SearchOptions& options)
    : plan_(plan), options_(options), verdicts_(plan), scan_(plan, all_curves(plan), verdicts_) {}

Search::~Search() {
  if (!course_.joinable()) {
    return;
  }
  try {
    stop();
  } catch (...) {  // of the course: nobody is left to hear it
  }
  course_.join();
}

Wanted Search::wanted() {
  const auto* question = advance();
  Wanted wanted{.stage = stage_, .trials = {}, .tasks = {}};
  if (question == nullptr) {
    return wanted;
  }
  if (const auto* tasks = std::get_if<std::vector<Task>>(question)) {
    wanted.tasks = *tasks;
  } else {
    wanted.trials = scan_.wanted();
    const auto& curves = std::get<CurvesWanted>(*question);
    wanted.fills_gaps = curves.fills_gaps;
    wanted.beside_s = curves.beside_s;
  }
  return wanted;
}

void Search::add(TrialRecord record) {
  count(scan_.add(std::move(record)));
}

void Search::add(std::size_t task, TaskResult result) {
  results_.at(task) = std::move(result);
}

void Search::stop() {
  stopped_ = true;
  while (advance() != nullptr) {
  }
}

SearchResult Search::result() const {
  models::ensure(result_.has_value(), "a search has a result once it wants nothing");
  return *result_;
}

/// The question that has no answer yet; null at the end.
const Search::Question* Search::advance() {
  for (;;) {
    if (asked_ == nullptr) {
      asked_ = question();
      if (asked_ == nullptr) {
        return nullptr;
      }
      begin(*asked_);
    }
    if (!stopped_ && !is_answered(*asked_)) {
      return asked_;
    }
    auto reply = this->reply(*asked_);
    asked_ = nullptr;
    answer(std::move(reply));
  }
}

void Search::begin(const Question& question) {
  if (const auto* tasks = std::get_if<std::vector<Task>>(&question)) {
    results_.assign(tasks->size(), std::nullopt);
    return;
  }
  const auto& curves = std::get<CurvesWanted>(question);
  if (stopped_) {
    return;
  }
  for (const std::size_t curve : curves.curves) {
    if (curves.fills_gaps) {
      count(scan_.fill_gaps(curve));
    } else if (curves.beside_s) {
      count(scan_.ask_beside_grid(curve, *curves.beside_s));
    }
  }
}

bool Search::is_answered(const Question& question) const {
  if (const auto* curves = std::get_if<CurvesWanted>(&question)) {
    return std::ranges::none_of(curves->curves,
                                [&](std::size_t curve) { return scan_.next(curve).has_value(); });
  }
  return std::ranges::all_of(results_, [](const auto& result) { return result.has_value(); });
}

Search::Reply Search::reply(const Question& question) {
  Reply reply;
  if (const auto* wanted = std::get_if<CurvesWanted>(&question)) {
    for (const std::size_t curve : wanted->curves) {
      if (!scan_.next(curve)) {
        reply.curves.push_back(scan_.curve(curve));
      }
    }
  } else if (!stopped_) {
    reply.results.emplace();
    for (auto& result : results_) {
      reply.results->push_back(std::move(*result));
    }
  }
  return reply;
}

void Search::count(const std::vector<TrialRecord>& records) {
  const std::lock_guard lock(cost_mutex_);
  for (const auto& [curve, index, macro_step_s, result] : records) {
    ++cost_.trials;
    cost_.rhs_evaluations += result.rhs_evaluations;
    cost_.shared_evaluations += result.shared_evaluations;
  }
}

/// The question that waits for its answer, from the course, which begins with the first one; null
/// once that has ended.
const Search::Question* Search::question() {
  if (!course_.joinable()) {
    start_course();
  }
  std::unique_lock lock(turn_mutex_);
  turn_.wait(lock, [this] { return question_ || ended_; });
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  return question_ ? &*question_ : nullptr;
}

void Search::answer(Reply reply) {
  {
    const std::lock_guard lock(turn_mutex_);
    question_.reset();
    reply_ = std::move(reply);
  }
  turn_.notify_all();
}

void Search::start_course() {
  try {
    course_ = std::thread(&Search::run_course, this);
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "starting the thread on which a search takes its course");
  }
}

void Search::run_course() {
  std::optional<SearchResult> result;
  std::exception_ptr failure;
  try {
    result = course();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(turn_mutex_);
    result_ = std::move(result);
    failure_ = failure;
    ended_ = true;
  }
  turn_.notify_all();
}

SearchResult Search::course() {
  const CourseNeeds needs{
      .curves = [this](CurvesWanted wanted) { return ask(std::move(wanted)).curves; },
      .has_gaps = [this](std::size_t curve) { return scan_.has_gaps(curve); },
      .perform =
          [this](const std::vector<Task>& tasks) {
            auto reply = stopped_ ? Reply{} : ask(tasks);
            return reply.results
                       ? std::move(*reply.results)
                       : not_performed(tasks, TrialStatus::cancelled, "the search was stopped");
          },
      .begin_stage = [this](Stage stage) { stage_ = stage; },
      .stopped = stopped_};
  auto result = engine::run_course(plan_, options_, verdicts_, needs);
  result.cost = cost_;
  return result;
}

Search::Reply Search::ask(Question question) {
  std::unique_lock lock(turn_mutex_);
  question_ = std::move(question);
  turn_.notify_all();
  turn_.wait(lock, [this] { return reply_.has_value(); });
  return *std::exchange(reply_, std::nullopt);
}

}  // namespace macrostep::engine
