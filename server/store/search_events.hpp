// The events of a search as the stream tells them: status, points, finished, changed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "db/store/store.hpp"
#include "engine/search/progress_count.hpp"

namespace macrostep::server {

db::EventText status_event(const std::string& search, std::string_view status,
                           const db::Progress& progress);
/// Tells of trials that are stored together with it: it names them, and event_data() shows them.
db::EventText points_event(const std::string& search, const db::TrialRange& trials,
                           const db::Progress& progress);
/// Tells how a search has ended: id, status, completeness, recommendation and reason are used.
db::EventText finished_event(const db::SearchSummary& summary);

/// Tells that the user has changed name, note, tags or priority of a search.
db::EventText changed_event(const db::SearchSummary& summary);

/// What a stored event says to those who watch: with the points of the trials that it names.
std::string event_data(const db::Store& store, const db::EventRow& event);

/// The costs of a search that runs, for those who watch it.
void add_costs(const engine::SearchProgress& from, db::Progress& to);

}  // namespace macrostep::server
