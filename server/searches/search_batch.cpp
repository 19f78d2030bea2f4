#include "server/searches/search_batch.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "server/json/json_text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

std::vector<std::string> executors_of(const BatchOffer& offer) {
  std::vector<std::string> names{local_executor};
  if (offer.executor != local_executor) {
    names.push_back(offer.executor);
  }
  return names;
}

/// The templates of one executor.
std::vector<std::string> templates_of(const BatchOffer& offer, const std::string& executor) {
  std::vector<std::string> names;
  if (executor != local_executor) {
    for (const auto& [name, words] : offer.templates) {
      names.push_back(name);
    }
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string executors_json(const BatchOffer& offer) {
  nlohmann::ordered_json executors = nlohmann::ordered_json::array();
  for (const auto& name : executors_of(offer)) {
    executors.push_back({{"name", name}, {"templates", templates_of(offer, name)}});
  }
  return nlohmann::ordered_json{{"default", offer.executor}, {"executors", executors}}.dump();
}

engine::FieldErrors unknown_executor(const BatchOffer& offer, const json::ExecutorChoice& choice) {
  const auto executors = executors_of(offer);
  if (!has(executors, choice.name)) {
    return {{"/executor/name",
             "this server does not have it: " + json::unknown_name(choice.name, executors)}};
  }
  const auto templates = templates_of(offer, choice.name);
  if (choice.template_name && !has(templates, *choice.template_name)) {
    return {{"/executor/template", templates.empty()
                                       ? "this server has no templates for " + choice.name
                                       : "this server does not have it: " +
                                             json::unknown_name(*choice.template_name, templates)}};
  }
  return {};
}

std::optional<ChunkRun> chunk_run(const BatchOffer& offer,
                                  const std::optional<json::ExecutorChoice>& choice) {
  const auto& name = choice ? choice->name : offer.executor;
  if (name == local_executor) {
    return std::nullopt;
  }
  return ChunkRun{.template_name = choice ? choice->template_name : std::nullopt};
}

std::filesystem::path chunk_folder(const BatchOffer& offer, const std::string& search) {
  return offer.folder / search;
}

void remove_chunks(const BatchOffer& offer, const std::string& search) {
  if (offer.executor != local_executor) {
    std::error_code ignored;  // its tasks may still write there; nobody looks at it any more
    std::filesystem::remove_all(chunk_folder(offer, search), ignored);
  }
}

std::string batch_json(const BatchOffer& offer, const ChunkRun& run, const BatchState& state) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  const auto present = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  std::string text;
  {
    json::ObjectText object(text);
    object.text("executor", offer.executor)
        .text_or_null("template", run.template_name)
        .text_or_null("array", present(state.array))
        .integer("rounds", count(state.rounds));
    json::ObjectText(object.member("chunks"))
        .integer("queued", count(state.queued))
        .integer("running", count(state.running))
        .integer("done", count(state.done))
        .integer("failed", count(state.lost))
        .integer("resubmitted", count(state.resubmitted));
    object.text_or_null("message", present(state.message));
  }
  return text;
}

}  // namespace macrostep::server
