#include "engine/search/stage.hpp"

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Stage, 4> stage_names{{{Stage::curves, "curves"},
                                               {Stage::checks, "checks"},
                                               {Stage::step_times, "step_times"},
                                               {Stage::error, "error"}}};

}  // namespace

std::string_view to_string(Stage stage) {
  return models::name_of(stage_names, stage);
}

}  // namespace macrostep::engine
