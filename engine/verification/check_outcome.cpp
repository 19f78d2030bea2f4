#include "engine/verification/check_outcome.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Verdict, 3> verdict_names{
    {{Verdict::agrees, "agrees"}, {Verdict::objects, "objects"}, {Verdict::unknown, "unknown"}}};

}  // namespace

std::string_view to_string(Verdict verdict) {
  return models::name_of(verdict_names, verdict);
}

Notice finding_of(const Refinement& refinement, std::optional<double> Refinement::*value,
                  double macro_step_s, std::int64_t finer) {
  const double finer_macro_step_s = macro_step_s / static_cast<double>(finer);
  if (const auto& found = refinement.*value) {
    return {.code = NoticeCode::compared_with_finer_run,
            .subject = refinement.test,
            .numbers = {{"value", *found},
                        {"macro_step_s", macro_step_s},
                        {"finer_macro_step_s", finer_macro_step_s}}};
  }
  if (refinement.test.empty()) {  // nothing has run
    return {.code = NoticeCode::probe_without_result, .detail = refinement.reason};
  }
  const double ended_s = refinement.completes ? finer_macro_step_s : macro_step_s;
  return {.code = NoticeCode::run_incomplete,
          .subject = refinement.test,
          .numbers = {{"macro_step_s", ended_s}},
          .detail = refinement.reason};
}

Notice finding_of(const MeasuredError& error, double macro_step_s) {
  if (!error.nrmse) {
    return {.code = NoticeCode::no_solution, .detail = error.reason};
  }
  return {.code = NoticeCode::compared_with_solution,
          .subject = error.test,
          .numbers = {{"value", *error.nrmse}, {"macro_step_s", macro_step_s}},
          .detail = error.reference};
}

bool agrees(std::span<const CheckOutcome> outcomes, std::string_view check) {
  return std::ranges::any_of(outcomes, [&](const CheckOutcome& outcome) {
    return outcome.check == check && outcome.verdict == Verdict::agrees;
  });
}

std::vector<NoticeNumber> numbers_of(const CheckOutcome& outcome) {
  if (!outcome.value || !outcome.limit) {
    return {};
  }
  const bool is_rate = outcome.check == "growth";
  return {{is_rate ? "rate_per_s" : "value", *outcome.value},
          {is_rate ? "limit_per_s" : "limit", *outcome.limit}};
}

Notice failed_check(NoticeCode code, const CheckOutcome& outcome, double macro_step_s) {
  Notice notice{.code = code,
                .numbers = {{"macro_step_s", macro_step_s}},
                .check = std::string(outcome.check),
                .causes = outcome.findings};
  std::ranges::move(numbers_of(outcome), std::back_inserter(notice.numbers));
  return notice;
}

bool tells_stable(std::span<const CheckOutcome> outcomes) {
  const bool grows =
      std::ranges::any_of(outcomes, [](const CheckOutcome& one) { return one.grows_by_itself; });
  return agrees(outcomes, "growth") || (agrees(outcomes, "swing") && !grows);
}

}  // namespace macrostep::engine
