// Lists of searches: every filter and order shows what it says, in pages that neither repeat nor
// skip, and reads along an index.
#include <algorithm>
#include <set>

#include "db/store/search_walk.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

/// Two dozen searches: three a second, problems and tags in turn, names that differ in case, ended
/// in another order than they were created, some not at all.
void fill_list(Store& store) {
  for (int i = 0; i < 24; ++i) {
    NewSearch search = new_search(numbered("s", 10 + i), i / 3);
    search.name = std::string(i % 2 == 0 ? "Rig " : "rIG ") + std::to_string(10 + (7 * i) % 24);
    search.problem = i % 3 == 0 ? "pipe_volume" : "coupled_pendula";
    search.tags = {"all"};
    if (i % 4 == 0) {
      search.tags.push_back("fourth");
    }
    if (i % 6 == 0) {
      search.tags.push_back("sixth");
    }
    store.create_search(search);
    if (i % 5 == 0) {
      store.start_search(search.id, {.started_at = time_at(30)});
    } else if (i % 5 < 4) {
      store.set_status(search.id, {.status = i % 2 == 0 ? "succeeded" : "failed",
                                   .finished_at = time_at(50 - i)});
    }
  }
}

/// The ids of all pages.
std::vector<std::string> listed(const Store& store, const SearchQuery& query,
                                std::int64_t limit = 5) {
  std::vector<std::string> ids;
  std::optional<std::string> after;
  do {
    const auto page = store.list_searches(limit, after, query);
    for (const auto& row : page.rows) {
      ids.push_back(row.id);
    }
    after = page.next;
  } while (after);
  return ids;
}

/// What the list must show: all searches, filtered and sorted here.
template <class Filter, class Key>
std::vector<std::string> expected(const Store& store, bool descending, Filter filter, Key key) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& row : store.list_searches(1000).rows) {
    if (filter(row)) {
      rows.emplace_back(key(row), row.id);
    }
  }
  std::ranges::sort(rows);
  if (descending) {
    std::ranges::reverse(rows);
  }
  std::vector<std::string> ids;
  for (const auto& [sorted_by, id] : rows) {
    ids.push_back(id);
  }
  return ids;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return text;
}

std::string key_of(const SearchSummary& row, SearchOrder order) {
  switch (order) {
    case SearchOrder::by_end:
      return row.finished_at.value_or("~");
    case SearchOrder::by_name:
      return lower_case(row.name);
    default:
      return row.created_at;
  }
}

bool has_tag(const SearchSummary& row, const std::string& tag) {
  return row.tags.find('"' + tag + '"') != std::string::npos;
}

struct Case {
  const char* what;
  SearchQuery query;
  bool (*filter)(const SearchSummary&);
};

const std::vector<Case> cases = {
    {"all", {}, [](const SearchSummary&) { return true; }},
    {"one status",
     {.statuses = {"succeeded"}},
     [](const SearchSummary& row) { return row.status == "succeeded"; }},
    {"several statuses",
     {.statuses = {"failed", "queued", "running"}},
     [](const SearchSummary& row) { return row.status != "succeeded"; }},
    {"a problem",
     {.problem = "pipe_volume"},
     [](const SearchSummary& row) { return row.problem == "pipe_volume"; }},
    {"a tag",
     {.tags = {"fourth"}},
     [](const SearchSummary& row) { return has_tag(row, "fourth"); }},
    {"two tags",
     {.tags = {"fourth", "sixth"}},
     [](const SearchSummary& row) { return has_tag(row, "fourth") && has_tag(row, "sixth"); }},
    {"a part of the name",
     {.name_part = "RIG 1"},
     [](const SearchSummary& row) { return row.name.find(" 1") != std::string::npos; }},
    {"a time",
     {.created_after = time_at(1), .created_before = time_at(6)},
     [](const SearchSummary& row) {
       return row.created_at > time_at(1) && row.created_at < time_at(6);
     }},
    {"all at once",
     {.statuses = {"failed", "succeeded"},
      .problem = "coupled_pendula",
      .tags = {"all"},
      .name_part = "rig",
      .created_after = time_at(0),
      .created_before = time_at(7)},
     [](const SearchSummary& row) {
       return row.finished_at && row.problem == "coupled_pendula" && row.created_at > time_at(0) &&
              row.created_at < time_at(7);
     }},
    {"nothing", {.problem = "no such"}, [](const SearchSummary&) { return false; }},
    {"no such status", {.statuses = {"' OR 1"}}, [](const SearchSummary&) { return false; }},
    {"what LIKE and SQL would take for more than text",
     {.name_part = "%' OR 1 --_"},
     [](const SearchSummary&) { return false; }}};

TEST_CASE("every filter in every order shows what it says, in pages of any length") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_list(store);
  for (const Case& one : cases) {
    for (const auto order : {SearchOrder::by_creation, SearchOrder::by_end, SearchOrder::by_name}) {
      for (const bool descending : {true, false}) {
        CAPTURE(one.what);
        CAPTURE(static_cast<int>(order));
        CAPTURE(descending);
        SearchQuery query = one.query;
        query.order = order;
        query.descending = descending;
        const auto wanted = expected(store, descending, one.filter,
                                     [&](const SearchSummary& row) { return key_of(row, order); });
        for (const std::int64_t limit : {1, 5, 24}) {
          CHECK(listed(store, query, limit) == wanted);
        }
      }
    }
  }
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a search without a name, and one with the largest of all, are in the list of names") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  NewSearch search = new_search("a");
  search.name = "";
  store.create_search(search);
  search = new_search("b");
  search.name.clear();
  for (int i = 0; i < 50; ++i) {
    search.name += "\xf4\x8f\xbf\xbf";  // U+10FFFF
  }
  store.create_search(search);
  SearchQuery by_name{.order = SearchOrder::by_name, .descending = false};
  CHECK(listed(store, by_name, 1) == std::vector<std::string>{"a", "b"});
  by_name.descending = true;
  CHECK(listed(store, by_name, 1) == std::vector<std::string>{"b", "a"});
}

TEST_CASE("a cursor belongs to its filters and its order") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_list(store);
  const SearchQuery query{.statuses = {"succeeded"}, .tags = {"all"}};
  const auto next = store.list_searches(2, {}, query).next;
  REQUIRE(next.has_value());
  CHECK(next->starts_with("-created_at."));
  const auto is_refused = [&](const SearchQuery& other, const std::string& cursor) {
    return kind_thrown_by([&] { store.list_searches(2, cursor, other); }) == ErrorKind::bad_cursor;
  };
  for (const Case& one : cases) {
    CHECK(is_refused(one.query, *next));
  }
  auto other = query;
  other.descending = false;
  CHECK(is_refused(other, *next));
  other = query;
  other.order = SearchOrder::by_name;
  CHECK(is_refused(other, *next));
  for (const std::string& bad : {next->substr(0, next->rfind('.')), *next + "g0", *next + "0",
                                 std::string("-created_at."), std::string()}) {
    CHECK(is_refused(query, bad));
  }
}

// A row in 12,001 has the name: the first page looks at its limit, the second finds it.
TEST_CASE("a page looks at no more searches than its limit, and the next goes on from there") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  {
    Connection raw(directory.file(), OpenMode::write_create);
    raw.execute(R"(
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
INSERT INTO searches (id, number, name, problem, status, created_at, linear_region_rule)
SELECT printf('s%05d', i), i, iif(i = 100, 'needle', 'hay'), 'p', 'succeeded',
  '2025-01-31T12:00:00.000Z', 'tangent' FROM n)");
  }
  for (const auto order : {SearchOrder::by_creation, SearchOrder::by_end}) {
    const SearchQuery query{.name_part = "needle", .order = order};
    const auto first = store.list_searches(10, {}, query);
    CHECK(first.rows.empty());
    REQUIRE(first.next.has_value());
    const auto second = store.list_searches(10, first.next, query);
    REQUIRE(second.rows.size() == 1);
    CHECK(second.rows[0].id == "s00100");
    CHECK_FALSE(second.next.has_value());
  }
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("only what has ended and has no tag is disposable, what ended first first") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (int i = 0; i < 6; ++i) {
    NewSearch search = new_search(numbered("s", i), i);
    search.tags.clear();
    if (i == 1) {
      search.tags = {"kept"};
    }
    store.create_search(search);
    if (i != 2) {
      store.set_status(search.id, {.status = "failed", .finished_at = time_at(20 - i)});
    }
  }
  using Ids = std::vector<std::string>;
  const auto ids = [](const std::vector<DisposableSearch>& searches) {
    Ids result;
    for (const auto& search : searches) {
      result.push_back(search.id);
    }
    return result;
  };
  CHECK(ids(store.disposable_searches_beyond(0, 10)) == Ids{"s5", "s4", "s3", "s0"});
  CHECK(ids(store.disposable_searches_beyond(0, 2)) == Ids{"s5", "s4"});
  CHECK(ids(store.disposable_searches_beyond(3, 10)) == Ids{"s5"});
  CHECK(store.disposable_searches_beyond(4, 10).empty());
  CHECK(ids(store.disposable_searches_ended_before(time_at(17), 10)) == Ids{"s5", "s4"});
  CHECK(ids(store.disposable_searches_ended_before(time_at(59), 10)) ==
        Ids{"s5", "s4", "s3", "s0"});
  const DisposableSearch found_s5{"s5", time_at(15)};
  const DisposableSearch found_s1{"s1", time_at(19)};
  CHECK(store.disposable_searches_beyond(3, 10).front() == found_s5);
  CHECK_FALSE(store.delete_disposable_search({"s5", time_at(16)}));
  CHECK(store.delete_disposable_search(found_s5));
  CHECK_FALSE(store.delete_disposable_search(found_s5));
  CHECK_FALSE(store.delete_disposable_search(found_s1));
  CHECK_FALSE(store.delete_disposable_search({"s2", "~"}));
  store.change_search("s1", {.tags = Ids()});
  CHECK(store.delete_disposable_search(found_s1));
  CHECK(store.list_searches(10).rows.size() == 4);
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("what is disposable is counted through every change of ends and tags") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  using Tags = std::vector<std::string>;
  const auto disposable = [&](std::size_t count) {
    CHECK(check_database(directory.file()).empty());  // the count is right, too
    return store.disposable_searches_beyond(0, 10).size() == count &&
           store.disposable_searches_beyond(static_cast<std::int64_t>(count), 10).empty();
  };
  NewSearch search = new_search("a");
  search.tags.clear();
  store.create_search(search);
  CHECK(disposable(0));
  store.set_status("a", {.status = "cancelled", .finished_at = time_at(10)});
  CHECK(disposable(1));
  store.set_status("a", {.status = "cancelled", .finished_at = time_at(11)});
  CHECK(disposable(1));
  store.change_search("a", {.tags = Tags{"x", "y"}});
  CHECK(disposable(0));
  store.change_search("a", {.tags = Tags{"x"}});
  CHECK(disposable(0));
  store.change_search("a", {.tags = Tags()});
  CHECK(disposable(1));
  store.set_status("a", {.status = "queued"});
  CHECK(disposable(0));
  store.start_search("a", search_start());
  store.finish_search("a", search_end(0));
  CHECK(disposable(1));
  fill(store, "b");
  CHECK(disposable(1));
  CHECK(store.delete_search("b"));
  CHECK(disposable(1));
  CHECK(store.delete_search("a"));
  CHECK(disposable(0));
}

TEST_CASE("searches that may go are found without a look at those that stay") {
  const TemporaryDirectory directory;
  const Store store(directory.file());
  Connection raw(directory.file(), OpenMode::read);
  for (const std::string sql : {disposable_before_sql, disposable_beyond_sql}) {
    CAPTURE(sql);
    CHECK(sql.find("OFFSET") == std::string::npos);
    auto plan = raw.prepare("EXPLAIN QUERY PLAN " + sql);
    bool by_its_index = false;
    while (plan.step()) {
      CHECK_MESSAGE(plan.text(3).find("SCAN ") != 0, plan.text(3));
      CHECK_MESSAGE(plan.text(3).find("TEMP B-TREE") == std::string::npos, plan.text(3));
      by_its_index = by_its_index || plan.text(3).find("searches_disposable") != std::string::npos;
    }
    CHECK(by_its_index);
  }
}

TEST_CASE("no walk of any list scans a table or sorts one") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_list(store);
  Connection raw(directory.file(), OpenMode::read);
  std::set<std::string> statements;
  for (const Case& one : cases) {
    for (const auto order : {SearchOrder::by_creation, SearchOrder::by_end, SearchOrder::by_name}) {
      for (const bool descending : {true, false}) {
        SearchQuery query = one.query;
        query.order = order;
        query.descending = descending;
        statements.insert(walk_sql(query, nullptr));
        if (order == SearchOrder::by_creation && query.tags.empty()) {
          statements.insert(walk_sql(query, "queued"));
        }
      }
    }
  }
  CHECK(statements.size() >= 12);
  for (const std::string& sql : statements) {
    CAPTURE(sql);
    auto plan = raw.prepare("EXPLAIN QUERY PLAN " + sql);
    int steps = 0;
    for (; plan.step(); ++steps) {
      CHECK_MESSAGE(plan.text(3).starts_with("SEARCH "), plan.text(3));
      CHECK_MESSAGE(plan.text(3).find("INDEX") != std::string::npos, plan.text(3));
    }
    CHECK(steps >= 1);
  }
}

TEST_CASE("searches of the same millisecond are found in the order in which they were stored") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  const std::vector<std::string> ids = {"d", "a", "c", "b"};
  for (const auto& id : ids) {
    store.create_search(new_search(id, 1));
  }
  store.create_search(new_search("e", 0));
  const std::vector<std::string> statuses = {"queued"};
  std::vector<std::string> found;
  for (const auto& row : store.searches_with_status(statuses)) {
    found.push_back(row.id);
  }
  CHECK(found == std::vector<std::string>{"e", "d", "a", "c", "b"});
}

}  // namespace
}  // namespace macrostep::db
