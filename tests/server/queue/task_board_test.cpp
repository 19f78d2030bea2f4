// The order in which searches and analyses are run, without running any.
#include "server/queue/task_board.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace macrostep::server {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

WaitingTask waiting(const std::string& id, int priority, std::chrono::milliseconds queued_at) {
  return {{id}, priority, Milliseconds(queued_at)};
}

std::string order_of(TaskQueue queue) {
  std::string order;
  while (!queue.empty()) {
    order += queue.pop().task.id;
  }
  return order;
}

TEST_CASE("what is more important is run first, then what was queued first") {
  TaskQueue queue;
  queue.push(waiting("a", 0, seconds(1)));
  queue.push(waiting("b", 0, seconds(2)));
  queue.push(waiting("c", 5, seconds(3)));
  queue.push(waiting("d", -5, seconds(0)));
  queue.push(waiting("e", 5, seconds(4)));
  CHECK(order_of(queue) == "ceabd");
  // Tasks of one moment run in the order in which they came.
  queue.push(waiting("f", 5, seconds(4)));
  CHECK(order_of(queue) == "cefabd");
}

TEST_CASE("what waits keeps its plan, but for what comes behind so many plans") {
  const auto plan = std::make_shared<const SearchPlan>();
  TaskQueue queue;
  for (std::size_t i = 0; i <= most_plans_in_queue; ++i) {
    auto one = waiting(std::to_string(i), 0, seconds(i));
    one.plan = plan;
    queue.push(std::move(one));
  }
  queue.set_priority("0", 1);
  for (std::size_t i = 0; i < most_plans_in_queue; ++i) {
    CHECK(queue.pop().plan == plan);
  }
  CHECK(queue.pop().plan == nullptr);
}

TEST_CASE("a minute of waiting is worth a point, so that nothing waits for ever") {
  TaskQueue queue;
  queue.push(waiting("patient", -100, minutes(0)));
  // A stream of the most important ones: each is queued when the one before it is run.
  int run_before = 0;
  for (int minute = 1; minute < 1000; ++minute) {
    queue.push(waiting("important", 100, minutes(minute)));
    if (queue.pop().task.id == "patient") {
      break;
    }
    ++run_before;
  }
  CHECK(run_before == 199);

  TaskQueue points;
  points.push(waiting("a", 0, seconds(0)));
  points.push(waiting("b", 1, seconds(59)));
  points.push(waiting("c", 1, seconds(61)));
  CHECK(order_of(points) == "bac");
}

TEST_CASE("the position tells how many come before, whatever is taken out or put in") {
  TaskQueue queue;
  std::mt19937 random(7);
  std::vector<std::string> ids;
  for (int i = 0; i < 200; ++i) {
    ids.push_back("task" + std::to_string(i));
    queue.push(waiting(ids.back(), static_cast<int>(random() % 11) - 5,
                       seconds(static_cast<int>(random() % 300))));
  }
  for (int i = 0; i < 50; ++i) {
    const auto& id = ids[random() % ids.size()];
    if (i % 2 == 0) {
      queue.take({id});
      CHECK_FALSE(queue.position(id).has_value());
      CHECK_FALSE(queue.contains(id));
    } else {
      queue.set_priority(id, static_cast<int>(random() % 201) - 100);
    }
  }
  for (std::size_t size = queue.size(); size > 0; --size) {
    TaskQueue copy = queue;
    const auto next = queue.pop().task.id;
    CHECK(copy.position(next) == 1u);
    for (const auto& id : ids) {
      if (const auto before = copy.position(id); before && id != next) {
        CHECK(queue.position(id) == *before - 1);
      }
    }
  }
}

TEST_CASE("what is taken out is put back where it was, and an id is of one kind") {
  TaskQueue queue;
  queue.push(waiting("a", 0, seconds(1)));
  queue.push(waiting("b", 0, seconds(2)));
  queue.push({{"m", TaskKind::analysis}, 0, Milliseconds(seconds(3))});
  CHECK_FALSE(queue.take({"m"}).has_value());
  CHECK_FALSE(queue.take({"none"}).has_value());
  auto taken = queue.take({"a"});
  REQUIRE(taken.has_value());
  CHECK(order_of(queue) == "bm");
  queue.push(std::move(*taken));
  CHECK(order_of(queue) == "abm");
  CHECK_THROWS(queue.push(waiting("b", 0, seconds(9))));
  CHECK(queue.size() == 3);
}

TEST_CASE("the time until there is room is the mean of the last runs, within limits") {
  RunTimes times;
  CHECK(times.until_room() == RunTimes::unknown_wait);
  times.add(std::chrono::milliseconds(1));
  CHECK(times.until_room() == RunTimes::shortest_wait);
  times.add(seconds(9));
  CHECK(times.until_room() == seconds(5));
  times.add(std::chrono::hours(5));
  CHECK(times.until_room() == RunTimes::longest_wait);
  for (std::size_t i = 0; i < RunTimes::remembered_runs; ++i) {
    times.add(seconds(30));
  }
  CHECK(times.until_room() == seconds(30));
}

}  // namespace
}  // namespace macrostep::server
