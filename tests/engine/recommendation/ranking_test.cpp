#include "engine/recommendation/ranking.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/scan/curve_flags.hpp"

using namespace macrostep::engine;

namespace {

/// Candidates with one curve each, which they point to.
struct Candidates {
  std::vector<Curve> curves = std::vector<Curve>(4);
  std::vector<RankedConfiguration> list;

  Candidates() {
    for (std::size_t c = 0; c < curves.size(); ++c) {
      curves[c].region.cliff_s = 4e-3;
      list.push_back({.configuration = c,
                      .counting = {&curves[c]},
                      .macro_step_s = 1e-3,
                      .cost = 100,
                      .extrapolation = static_cast<Extrapolation>(c)});
    }
  }
  std::vector<std::size_t> best() const {
    std::vector<std::size_t> ids;
    for (const auto& one : best_of(list)) {
      ids.push_back(one.configuration);
    }
    return ids;
  }
};

using Ids = std::vector<std::size_t>;

}  // namespace

TEST_CASE("the larger macro-step wins, whatever it costs") {
  Candidates candidates;
  candidates.list[2].macro_step_s = 1.01e-3;
  candidates.list[2].cost = 1000;
  CHECK(candidates.best() == Ids{2});
}

TEST_CASE("what needs the allowance of a session comes last") {
  Candidates candidates;
  candidates.list[2].macro_step_s = 2e-3;
  candidates.curves[2].flags = {std::string(stable_within_session)};
  CHECK(candidates.best() == Ids{0, 1, 3});
}

TEST_CASE("of costs within a twentieth the larger cliff wins, not the cheaper one") {
  Candidates candidates;
  candidates.list[1].cost = 104;
  candidates.list[2].cost = 106;
  candidates.curves[1].region.cliff_s = 5e-3;
  candidates.curves[2].region.cliff_s = 9e-3;  // but too expensive
  CHECK(candidates.best() == Ids{1});

  candidates.curves[3].region.cliff_s.reset();  // none was reached
  CHECK(candidates.best() == Ids{3});
  // The limit of stability is a cliff that is known exactly.
  candidates.curves[3].stability_limit_s = 4.9e-3;
  CHECK(candidates.best() == Ids{1});
}

TEST_CASE("of equal cliffs the cheaper one comes first, then the lower extrapolation") {
  Candidates candidates;
  candidates.list[0].cost = 101;
  candidates.list[3].extrapolation = Extrapolation::order_0;
  CHECK(candidates.best() == Ids{3, 1, 2, 0});
}

TEST_CASE("the ranking goes on with the best of the rest") {
  Candidates candidates;
  candidates.list[1].macro_step_s = 3e-3;
  candidates.list[2].macro_step_s = 2e-3;
  candidates.list[3].cost = 90;
  Ids ids;
  for (const auto& one : ranking(candidates.list, 3)) {
    ids.push_back(one.configuration);
  }
  CHECK(ids == Ids{1, 2, 3});
  CHECK(ranking(candidates.list, 9).size() == 4);
  CHECK(best_of({}).empty());
}

TEST_CASE("what is recommended instead of an equal one is timed, and first") {
  const auto order = [](const std::vector<TimingCandidate>& candidates) {
    std::vector<std::size_t> list;
    for (const auto& candidate : candidates) {
      list.push_back(candidate.configuration);
    }
    return list;
  };
  const std::vector<TimingCandidate> timed{{.configuration = 4},
                                           {.configuration = 7},
                                           {.configuration = 2},
                                           {.configuration = 9, .eligible = false}};
  auto candidates = timed;
  put_first(candidates, 4, 2);
  CHECK(order(candidates) == std::vector<std::size_t>{2, 4, 7, 9});
  candidates = timed;
  put_first(candidates, 7, 9);  // that of the paper's rule is timed with its own H alone
  CHECK(order(candidates) == std::vector<std::size_t>{9, 4, 2, 9});
  candidates = timed;
  put_first(candidates, 5, 6);
  CHECK(order(candidates) == order(timed));
}
