#include "server/batch/chunk.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/fmi/archive/sha256.hpp"
#include "server/batch/search_task_json.hpp"
#include "server/json/exact_json.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "server/workers/task_json.hpp"

namespace macrostep::server {

namespace {

using json::Members;
using json::Value;

constexpr const char* manifest_format = "macrostep manifest 3";
constexpr const char* shard_format = "macrostep shard 3";
constexpr std::string_view checksum_begin = "sha256 ";

Json record_json(const engine::TrialRecord& record) {
  return {{"curve", record.curve},
          {"index", record.index},
          {"macro_step_s", exact(record.macro_step_s)},
          {"result", trial_result_json(record.result)}};
}

engine::TrialRecord read_record(const Json& json) {
  return {.curve = json.at("curve").get<std::size_t>(),
          .index = json.at("index").get<std::size_t>(),
          .macro_step_s = exact_number(json.at("macro_step_s")),
          .result = read_trial_result(json.at("result"))};
}

Json foreign_json(const ForeignChunk& foreign) {
  const auto& settings = foreign.settings;
  return {{"fmus", foreign.fmus},
          {"sandbox", settings.sandbox == SandboxMode::bubblewrap},
          {"step_timeout_s", settings.step_timeout_s},
          {"trial_timeout_s", settings.trial_timeout_s},
          {"memory_mb", settings.memory_mb},
          {"trials_per_worker", settings.trials_per_worker}};
}

/// Cuts the first line off.
std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  if (end == text.npos) {
    throw BadChunk("it is cut off");
  }
  const auto line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// What the checksum at the end of it is of.
std::string_view without_checksum(std::string_view text) {
  constexpr std::size_t digits = 64;
  const std::size_t size = checksum_begin.size() + digits + 1;
  const auto tail = text.substr(text.size() - std::min(size, text.size()));
  if (tail.size() != size || !tail.starts_with(checksum_begin) || tail.back() != '\n') {
    throw BadChunk("it is cut off");
  }
  text.remove_suffix(size);
  if (tail.substr(checksum_begin.size(), digits) != models::fmi::sha256_of(text)) {
    throw BadChunk("its checksum is wrong");
  }
  return text;
}

/// Numbers of trials and the like.
std::optional<int> count_of(const Value& value) {
  return value.integer(0, std::numeric_limits<int>::max());
}

std::vector<std::size_t> read_curves(const Value& list) {
  std::vector<std::size_t> curves;
  std::set<int> seen;
  for (const auto& element : list.elements()) {
    const auto curve = count_of(element);
    if (curve && !seen.insert(*curve).second) {
      element.fail("is there twice: curve " + std::to_string(*curve));
    }
    curves.push_back(static_cast<std::size_t>(curve.value_or(0)));
  }
  return curves;
}

std::vector<engine::TrialRecord> read_known(const Value& list) {
  std::vector<engine::TrialRecord> known;
  for (const auto& element : list.elements()) {
    try {
      known.push_back(read_record(Json(element.json())));
      // As text: to JSON −1 and 2⁶⁴ − 1 are equal.
      if (nlohmann::json(record_json(known.back())).dump() != element.json().dump()) {
        element.fail("is no trial as it would be written");
      }
    } catch (const std::exception& error) {
      element.fail(std::string("is no trial: ") + error.what());
    }
  }
  return known;
}

ForeignChunk read_foreign(const Value& object) {
  Members members(object);
  ForeignChunk foreign;
  auto& settings = foreign.settings;
  if (const auto fmus = members.require("fmus")) {
    for (const auto& [sha256, hash] : fmus->entries()) {
      foreign.fmus[sha256] = hash.text().value_or("");
    }
  }
  bool sandbox = true;
  json::read_required(members, "sandbox", sandbox, [](const Value& is) { return is.boolean(); });
  settings.sandbox = sandbox ? SandboxMode::bubblewrap : SandboxMode::none;
  const auto positive = [](const Value& value) { return value.positive(); };
  json::read_required(members, "step_timeout_s", settings.step_timeout_s, positive);
  json::read_required(members, "trial_timeout_s", settings.trial_timeout_s, positive);
  json::read_required(members, "memory_mb", settings.memory_mb, count_of);
  json::read_required(members, "trials_per_worker", settings.trials_per_worker, count_of);
  return foreign;
}

std::vector<std::string> read_tasks(const Value& list) {
  std::vector<std::string> tasks;
  for (const auto& element : list.elements()) {
    try {
      const Json json = search_task_json(read_search_task(Json(element.json())));
      if (nlohmann::json(json) != element.json()) {
        element.fail("is no task as it would be written");
      }
      tasks.push_back(json.dump());
    } catch (const std::exception& error) {
      element.fail(std::string("is no task: ") + error.what());
    }
  }
  return tasks;
}

/// Reports what it is not.
Manifest manifest_in(const Value& document) {
  Manifest manifest;
  Members members(document);
  const auto text = [](const Value& value) { return value.text(); };
  if (const auto format = members.require("format"); format && format->json() != manifest_format) {
    format->fail("must be " + json::in_quotes(manifest_format));
  }
  json::read_required(members, "build_id", manifest.build_id, text);
  json::read_required(members, "math_class", manifest.math_class, text);
  if (const auto curves = members.require("curves")) {
    manifest.curves = read_curves(*curves);
  }
  json::read_required(members, "fills_gaps", manifest.fills_gaps,
                      [](const Value& value) { return value.boolean(); });
  if (const auto beside = members.require("beside_s"); beside && !beside->is_null()) {
    manifest.beside_s = beside->positive();
  }
  if (const auto most = members.require("most_trials"); most && !most->is_null()) {
    manifest.most_trials = most->integer(1, std::numeric_limits<int>::max());
  }
  if (const auto known = members.require("known")) {
    manifest.known = read_known(*known);
  }
  if (const auto tasks = members.require("tasks")) {
    manifest.tasks = read_tasks(*tasks);
  }
  json::read_required(members, "losses", manifest.losses, count_of);
  if (const auto foreign = members.require("foreign"); foreign && !foreign->is_null()) {
    manifest.foreign = read_foreign(*foreign);
  }
  if (const auto job = members.require("job")) {
    manifest.job = job->json().dump();
  }
  return manifest;
}

template <class Read>
auto refusing_other_json(const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::parse_error& error) {
    throw BadChunk("it is not JSON from byte " + std::to_string(error.byte) + " on");
  } catch (const nlohmann::json::exception& error) {
    throw BadChunk(std::string("it is damaged: ") + error.what());
  } catch (const BadChunk&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw BadChunk(std::string("it is damaged: ") + error.what());
  }
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  Json known = Json::array();
  for (const auto& record : manifest.known) {
    known.push_back(record_json(record));
  }
  Json tasks = Json::array();
  for (const auto& task : manifest.tasks) {
    tasks.push_back(Json::parse(task));
  }
  return dumped({{"format", manifest_format},
                 {"build_id", manifest.build_id},
                 {"math_class", manifest.math_class},
                 {"curves", manifest.curves},
                 {"fills_gaps", manifest.fills_gaps},
                 {"beside_s", manifest.beside_s ? Json(*manifest.beside_s) : Json()},
                 {"most_trials", manifest.most_trials ? Json(*manifest.most_trials) : Json()},
                 {"known", std::move(known)},
                 {"tasks", std::move(tasks)},
                 {"losses", manifest.losses},
                 {"foreign", manifest.foreign ? foreign_json(*manifest.foreign) : Json()},
                 {"job", Json::parse(manifest.job)}}) +
         "\n";
}

Manifest read_manifest(std::string_view text) {
  return refusing_other_json([&] {
    const auto document = nlohmann::json::parse(text);
    json::Errors errors;
    auto manifest = manifest_in(Value(document, "", errors));
    // Another build may write other members: it is refused for being another, by who reads it.
    const bool of_another_build =
        !manifest.build_id.empty() &&
        !foreign_build("it", manifest.build_id, manifest.math_class).empty();
    if (const auto mistakes = std::move(errors).take(); !mistakes.empty() && !of_another_build) {
      const auto& [pointer, message] = mistakes.front();
      throw BadChunk(pointer.empty() ? "it " + message : pointer + " " + message);
    }
    return manifest;
  });
}

std::string shard_text(const Shard& shard) {
  std::string text = dumped({{"format", shard_format},
                             {"build_id", shard.build_id},
                             {"math_class", shard.math_class},
                             {"manifest_sha256", shard.manifest_sha256},
                             {"refusal", shard.refusal},
                             {"trials", shard.records.size()},
                             {"tasks", shard.outcomes.size()}}) +
                     "\n";
  for (const auto& record : shard.records) {
    text += dumped(record_json(record)) + "\n";
  }
  for (const auto& [task, result] : shard.outcomes) {
    text += dumped({{"task", Json::parse(task)}, {"result", Json::parse(result)}}) + "\n";
  }
  return text + std::string(checksum_begin) + models::fmi::sha256_of(text) + "\n";
}

Shard read_shard(std::string_view text) {
  text = without_checksum(text);
  return refusing_other_json([&] {
    const Json header = Json::parse(next_line(text));
    if (header.at("format") != shard_format) {
      throw BadChunk("its format is not " + json::in_quotes(shard_format));
    }
    Shard shard{.build_id = header.at("build_id").get<std::string>(),
                .math_class = header.at("math_class").get<std::string>(),
                .manifest_sha256 = header.at("manifest_sha256").get<std::string>(),
                .refusal = header.at("refusal").get<std::string>(),
                .records = {},
                .outcomes = {}};
    const auto trials = header.at("trials").get<std::size_t>();
    while (shard.records.size() < trials) {
      shard.records.push_back(read_record(Json::parse(next_line(text))));
    }
    const auto tasks = header.at("tasks").get<std::size_t>();
    while (shard.outcomes.size() < tasks) {
      const Json outcome = Json::parse(next_line(text));
      shard.outcomes.push_back(
          {.task = dumped(outcome.at("task")), .result = dumped(outcome.at("result"))});
    }
    if (!text.empty()) {
      throw BadChunk("it holds more results than it says");
    }
    return shard;
  });
}

bool same_search(const Manifest& a, const Manifest& b) {
  const auto foreign = [](const Manifest& manifest) {
    return manifest.foreign ? foreign_json(*manifest.foreign) : Json();
  };
  return a.build_id == b.build_id && a.math_class == b.math_class && a.job == b.job &&
         foreign(a) == foreign(b);
}

bool same_result(const engine::TrialRecord& a, const engine::TrialRecord& b) {
  const auto kept = [](const engine::TrialRecord& record) {
    const auto& result = record.result;
    const Json json{record.curve,
                    record.index,
                    exact(record.macro_step_s),
                    to_string(result.status),
                    result.reason,
                    exact(result.residual_j),
                    exact(result.startup_residual_j),
                    exact(result.transmitted_j),
                    exact(result.bond_residuals_j),
                    result.macro_steps,
                    result.rhs_evaluations,
                    exact(result.cost),
                    exact(result.event_delay_s)};
    return dumped(json);
  };
  return kept(a) == kept(b);
}

Contradiction::Contradiction(const engine::TrialRecord& record, const std::string& from)
    : std::runtime_error("trial " + std::to_string(record.index) + " of curve " +
                         std::to_string(record.curve) +
                         " has come twice with different results, last in " + from +
                         ": a machine computes wrongly, an FMU does not compute the same twice, or "
                         "files were changed; nothing of this search can be trusted") {}

bool depends_on_machine(engine::TrialStatus status) {
  return status == engine::TrialStatus::crashed || status == engine::TrialStatus::timed_out;
}

std::string foreign_build(std::string_view what, const std::string& build_id,
                          const std::string& math_class) {
  const auto here = engine::provenance();
  if (build_id != here.build_id) {
    return std::string(what) + " is of build " + build_id + ", this program is build " +
           here.build_id + ": results of two builds are not mixed";
  }
  if (math_class != here.math_class) {
    return std::string(what) +
           " is of a machine with other arithmetic (libm): results would not agree bit for bit";
  }
  return {};
}

}  // namespace macrostep::server
