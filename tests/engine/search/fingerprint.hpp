// Searches compared bit for bit.
#pragma once

#include <cstdio>
#include <string>

#include "engine/search/search.hpp"

namespace macrostep::tests {

/// Everything a search found, in text: equal exactly when the results are equal bit for bit.
inline std::string fingerprint(const engine::SearchResult& result) {
  std::string text;
  const auto add = [&](double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%a ", value);
    text += digits;
  };
  for (const auto& curve : result.answer.curves) {
    text += std::to_string(curve.id) + ": ";
    for (const auto& point : curve.points) {
      add(point.macro_step_s);
      add(point.residual_j);
      add(point.relative_residual.value_or(-1));
      add(point.cost);
    }
    add(curve.region.bend_s().value_or(-1));
    add(curve.region.cliff_s.value_or(-1));
    text += curve.region.reason() + "\n";
  }
  for (const auto& row : result.answer.table) {
    add(row.macro_step_s.value_or(-1));
    for (const auto configuration : row.configurations) {
      text += std::to_string(configuration) + " ";
    }
  }
  if (result.answer.recommendation) {
    const auto& best = *result.answer.recommendation;
    add(best.macro_step_s);
    add(best.verified_s.value_or(-1));
    text += std::to_string(best.configuration) + best.reason();
    for (const auto& check : best.checks) {
      add(check.value.value_or(-1));
      text += joined_sentences(check.findings);
    }
    for (const auto& notice : best.notices) {
      text += sentence(notice);
    }
  }
  return text;
}

}  // namespace macrostep::tests
