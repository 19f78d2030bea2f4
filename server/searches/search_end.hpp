// How a search ends in the store: with its results, or with the reason of its failure.
#pragma once

#include <string>

#include "db/store/store.hpp"
#include "engine/search/search.hpp"

namespace macrostep::server {

/// Stores curves, marks, table, recommendations and cost with the event that tells of them. Returns
/// the status: succeeded, failed if nothing of it ran, or cancelled if curves are missing.
std::string store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
                      const engine::SearchResult& result);

/// False while the store does not take it: a full disk has no room for the failure either. True
/// also if the search is not there any more.
bool store_failure(db::Store& store, const std::string& id, const std::string& reason);

}  // namespace macrostep::server
