// Everything that changes searches in the file. Each function does within
// a statement or the caller's transaction what the member of Store of its name promises
// (store.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/rows/rows.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

Sequences create_search(Connection& connection, const NewSearch& search, const Events& events);
Sequences start_search(Connection& connection, std::string_view search, const SearchStart& start,
                       const Events& events);
Sequences append_results(Connection& connection, std::string_view search, const ResultBatch& batch,
                         const Events& events);
Sequences finish_search(Connection& connection, std::string_view search, const SearchEnd& end,
                        const Events& events);
Sequences set_status(Connection& connection, std::string_view search, const StatusChange& change,
                     const Events& events);
Sequences change_search(Connection& connection, std::string_view search, const SearchChange& change,
                        const Events& events);
std::vector<std::string> mark_interrupted(Connection& connection);
bool delete_disposable_search(Connection& connection, const DisposableSearch& search);
bool delete_search(Connection& connection, std::string_view search);

}  // namespace macrostep::db
