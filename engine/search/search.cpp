#include "engine/search/search.hpp"

#include <algorithm>
#include <utility>

#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

Search::Search(const Plan& plan, const SearchOptions& options)
    : plan_(plan),
      options_(options),
      verdicts_(plan),
      scan_(plan, all_curves(plan), verdicts_),
      talk_([this](Talk& talk) { run_course(talk); }) {}

Search::~Search() {
  try {
    if (talk_.has_begun()) {
      stop();
    }
  } catch (...) {  // of the course: nobody is left to hear it
  }
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
      asked_ = talk_.question();
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
    talk_.answer(std::move(reply));
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

/// On the thread of the dialogue, while nothing else of the search runs.
void Search::run_course(Talk& talk) {
  const CourseNeeds needs{
      .curves = [&](CurvesWanted wanted) { return talk.ask(std::move(wanted)).curves; },
      .has_gaps = [&](std::size_t curve) { return scan_.has_gaps(curve); },
      .perform =
          [&](const std::vector<Task>& tasks) {
            auto reply = stopped_ ? Reply{} : talk.ask(tasks);
            return reply.results
                       ? std::move(*reply.results)
                       : not_performed(tasks, TrialStatus::cancelled, "the search was stopped");
          },
      .begin_stage = [&](Stage stage) { stage_ = stage; },
      .stopped = stopped_};
  result_ = engine::run_course(plan_, options_, verdicts_, needs);
  result_->cost = cost_;
}

}  // namespace macrostep::engine
