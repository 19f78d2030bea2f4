#include "server/store/search_events.hpp"

#include "server/json/json_text.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

using json::ObjectText;

db::EventText status_event(const std::string& search, std::string_view status,
                           const db::Progress& progress) {
  db::EventText event{.name = "status", .data = ""};
  ObjectText(event.data)
      .text("search", search)
      .text("status", status)
      .json("progress", progress_json(progress));
  return event;
}

db::EventText points_event(const std::string& search, const db::TrialRange& trials,
                           const db::Progress& progress) {
  db::EventText event{.name = "points", .data = "", .trials = trials};
  ObjectText(event.data).text("search", search).json("progress", progress_json(progress));
  return event;
}

// The trials never change once they are stored, so that every reader is told the same. Events of
// earlier versions hold their points themselves.
std::string event_data(const db::Store& store, const db::EventRow& event) {
  if (!event.trials) {
    return event.data;
  }
  std::string text = event.data;
  text.pop_back();  // the brace that ends it
  text += R"(,"points":)";
  json::append_list(
      text, store.trials_of_event(event),
      [](std::string& out, const db::TrialRow& trial) { append_curve_point(out, trial); });
  text += '}';
  return text;
}

db::EventText finished_event(const db::SearchSummary& summary) {
  db::EventText event{.name = "finished", .data = ""};
  ObjectText(event.data)
      .text("search", summary.id)
      .text("status", summary.status)
      .json_or_null("recommendation", summary.recommendation)
      .text_or_null("reason", summary.reason)
      .text_or_null("sentence", answer_sentence(summary));
  return event;
}

db::EventText changed_event(const db::SearchSummary& summary) {
  db::EventText event{.name = "changed", .data = ""};
  ObjectText(event.data)
      .text("search", summary.id)
      .text("name", summary.name)
      .text("note", summary.note)
      .json("tags", summary.tags)
      .integer("priority", summary.priority);
  return event;
}

void add_costs(const engine::SearchProgress& from, db::Progress& to) {
  to.cost_done = from.cost_done;
  to.cost_expected = from.cost_expected;
  to.eta_s = from.eta_s;
  to.stage = engine::to_string(from.stage);
}

}  // namespace macrostep::server
