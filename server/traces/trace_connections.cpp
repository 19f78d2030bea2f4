#include "server/traces/trace_connections.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/job/extrapolation.hpp"
#include "server/json/json_text.hpp"

namespace macrostep::server {

namespace {

struct Connection {
  std::string from;
  std::string to;
  bool extrapolate = true;
  int delay_macro_steps = 0;
};

std::vector<Connection> own_connections(const nlohmann::json& problem) {
  std::vector<Connection> list;
  for (const auto& one : problem.value("connections", nlohmann::json::array())) {
    list.push_back({.from = one.at("from"),
                    .to = one.at("to"),
                    .extrapolate = one.value("extrapolate", true),
                    .delay_macro_steps = one.value("delay_macro_steps", 0)});
  }
  return list;
}

std::optional<std::vector<Connection>> built_in_connections(const nlohmann::json& job,
                                                            const std::string& coupling) {
  const auto* entry = engine::find_built_in(job.at("problem").get<std::string>());
  if (entry == nullptr) {
    return std::nullopt;
  }
  const auto parameters = job.value("parameters", std::map<std::string, double>{});
  const auto built = entry->build(parameters);
  const auto* problem = std::get_if<engine::Problem>(&built);
  const auto* chosen = problem != nullptr ? problem->find_coupling(coupling) : nullptr;
  if (chosen == nullptr) {
    return std::nullopt;
  }
  std::vector<Connection> list;
  for (const auto& one : chosen->connections) {
    list.push_back({.from = one.from.text(),
                    .to = one.to.text(),
                    .extrapolate = one.extrapolate,
                    .delay_macro_steps = one.delay_macro_steps});
  }
  return list;
}

/// The order of the polynomial through the newest exchanged values; nothing where it is another
/// method.
std::optional<std::int64_t> order_of(const Connection& connection,
                                     const std::string& extrapolation) {
  if (!connection.extrapolate) {
    return 0;
  }
  const auto method = engine::extrapolation_from(extrapolation);
  return method && *method <= engine::Extrapolation::order_4
             ? std::optional<std::int64_t>(engine::order(*method))
             : std::nullopt;
}

}  // namespace

std::string connections_json(const StoredTrial& trial) {
  const auto job = nlohmann::json::parse(trial.search.plan);
  const auto configuration = nlohmann::json::parse(trial.configuration.json);
  const auto connections = job.at("problem").is_object()
                               ? std::optional(own_connections(job.at("problem")))
                               : built_in_connections(job, configuration.at("coupling"));
  if (!connections) {
    return "null";
  }
  const std::string extrapolation = configuration.at("extrapolation");
  std::string text;
  json::append_list(text, *connections, [&](std::string& out, const Connection& one) {
    json::ObjectText(out)
        .text("from", one.from)
        .text("to", one.to)
        .boolean("extrapolate", one.extrapolate)
        .integer_or_null("order", order_of(one, extrapolation))
        .integer("delay_macro_steps", one.delay_macro_steps);
  });
  return text;
}

}  // namespace macrostep::server
