#include "server/api/searches/events.hpp"

#include <algorithm>
#include <optional>

#include "server/api/frame/application.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_events.hpp"
#include "server/store/search_rows.hpp"

namespace macrostep::server {

namespace {

http::EventBatch batch_after(const db::Store& store, const std::optional<std::string>& search,
                             std::int64_t after, std::size_t limit) {
  const auto rows_wanted =
      std::min(static_cast<std::int64_t>(limit), std::int64_t{db::maximum_page_rows});
  // The status before the events: a search that has ended by now has all its events stored.
  const auto row = search ? store.get_search(*search) : std::nullopt;
  const bool ended = search && (!row || is_final(row->summary.status));
  http::EventBatch batch;
  for (const auto& event : store.events_after(after, rows_wanted, search)) {
    batch.events.push_back(
        {.sequence = event.sequence, .name = event.name, .data = event_data(store, event)});
  }
  batch.finished = ended && static_cast<std::int64_t>(batch.events.size()) < rows_wanted;
  return batch;
}

http::Response events(Application& application, const http::Request& request) {
  const db::Store& store = application.store;
  std::optional<std::string> search;
  if (const auto* id = request.query("search")) {
    if (!store.get_search(*id)) {
      return not_found("search", *id);
    }
    search = *id;
  }
  const std::int64_t newest = store.last_event_sequence();
  const auto last_seen = request.last_event_id();
  const std::int64_t begin = search ? 0 : newest;
  http::Response response;
  response.stream =
      http::EventStream{.source =
                            [&store, search](std::int64_t after, std::size_t limit) {
                              return batch_after(store, search, after, limit);
                            },
                        .hub = application.service.hub(),
                        .after = last_seen && *last_seen <= newest ? *last_seen : begin};
  return response;
}

}  // namespace

void add_events(http::Router& router, Application& application) {
  router.add("GET", "/api/v1/events", {"search"}, bound(application, events));
}

}  // namespace macrostep::server
