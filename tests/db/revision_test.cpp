// The revision of a store: what whoever keeps something that was read may rely on.
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE(
    "the revision grows with what is written before the call returns, and with nothing else") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  const auto first = store.revision();
  store.create_search(new_search("a"));
  const auto created = store.revision();
  CHECK(created > first);
  CHECK(store.get_search("a").has_value());
  CHECK(kind_thrown_by([&] { store.create_search(new_search("a")); }) == ErrorKind::constraint);
  CHECK(store.revision() == created);
  CHECK(store.delete_search("a"));
  CHECK(store.revision() > created);
}

}  // namespace
}  // namespace macrostep::db
