// Where the options of a command come from: the command line, else the environment, else the
// configuration file, else the default.
//
// An option --fmu-memory is MACROSTEP_FMU_MEMORY in the environment and fmu-memory in the file. All
// options of the command that are configurable() count.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace macrostep::server {

/// Empty if it is not set.
std::string environment_variable(const std::string& name);

/// A directory of the user as XDG has it: what the variable names (a relative path does not count),
/// else the folder below the home directory. Nothing where there is no home.
std::optional<std::filesystem::path> user_directory(const std::string& variable,
                                                    const std::filesystem::path& below_home);

enum class Source { flag, environment, file, standard };

struct Setting {
  enum class Kind { text, number, truth, list };

  std::string name;  ///< without dashes in front
  Kind kind = Kind::text;
  std::vector<std::string> values;  ///< none: not set, and without a default
  Source source = Source::standard;
  std::string where;  ///< "--threads", "MACROSTEP_THREADS", "FILE:3"; empty by default
};

struct Settings {
  std::optional<std::filesystem::path> file;  ///< that was read
  std::vector<Setting> all;                   ///< in the order of the help
};

/// Adds --config to a command with settings.
void add_config_option(CLI::App& command, std::string& file);

/// After the command line was read: gives the options that it does not have what the environment
/// and the file say, by the same checks. Throws CommandError naming the variable, or file and line.
Settings settle(CLI::App& command, const std::string& config_option);

/// As whoever set it wrote it, for messages: "--threads", "MACROSTEP_THREADS: threads" or
/// "FILE:3: threads"; an option of a command without settings is a flag.
std::string as_written(const Settings& settings, const std::string& name);

/// A configuration file that sets nothing: every setting of the command with what its help says,
/// at its default, in a comment.
std::string config_template(CLI::App& command);

}  // namespace macrostep::server
