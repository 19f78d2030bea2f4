// What a check of a run says (run_checks.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/verification/refinement.hpp"

namespace macrostep::engine {

enum class Verdict { agrees, objects, unknown };

std::string_view to_string(Verdict verdict);

struct CheckOutcome {
  std::string_view check;  ///< growth, change, swing or unseen
  Verdict verdict = Verdict::unknown;
  std::optional<double> value;   ///< largest rate of growth [1/s]; NRMSE; ratio of swings
  std::optional<double> limit;   ///< of it
  std::vector<Notice> findings;  ///< where the value was found, or why there is none
  bool grows_by_itself = false;  ///< a motion, and with a finer H as well
  bool within_session = false;   ///< what grows is allowed to, by a tenth in a session
  std::size_t left_out = 0;      ///< random inputs that no run follows
  bool most_left_out = false;    ///< half of them, or more
};

/// The value and its limit, where both are known: value and limit, of growth rate_per_s and
/// limit_per_s.
std::vector<NoticeNumber> numbers_of(const CheckOutcome& outcome);

/// That a run with this macro-step fails a check, with what that has found.
Notice failed_check(NoticeCode code, const CheckOutcome& outcome, double macro_step_s);

/// Where a change or a swing was found, against the run with H / finer; or which of both runs is
/// not complete.
Notice finding_of(const Refinement& refinement, std::optional<double> Refinement::*value,
                  double macro_step_s, std::int64_t finer);

/// Where an error was found, or why there is none.
Notice finding_of(const MeasuredError& error, double macro_step_s);

/// Whether the check of this name agrees.
bool agrees(std::span<const CheckOutcome> outcomes, std::string_view check);

/// Whether a check of stability, by growth or by swing, agrees.
bool tells_stable(std::span<const CheckOutcome> outcomes);

}  // namespace macrostep::engine
