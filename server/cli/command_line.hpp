// The command line of macrostep: the commands, their help, and one way to fail.
#pragma once

namespace macrostep::server {

/// Runs the command that the arguments name; returns the exit code of the process.
int run_command_line(int argc, const char* const* argv);

}  // namespace macrostep::server
