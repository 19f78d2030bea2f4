// What shards bring on its way into the database file.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "db/schema/error.hpp"
#include "db/store/store.hpp"
#include "server/base/identity.hpp"
#include "server/batch/batch_backend.hpp"
#include "server/batch/known_trials.hpp"
#include "server/searches/result_writer.hpp"
#include "server/searches/search_run.hpp"
#include "server/searches/shard_import.hpp"
#include "server/store/stored_rows.hpp"
#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;
using macrostep::server::not_stored;
using macrostep::server::ResultWriter;

namespace {

/// A search that runs, in a file.
struct StoredSearch {
  explicit StoredSearch(const engine::Plan& searched)
      : plan(searched), store(scratch.file("searches.db")) {
    store.create_search(server::new_search(plan, id, "{}", server::utc_now()));
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
  BatchBackend chunks(search.plan, fake.system(),
                      {.folder = search.scratch.file("chunks"),
                       .chunk_s = a_curve_each,
                       .stop = &search.stop,
                       .on_shard = {},
                       .on_curve = {},
                       .on_state = {},
                       .on_loss = {},
                       .on_left_running = {}});
  const server::StoredResults begin{
      .records = stored,
      .begin = {.progress = {.curves_total = static_cast<std::int64_t>(search.plan.curves.size()),
                             .trials_done = static_cast<std::int64_t>(stored.size())},
                .next_trial = static_cast<std::int64_t>(stored.size())}};
  return server::run_and_keep(
      {.store = search.store,
       .hub = search.hub,
       .id = search.id,
       .plan = search.plan,
       .stored = begin,
       .provenance = {},
       .stop = search.stop,
       .chunks = &chunks},
      {.threads = 2, .on_result = {}, .stored = {}, .backend = &chunks.get()});
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
  CHECK(stored.size() == wanted.size());
  CHECK(not_stored(stored, wanted).empty());
}

}  // namespace

TEST_CASE("results that come together are stored in one transaction, or not at all") {
  auto job = small_job();
  job["search"]["linear_region"] = {{"ratio", 1.05}};
  const auto plan = std::get<engine::Plan>(server::json::plan_of(server::json::read_job(job)));
  const auto records = trials_of(plan);
  REQUIRE(records.size() > 2 * server::batch_results);  // and more than an event holds
  const auto last = static_cast<std::int64_t>(records.size()) - 1;
  StoredSearch search(plan);
  {
    ResultWriter writer(search.store, search.hub, search.id, {.progress = {}, .next_trial = last},
                        search.stop);
    writer.add(records.back(), {});
    writer.close();
  }
  REQUIRE(search.trials() == 1);
  {
    ResultWriter writer(search.store, search.hub, search.id, {}, search.stop);
    writer.add_together(records);  // the number of the last of them is taken
    CHECK_THROWS_AS(writer.close(), db::Error);
    CHECK(search.trials() == 1);
    CHECK(search.stop);
  }
  ResultWriter writer(search.store, search.hub, search.id, {}, search.stop);
  writer.add_together({records.begin(), records.end() - 1});
  for (const auto& record : records) {
    if (&record != &records.back()) {
      writer.add(record, {});  // as the search that they are results of reports them
    }
  }
  writer.close();
  CHECK(search.trials() == records.size());
}

TEST_CASE("what is stored of a shard comes in once, and says so where it differs") {
  const auto records = trials_of(small_plan());
  const std::vector<engine::TrialRecord> half(records.begin(), records.begin() + 40);
  CHECK(not_stored({}, records).size() == records.size());
  CHECK(not_stored(records, records).empty());
  auto rest = not_stored(half, records);
  CHECK(rest.size() == records.size() - half.size());
  check_same(rest, {records.begin() + 40, records.end()});
  auto later = records;
  later[3].result.wall_s *= 2;
  CHECK(not_stored(half, later).size() == rest.size());
  later[3].result.residual_j *= 1 + 1e-15;
  CHECK_THROWS_AS(not_stored(half, later), Contradiction);
  // One that was given up keeps its place, and the rest of its curve does not fit to it.
  auto crashed = half;
  crashed[3].result.status = engine::TrialStatus::crashed;
  crashed.resize(4);
  REQUIRE(records[4].curve == records[3].curve);
  rest = not_stored(crashed, records);
  CHECK(std::ranges::none_of(rest,
                             [&](const auto& record) { return record.curve == records[3].curve; }));
}

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
