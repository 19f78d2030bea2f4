#include "engine/reference/reference_rows.hpp"

#include <memory>
#include <variant>

#include "engine/base/text.hpp"
#include "engine/reference/reference.hpp"

namespace macrostep::engine {

std::string follow_reference(const Plan& plan, const ReferenceRows& wanted) {
  const auto made = Reference::make(plan, *wanted.configuration, *wanted.test, wanted.stop);
  if (const auto* reason = std::get_if<std::string>(&made)) {
    return "there is no reference: " + *reason;
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  for (std::int64_t row = 0; row < wanted.rows; ++row) {
    const double time_s = static_cast<double>(row) * wanted.interval_s;
    if (!reference.advance_to(time_s)) {
      return reference.failure() + " before " + number_text(time_s) + " s";
    }
    wanted.on_row(time_s, reference.outputs());
  }
  return {};
}

}  // namespace macrostep::engine
