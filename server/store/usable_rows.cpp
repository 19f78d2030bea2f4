#include "server/store/usable_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::server {

namespace {

/// Takes the limits from the parser's events (nlohmann's SAX interface) and stops behind the
/// member `search`, before the tests, whose records may have a million points.
class LimitsReader {
 public:
  explicit LimitsReader(StepLimits& limits) : limits_(limits) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string&) { return true; }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool start_object(std::size_t) { return open(); }
  bool start_array(std::size_t) { return open(); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (depth_ == 1) {
      in_search_ = name == "search";
    } else if (depth_ == 2) {
      member_ = std::move(name);
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    throw std::invalid_argument("the plan of a search is no JSON");
  }

 private:
  bool open() {
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return !(in_search_ && depth_ == 1);
  }
  bool number(double value) {
    if (in_search_ && depth_ == 2 && member_ == "relative_residual_max") {
      limits_.relative_residual_max = value;
    } else if (in_search_ && depth_ == 3 && member_ == "allowed_macro_steps_s") {
      limits_.allowed_macro_steps_s.push_back(value);
    }
    return true;
  }

  StepLimits& limits_;
  int depth_ = 0;           // objects and arrays that are open
  bool in_search_ = false;  // the value of the plan's member `search` is read
  std::string member_;      // the one of `search` that is read
};

}  // namespace

StepLimits step_limits(const std::string& plan) {
  StepLimits limits;
  LimitsReader reader(limits);
  nlohmann::json::sax_parse(plan, &reader);
  return limits;
}

std::optional<double> usable_step(const db::CurveRow& curve,
                                  std::span<const db::TrialRow* const> trials,
                                  const StepLimits& limits) {
  const auto flags = nlohmann::json::parse(curve.flags);
  if (std::ranges::any_of(flags, [](const auto& flag) {
        return engine::forbids_use(flag.template get<std::string>());
      })) {
    return std::nullopt;
  }
  const auto by_rate =
      std::ranges::any_of(flags, [](const auto& flag) { return flag == engine::limited_by_rate; });
  const auto complete = engine::to_string(engine::TrialStatus::complete);
  std::vector<engine::CurvePoint> points;
  std::optional<double> last_s;
  for (const auto* trial : trials) {
    points.push_back({.macro_step_s = trial->macro_step_s,
                      .relative_residual = trial->relative_residual,
                      .status = trial->status == complete ? engine::TrialStatus::complete
                                                          : engine::TrialStatus::diverged});
    if (trial->inside_linear_region.value_or(false)) {
      last_s = trial->macro_step_s;
    }
  }
  return engine::usable_step({.points = points,
                              .last_s = last_s,
                              .stability_limit_s = curve.stability_limit_s,
                              .rejected_from_s = curve.rejected_from_s,
                              .relative_residual_max = limits.relative_residual_max,
                              .allowed_macro_steps_s = limits.allowed_macro_steps_s,
                              .by_rate = by_rate});
}

}  // namespace macrostep::server
