#include "engine/job/preset.hpp"

#include <string>

namespace macrostep::engine {

void apply(Preset preset, Job& job) {
  job.preset = preset;
  switch (preset) {
    case Preset::rahikainen2019:
      if (job.linear_region.rule != Rule::local_power_law) {
        job.linear_region.points = usual_points(Rule::local_power_law);
      }
      job.linear_region.rule = Rule::local_power_law;
      job.linear_region.scan = ScanKind::arithmetic;
      job.event_phases = 1;
      job.relative_residual_max.reset();
      job.accuracy.reset();
      job.stability_check = StabilityCheck::none;
      job.validate_unseen = false;
      job.minimum_macro_steps = 1;
      job.real_time_share.reset();
      return;
  }
}

FieldErrors contradictions(const Job& job) {
  FieldErrors errors;
  if (!job.preset) {
    return errors;
  }
  Job kept = job;
  apply(*job.preset, kept);
  const auto keep = [&](bool same, const std::string& member, const std::string& value) {
    if (!same) {
      errors.push_back({"/search/" + member,
                        "contradicts the preset " + std::string(to_string(*job.preset)) +
                            " (--paper), which keeps it " + value + ": leave out one of the two"});
    }
  };
  keep(job.linear_region.rule == kept.linear_region.rule, "linear_region/rule",
       std::string(to_string(kept.linear_region.rule)));
  keep(job.linear_region.scan == kept.linear_region.scan, "linear_region/scan",
       std::string(to_string(kept.linear_region.scan)));
  keep(job.event_phases == kept.event_phases, "event_phases", std::to_string(kept.event_phases));
  // An accuracy sets it, too.
  keep(job.accuracy || job.relative_residual_max == kept.relative_residual_max,
       "relative_residual_max", "null");
  keep(job.accuracy == kept.accuracy, "accuracy", "null");
  keep(job.stability_check == kept.stability_check, "stability_check",
       std::string(to_string(kept.stability_check)));
  keep(job.validate_unseen == kept.validate_unseen, "validate_unseen", "false");
  keep(job.minimum_macro_steps == kept.minimum_macro_steps, "minimum_macro_steps",
       std::to_string(kept.minimum_macro_steps));
  keep(job.real_time_share == kept.real_time_share, "real_time", "null");
  return errors;
}

}  // namespace macrostep::engine
