// What shards bring on its way into the database file.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "server/base/identity.hpp"
#include "server/searches/search_run.hpp"
#include "server/store/stored_rows.hpp"
#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;

namespace {

/// A search that runs, in a file.
struct StoredSearch {
  explicit StoredSearch(const engine::Plan& searched)
      : plan(searched), store(scratch.file("searches.db")) {
    store.create_search(server::new_search(plan, id, "{}", {}, server::utc_now()));
    start();
  }

  void start() {
    store.start_search(id, {.started_at = server::utc_now(),
                            .configurations = server::configuration_rows(plan),
                            .curves = server::unfinished_curve_rows(plan)});
  }

  std::size_t trials() const { return store.trials_of_search(id).size(); }

  const engine::Plan& plan;
  const Scratch scratch;
  db::Store store;
  server::http::EventHub hub;
  const std::string id = "0123456789abcdef";
  std::atomic<bool> stop{false};
};

/// Searches it in chunks, a curve each, going on with what is stored.
engine::SearchResult run_in_chunks(StoredSearch& search, FakeSystem& fake,
                                   const std::vector<engine::TrialRecord>& stored) {
  const server::Batch batch{.system = fake.system(),
                            .settings = {.folder = search.scratch.file("chunks"),
                                         .chunk_s = a_curve_each,
                                         .on_state = {},
                                         .on_loss = {},
                                         .on_left_running = {}}};
  const server::StoredResults begin{
      .records = stored,
      .begin = {.progress = {.curves_total = static_cast<std::int64_t>(search.plan.curves.size()),
                             .trials_done = static_cast<std::int64_t>(stored.size())},
                .next_trial = static_cast<std::int64_t>(stored.size())}};
  return server::run_and_keep({.store = search.store,
                               .hub = search.hub,
                               .id = search.id,
                               .plan = search.plan,
                               .stored = begin,
                               .provenance = {},
                               .stop = search.stop,
                               .batch = &batch},
                              {});
}

std::vector<engine::TrialRecord> stored_in(const StoredSearch& search) {
  std::vector<engine::TrialRecord> records;
  for (const auto& row : search.store.trials_of_search(search.id)) {
    records.push_back(server::trial_record(row));
  }
  return records;
}

void check_stored(const StoredSearch& search, const std::vector<engine::TrialRecord>& wanted) {
  const auto stored = stored_in(search);
  check_same(stored, wanted);
}

}  // namespace

TEST_CASE("a search in chunks has every trial once in its file, whenever it goes on") {
  const auto plan = small_plan();
  const auto wanted = trials_of(plan);
  StoredSearch search(plan);
  FakeSystem fake;
  REQUIRE(run_in_chunks(search, fake, {}).complete);
  check_stored(search, wanted);
  // All shards are there again, and all of it is stored.
  const auto result = run_in_chunks(search, fake, stored_in(search));
  CHECK(result.complete);
  CHECK(fake.rounds.size() == 1);
  check_stored(search, wanted);
}

TEST_CASE(
    "a shard that differs from what is stored ends the search, though no trial waits for it") {
  const auto plan = small_plan();
  StoredSearch search(plan);
  FakeSystem fake;
  REQUIRE(run_in_chunks(search, fake, {}).complete);
  const std::filesystem::path file = search.scratch.file("chunks/round-0/2.shard");
  auto shard = read_shard(read_whole(file));
  shard.records.back().result.residual_j *= 1 + 1e-15;
  write_durably(file, shard_text(shard));
  CHECK_THROWS_AS(run_in_chunks(search, fake, stored_in(search)), Contradiction);
  CHECK(search.trials() == trials_of(plan).size());
}
