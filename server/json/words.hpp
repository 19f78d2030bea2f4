// Names in plain words, and the answer of a search as a sentence: for every way in the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/recommendation/recommendation.hpp"
#include "engine/search/stage.hpp"

namespace macrostep::server::json {

/// The name in plain words where the field has them: "forward Euler", "force–displacement".
std::string word(std::string_view name);

/// "a, b and c"
std::string enumeration(const std::vector<std::string>& parts, std::string_view conjunction);

/// What a search does in a stage of this name: "runs the checks"; empty where there is no such
/// stage.
std::string_view stage_words(std::string_view stage);

/// "Use second-order extrapolation with H = 1.8 ms, I1AL for mechanics and forward Euler for
/// hydraulics: the largest macro-step that is stable … That does not promise accuracy; …"
std::string sentence(const engine::Plan& plan, const engine::Recommendation& recommendation);

/// "growth agrees (1.01, at most 1.1); …": what the checks of a run say; empty without any.
std::string checks_text(const engine::Recommendation& recommendation);

/// Where nothing is recommended: "No configuration can be recommended: …"
std::string sentence_of_none(const std::string& reason);

}  // namespace macrostep::server::json
