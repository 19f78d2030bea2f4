#include "server/searches/search_end.hpp"

#include "db/schema/error.hpp"
#include "server/base/identity.hpp"
#include "server/store/search_events.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

std::string store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
                      const engine::SearchResult& result) {
  const db::SearchEnd end = search_end(plan, result, utc_now());
  store.finish_search(
      id, end,
      {finished_event(with_recommendation(
          {.id = id, .status = end.status, .complete = end.complete, .reason = end.reason},
          end.recommendations))});
  return end.status;
}

bool store_failure(db::Store& store, const std::string& id, const std::string& reason) {
  try {
    store.set_status(id, {.status = "failed", .reason = reason, .finished_at = utc_now()},
                     {finished_event({.id = id, .status = "failed", .reason = reason})});
  } catch (const db::Error& error) {
    return error.kind() == db::ErrorKind::not_found;
  }
  return true;
}

}  // namespace macrostep::server
