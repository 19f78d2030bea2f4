// Any program as a batch system: started for each task, and done when it ends (ssh, parallel, srun,
// kubectl run --attach …).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/schedulers/batch_system.hpp"

namespace macrostep::server {

struct CommandSettings {
  /// Program and arguments. In each, {program}, {manifest} and {out} stand for these; no shell
  /// sees any of it. Empty: {program} run-chunk --manifest {manifest} --out {out}.
  std::vector<std::string> arguments;
  int at_once = 1;        ///< tasks that run at the same time
  double limit_s = 3600;  ///< that a task may take; then it is killed
  std::string program;    ///< macrostep, as the task sees it
};

/// What runs dies with the returned system.
BatchSystem command_system(const CommandSettings& settings);

/// What keeps words from being such a command; nothing: they are one. It must name {manifest} and
/// {out}, and nothing else in braces but {program}; what a shell of its own is to fill in, ${HOME},
/// is no business of ours.
std::optional<std::string> why_no_command(const std::vector<std::string>& words);

/// What keeps a template from being words: a quote that is not closed.
std::optional<std::string> why_no_words(const std::string& text);

/// The words of a template, at spaces; "…" keeps spaces.
std::vector<std::string> words_of(const std::string& text);

}  // namespace macrostep::server
