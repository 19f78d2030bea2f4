// What a search does at the moment: its curves first, then what follows them.
#pragma once

#include <string_view>

namespace macrostep::engine {

enum class Stage { curves, checks, step_times, error };

/// curves, checks, step_times or error.
std::string_view to_string(Stage stage);

}  // namespace macrostep::engine
