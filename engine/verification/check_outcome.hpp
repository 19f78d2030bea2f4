// What a check of a run says (run_checks.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace macrostep::engine {

enum class Verdict { agrees, objects, unknown };

std::string_view to_string(Verdict verdict);

struct CheckOutcome {
  std::string_view check;  ///< growth, change, swing or unseen
  Verdict verdict = Verdict::unknown;
  std::optional<double> value;  ///< largest rate of growth [1/s]; NRMSE; ratio of swings
  std::optional<double> limit;  ///< of it
  std::string detail;           ///< where the value was found, or why there is none
  bool within_session = false;  ///< what grows is allowed to, by a tenth in a session
  std::size_t left_out = 0;     ///< random inputs that no run follows
};

/// Whether the check of this name agrees.
bool agrees(std::span<const CheckOutcome> outcomes, std::string_view check);

/// Whether a check of stability, by growth or by swing, agrees.
bool tells_stable(std::span<const CheckOutcome> outcomes);

}  // namespace macrostep::engine
