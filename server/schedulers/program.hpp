// Short programs, and what they say.
#pragma once

#include <string>
#include <vector>

namespace macrostep::server {

struct ProgramEnd {
  int code = -1;  ///< −1: it was ended by a signal, or took too long
  std::string out;
  std::string err;
};

/// Started without a shell. It gets `kept_open` too, if that is a descriptor, as a number of its
/// own. Throws std::system_error where there is no such program.
ProgramEnd run_program(const std::vector<std::string>& arguments, int kept_open = -1);

/// The path of the program that runs.
std::string own_program();

}  // namespace macrostep::server
