// FMUs in the store: what is written is read, found by name, in pages.
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

FmuRow fmu(char digit, const std::string& file, const std::string& model, int second = 0) {
  return {.sha256 = std::string(64, digit),
          .file_name = file,
          .model_name = model,
          .fmi_version = "2.0",
          .interfaces = R"(["co_simulation"])",
          .size_bytes = 1234,
          .uploaded_at = time_at(second)};
}

TEST_CASE("an FMU is read as it was written, and is there once") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  CHECK(store.add_fmu(fmu('a', "mass.fmu", "Mass")));
  CHECK_FALSE(store.add_fmu(fmu('a', "other.fmu", "Other", 5)));
  const auto row = store.get_fmu(std::string(64, 'a'));
  REQUIRE(row.has_value());
  CHECK(row->file_name == "mass.fmu");
  CHECK(row->model_name == "Mass");
  CHECK(row->fmi_version == "2.0");
  CHECK(row->interfaces == R"(["co_simulation"])");
  CHECK(row->size_bytes == 1234);
  CHECK(row->uploaded_at == time_at(0));
  CHECK(store.add_fmu(fmu('b', "Mass", "Mass")));  // without a name of its own
  CHECK_FALSE(store.add_fmu(fmu('b', "m1.fmu", "Mass")));
  CHECK(store.get_fmu(std::string(64, 'b'))->file_name == "m1.fmu");
  CHECK(store.delete_fmu(std::string(64, 'b')));
  CHECK(store.delete_fmu(std::string(64, 'a')));
  CHECK_FALSE(store.delete_fmu(std::string(64, 'a')));
  CHECK_FALSE(store.get_fmu(std::string(64, 'a')).has_value());
  CHECK(kind_thrown_by([&] { store.add_fmu({.sha256 = "short", .uploaded_at = time_at(0)}); }) ==
        ErrorKind::constraint);
}

TEST_CASE("what needs an FMU is stored only with it, and keeps it until its end") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  const auto wanted = fmu('a', "mass.fmu", "Mass");
  auto search = new_search("needs");
  search.plan = R"({"fmu":")" + wanted.sha256 + "\"}";
  search.fmus = {wanted.sha256};
  CHECK(kind_thrown_by([&] { store.create_search(search); }) == ErrorKind::unknown_fmu);
  CHECK_FALSE(store.get_search("needs").has_value());
  CHECK(kind_thrown_by([&] {
          store.create_analysis(
              {.id = "map", .kind = "map", .created_at = time_at(0), .fmus = search.fmus});
        }) == ErrorKind::unknown_fmu);
  CHECK_FALSE(store.get_analysis("map").has_value());
  CHECK(store.delete_unused_fmu(wanted.sha256) == FmuRemoval::unknown);
  store.add_fmu(wanted);
  store.add_fmu(fmu('b', "other.fmu", "Other"));
  store.create_search(search);
  store.create_analysis({.id = "map",
                         .kind = "map",
                         .name = "map",
                         .problem = "own",
                         .created_at = time_at(0),
                         .plan = search.plan});
  CHECK(store.delete_unused_fmu(std::string(64, 'b')) == FmuRemoval::done);
  CHECK(store.delete_unused_fmu(wanted.sha256) == FmuRemoval::in_use);
  store.set_status("needs", {.status = "cancelled"});
  CHECK(store.delete_unused_fmu(wanted.sha256) == FmuRemoval::in_use);
  store.set_analysis_status("map", {.status = "failed"});
  CHECK(store.get_fmu(wanted.sha256).has_value());
  CHECK(store.delete_unused_fmu(wanted.sha256) == FmuRemoval::done);
  CHECK_FALSE(store.get_fmu(wanted.sha256).has_value());
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("FMUs are listed newest first, page by page, and found by either name") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (int i = 0; i < 5; ++i) {
    store.add_fmu(fmu(static_cast<char>('0' + i), numbered("f", i), i < 2 ? "Mass" : "Spring", i));
  }
  std::string order;
  std::optional<std::string> after;
  do {
    const auto page = store.list_fmus(2, after);
    for (const auto& row : page.rows) {
      order += row.file_name + " ";
    }
    after = page.next;
  } while (after);
  CHECK(order == "f4 f3 f2 f1 f0 ");
  const auto part = store.list_fmus(1, {}, {.name_part = "mAS"});
  REQUIRE(part.rows.size() == 1);
  CHECK(part.rows[0].file_name == "f1");
  CHECK(store.list_fmus(1, part.next, {.name_part = "mAS"}).rows.at(0).file_name == "f0");
  CHECK(store.list_fmus(10, {}, {.name_part = "F3"}).rows.at(0).file_name == "f3");
  CHECK(store.list_fmus(10, {}, {.name_part = "f_"}).rows.empty());
  CHECK(kind_thrown_by([&] { store.list_fmus(1, part.next); }) == ErrorKind::bad_cursor);
  REQUIRE(store.fmus_named("Mass", 10).size() == 2);
  CHECK(store.fmus_named("Mass", 10)[0].file_name == "f1");
  CHECK(store.fmus_named("f3", 10).size() == 1);
  CHECK(store.fmus_named("Spring", 2).size() == 2);
  CHECK(store.fmus_named("nothing", 2).empty());
  CHECK(store.full_scan_steps() == 0);
}

}  // namespace
}  // namespace macrostep::db
