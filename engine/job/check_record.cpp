#include "engine/job/check_record.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

void check_record(const models::Record* record, const std::string& pointer, FieldErrors& errors) {
  if (!record || record->time_s.empty()) {
    errors.push_back({pointer + "/time_s", "a recorded test needs its time_s and value"});
    return;
  }
  const auto& [time_s, value, linear] = *record;
  if (value.size() != time_s.size()) {
    errors.push_back({pointer + "/value", "must hold as many numbers as time_s, " +
                                              std::to_string(time_s.size()) + ", not " +
                                              std::to_string(value.size())});
  }
  const auto early = std::ranges::adjacent_find(
      time_s, [](double before, double after) { return !(after > before); });
  if (early != time_s.end()) {
    errors.push_back({pointer + "/time_s/" + std::to_string(early - time_s.begin() + 1),
                      "must be later than the point before"});
    return;
  }
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!std::ranges::all_of(time_s, finite) || !std::ranges::all_of(value, finite)) {
    errors.push_back({pointer, "must hold finite numbers"});
  }
}

}  // namespace macrostep::engine
