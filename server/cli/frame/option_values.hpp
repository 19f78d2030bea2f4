// What the value of an option may be, refused in the same words everywhere:
// "--threads: must be a whole number from 0 to 1024, not "two"".
#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace macrostep::server {

/// The most threads that --threads takes.
inline constexpr int max_threads = 1024;

/// Adds JOB, as most commands take it; required.
CLI::Option* add_job(CLI::App& command, std::string& job);
/// Adds --threads; `use` says what for.
void add_threads(CLI::App& command, int& threads, const char* use = "Threads to use");

/// The default is the value that the option's variable has: help and `config show` say it.
CLI::Option* show_default(CLI::Option* option);
/// The default is `value`: for an option without such a variable.
CLI::Option* show_default(CLI::Option* option, const std::string& value);

/// The option takes whole numbers of this range.
void expect_whole_number(CLI::Option* option, int minimum, int maximum);
/// The option takes finite numbers, called by what they stand for: "a number of seconds".
void expect_number(CLI::Option* option, const char* what);
/// The option takes positive numbers up to a largest one, called by what they stand for.
void expect_positive(CLI::Option* option, const char* what, double maximum);

/// The option takes the name of a file, which is neither empty nor ":memory:".
void expect_file(CLI::Option* option);
/// The option takes a host's name or address, without a port.
void expect_host(CLI::Option* option);

}  // namespace macrostep::server
