#include "server/cli/search/job_overrides.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "engine/job/job.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/option_values.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view no_accuracy = "none";
constexpr double longest_s = 1e9;
constexpr double percent = 100;

/// "5%" or "0.05" as a share.
std::optional<double> share_of(std::string text) {
  const bool in_percent = text.ends_with('%');
  if (in_percent) {
    text.pop_back();
  }
  const auto number = finite_number(text);
  return number ? std::optional(in_percent ? *number / percent : *number) : std::nullopt;
}

/// The member of that name, made where it is missing; nothing where it is no object.
nlohmann::json* object_in(nlohmann::json& parent, const char* name) {
  if (!parent.is_object()) {
    return nullptr;
  }
  if (!parent.contains(name)) {
    parent[name] = nlohmann::json::object();
  }
  auto& member = parent[name];
  return member.is_object() ? &member : nullptr;
}

/// "0,1" as ["0", "1"]; an empty name stays one, and is refused with its place.
nlohmann::json listed(const std::string& names) {
  auto list = nlohmann::json::array();
  for (const auto name : parts_of(names, ',')) {
    list.push_back(std::string(name));
  }
  return list;
}

/// Whether its problem is scanned by an increment unless the job says otherwise.
bool has_increment(const nlohmann::json& job) {
  const auto problem = job.find("problem");
  return problem == job.end() || !problem->is_object();
}

void put_macro_steps(const JobOverrides& overrides, bool has_increment, nlohmann::json& grid) {
  if (overrides.from_s) {
    grid["initial_s"] = *overrides.from_s;
    if (has_increment && !grid.contains("increment_s")) {
      grid["increment_s"] = *overrides.from_s;
    }
  }
  if (overrides.to_s) {
    grid["maximum_s"] = *overrides.to_s;
  }
}

}  // namespace

void add_job_overrides(CLI::App& command, JobOverrides& overrides) {
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const char* description) {
    return command.add_option(name, target, description)->option_text(placeholder);
  };
  value("--accuracy", overrides.accuracy, "SHARE",
        "Largest error of the outputs (NRMSE) that is allowed, as 0.05 or 5%; none: the largest "
        "stable macro-step. A relative_residual_max of the job stays (default: the job's)")
      ->check([](const std::string& text) {
        return text == no_accuracy || share_of(text)
                   ? std::string()
                   : "must be a share, as 0.05 or 5%, or none, not \"" + text + "\"";
      });
  expect_positive(
      value("--from", overrides.from_s, "H",
            "First macro-step of the scan, in seconds, which is halved where it is too large; "
            "also the increment of a scan that has one, where the job names none (default: the "
            "job's)"),
      "a positive number of seconds up to 1e9", longest_s);
  expect_positive(value("--to", overrides.to_s, "H",
                        "Largest macro-step to try, in seconds (default: the job's)"),
                  "a positive number of seconds up to 1e9", longest_s);
  value("--extrapolation", overrides.extrapolation, "M,...",
        "Extrapolations to try, as 0,1,2 (default: the job's)");
  expect_positive(value("--session", overrides.session_s, "S",
                        "How long the rig runs, in seconds: what grows must not matter within it "
                        "(default: the job's)"),
                  "a positive number of seconds up to 1e9", longest_s);
  command.add_flag("--paper", overrides.paper,
                   "The answer of the method's paper (Rahikainen, González and Naya 2019): its "
                   "rule alone, and no checks");
}

void apply_overrides(const JobOverrides& overrides, nlohmann::json& job) {
  if (overrides.session_s && job.is_object()) {
    job["session_s"] = *overrides.session_s;
  }
  const bool changes_search = overrides.paper || overrides.accuracy || overrides.from_s ||
                              overrides.to_s || overrides.extrapolation;
  auto* search = changes_search ? object_in(job, "search") : nullptr;
  if (search == nullptr) {
    return;
  }
  if (overrides.paper) {
    (*search)["preset"] = to_string(engine::Preset::rahikainen2019);
  }
  if (overrides.accuracy) {
    const auto share = share_of(*overrides.accuracy);  // none: no number
    (*search)["accuracy"] = share ? nlohmann::json(*share) : nlohmann::json();
  }
  if (overrides.extrapolation) {
    (*search)["extrapolation"] = listed(*overrides.extrapolation);
  }
  auto* grid = overrides.from_s || overrides.to_s ? object_in(*search, "macro_step") : nullptr;
  if (grid != nullptr) {
    put_macro_steps(overrides, has_increment(job), *grid);
  }
}

}  // namespace macrostep::server
