#include "server/batch/chunk.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/fmu_archive.hpp"
#include "server/executors/exact_json.hpp"
#include "server/executors/task_json.hpp"

namespace macrostep::server::batch {

namespace {

using executors::Json;

constexpr const char* manifest_format = "macrostep manifest 1";
constexpr const char* shard_format = "macrostep shard 1";
constexpr std::string_view checksum_begin = "sha256 ";

Json record_json(const engine::TrialRecord& record) {
  return {{"curve", record.curve},
          {"index", record.index},
          {"macro_step_s", executors::exact(record.macro_step_s)},
          {"result", executors::trial_result_json(record.result)}};
}

engine::TrialRecord read_record(const Json& json) {
  return {.curve = json.at("curve").get<std::size_t>(),
          .index = json.at("index").get<std::size_t>(),
          .macro_step_s = executors::exact_number(json.at("macro_step_s")),
          .result = executors::read_trial_result(json.at("result"))};
}

Json foreign_json(const ForeignChunk& foreign) {
  const auto& settings = foreign.settings;
  return {{"fmus", foreign.fmus},
          {"sandbox", settings.sandbox == executors::SandboxMode::bubblewrap},
          {"step_timeout_s", settings.step_timeout_s},
          {"trial_timeout_s", settings.trial_timeout_s},
          {"memory_mb", settings.memory_mb},
          {"trials_per_worker", settings.trials_per_worker}};
}

ForeignChunk read_foreign(const Json& json) {
  return {
      .fmus = json.at("fmus").get<std::map<std::string, std::string>>(),
      .settings = {.sandbox = json.at("sandbox").get<bool>() ? executors::SandboxMode::bubblewrap
                                                             : executors::SandboxMode::none,
                   .step_timeout_s = json.at("step_timeout_s").get<double>(),
                   .trial_timeout_s = json.at("trial_timeout_s").get<double>(),
                   .memory_mb = json.at("memory_mb").get<std::int64_t>(),
                   .trials_per_worker = json.at("trials_per_worker").get<int>()}};
}

/// Reasons may hold text of FMUs, which is not always UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void expect_format(const Json& json, const char* format) {
  if (json.at("format") != format) {
    throw BadChunk("its format is not \"" + std::string(format) + "\"");
  }
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
  if (tail.substr(checksum_begin.size(), digits) != sha256_of(text)) {
    throw BadChunk("its checksum is wrong");
  }
  return text;
}

template <class Read>
auto refusing_other_json(const Read& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw BadChunk(std::string("it is damaged: ") + error.what());
  }
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  Json known = Json::array();
  for (const auto& record : manifest.known) {
    known.push_back(record_json(record));
  }
  return dumped({{"format", manifest_format},
                 {"build_id", manifest.build_id},
                 {"math_class", manifest.math_class},
                 {"curves", manifest.curves},
                 {"most_trials", manifest.most_trials ? Json(*manifest.most_trials) : Json()},
                 {"known", std::move(known)},
                 {"losses", manifest.losses},
                 {"foreign", manifest.foreign ? foreign_json(*manifest.foreign) : Json()},
                 {"job", Json::parse(manifest.job)}}) +
         "\n";
}

Manifest read_manifest(std::string_view text) {
  return refusing_other_json([&] {
    const Json json = Json::parse(text);
    expect_format(json, manifest_format);
    Manifest manifest{.build_id = json.at("build_id").get<std::string>(),
                      .math_class = json.at("math_class").get<std::string>(),
                      .job = json.at("job").dump(),
                      .curves = json.at("curves").get<std::vector<std::size_t>>(),
                      .most_trials = {},
                      .known = {},
                      .losses = json.at("losses").get<int>(),
                      .foreign = {}};
    if (const auto& foreign = json.at("foreign"); !foreign.is_null()) {
      manifest.foreign = read_foreign(foreign);
    }
    if (const auto& most = json.at("most_trials"); !most.is_null()) {
      manifest.most_trials = most.get<std::size_t>();
    }
    for (const auto& record : json.at("known")) {
      manifest.known.push_back(read_record(record));
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
                             {"trials", shard.records.size()}}) +
                     "\n";
  for (const auto& record : shard.records) {
    text += dumped(record_json(record)) + "\n";
  }
  return text + std::string(checksum_begin) + sha256_of(text) + "\n";
}

Shard read_shard(std::string_view text) {
  text = without_checksum(text);
  return refusing_other_json([&] {
    const Json header = Json::parse(next_line(text));
    expect_format(header, shard_format);
    Shard shard{.build_id = header.at("build_id").get<std::string>(),
                .math_class = header.at("math_class").get<std::string>(),
                .manifest_sha256 = header.at("manifest_sha256").get<std::string>(),
                .refusal = header.at("refusal").get<std::string>(),
                .records = {}};
    const auto trials = header.at("trials").get<std::size_t>();
    while (shard.records.size() < trials) {
      shard.records.push_back(read_record(Json::parse(next_line(text))));
    }
    if (!text.empty()) {
      throw BadChunk("it holds more trials than it says");
    }
    return shard;
  });
}

std::string sha256_of(std::string_view text) {
  return models::fmi::sha256_of(text);
}

bool same_result(const engine::TrialRecord& a, const engine::TrialRecord& b) {
  const auto untimed = [](engine::TrialRecord record) {
    record.result.wall_s = 0;
    return dumped(record_json(record));
  };
  return untimed(a) == untimed(b);
}

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

}  // namespace macrostep::server::batch
