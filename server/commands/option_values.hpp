// What the value of an option may be, refused in the same words everywhere:
// "--threads: must be a whole number from 0 to 1024, not "two"".
#pragma once

namespace CLI {
class Option;
}

namespace macrostep::server::commands {

/// The most threads that --threads takes.
inline constexpr int max_threads = 1024;

/// The option takes whole numbers of this range.
void expect_whole_number(CLI::Option* option, int minimum, int maximum);
/// The option takes finite numbers, called by what they stand for: "a number of seconds".
void expect_number(CLI::Option* option, const char* what);

/// The option takes the name of a file, which is not empty.
void expect_file(CLI::Option* option);
/// The option takes a host's name or address, without a port.
void expect_host(CLI::Option* option);

}  // namespace macrostep::server::commands
