#include "server/cli/completions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "server/cli/command_tree.hpp"

namespace macrostep::server {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : std::string(between)) + word;
  }
  return text;
}

/// What may stand next behind the command, values of options aside.
std::vector<std::string> next_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* below : commands_below(command)) {
    words.push_back(below->get_name());
  }
  if (takes_problem(command)) {
    std::ranges::copy(built_in_problems(), std::back_inserter(words));
  }
  for (const CLI::Option* option : named_options(command)) {
    std::ranges::copy(typed_names(*option), std::back_inserter(words));
  }
  return words;
}

std::vector<std::string> names_with_value(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : named_options(command)) {
    if (takes_value(*option)) {
      std::ranges::copy(typed_names(*option), std::back_inserter(names));
    }
  }
  return names;
}

/// In single quotes, for a shell. `special` are characters that take a backslash besides.
std::string quoted_for_shell(const std::string& text, std::string_view special = "") {
  std::string result = "'";
  for (const char c : text) {
    if (special.find(c) != special.npos) {
      result += '\\';
    }
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

/// "_macrostep_fmu_inspect"
std::string zsh_function(const CLI::App& command) {
  std::string name = "_" + full_name(command);
  std::ranges::replace(name, ' ', '_');
  std::ranges::replace(name, '-', '_');
  return name;
}

/// '--db[SQLite file …]:FILE:_files', for _arguments.
std::string zsh_option(const CLI::Option& option) {
  std::string lines;
  for (const auto& name : typed_names(option)) {
    const bool repeats = option.get_items_expected_max() > 1;
    std::string spec = (repeats ? "*" : "") + name + "[";
    for (const char c : option.get_description()) {
      spec += (c == '[' || c == ']' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
    spec += "]";
    if (takes_value(option)) {
      const std::string what = option.get_option_text();
      spec += ":" + what.substr(0, what.find(':')) + ":_files";
    }
    lines += " \\\n    " + quoted_for_shell(spec);
  }
  return lines;
}

std::string zsh_arguments(const CLI::App& command) {
  if (!commands_below(command).empty()) {
    return " \\\n    '1: :->command' '*:: :->rest'";
  }
  if (takes_problem(command)) {
    return " \\\n    '*: : _alternative \"problems:problem:(" + joined(built_in_problems(), " ") +
           ")\" \"files:job:_files\"'";
  }
  return arguments_of(command).empty() ? "" : " \\\n    '*:file:_files'";
}

/// The function that completes behind one command.
std::string zsh_command(const CLI::App& command) {
  std::string text = zsh_function(command) + "() {\n  local curcontext=$curcontext state line\n";
  text += "  _arguments -C";
  for (const CLI::Option* option : named_options(command)) {
    text += zsh_option(*option);
  }
  text += zsh_arguments(command) + "\n";
  const auto below = commands_below(command);
  if (!below.empty()) {
    text += "  case $state in\n  command)\n    local -a commands=(";
    for (const CLI::App* one : below) {
      text += "\n      " + quoted_for_shell(one->get_name()) + ":" +
              quoted_for_shell(one->get_description());
    }
    text += ")\n    _describe -t commands command commands ;;\n  rest)\n    case $line[1] in\n";
    for (const CLI::App* one : below) {
      text += "    " + one->get_name() + ") " + zsh_function(*one) + " ;;\n";
    }
    text += "    esac ;;\n  esac\n";
  }
  return text + "}\n";
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> commands;
  std::string words;
  for (const CLI::App* command : commands_from(program)) {
    const std::string name = full_name(*command);
    if (command != &program) {
      commands.push_back(quoted_for_shell(name));
    }
    words += "    " + quoted_for_shell(name) +
             ")\n      words=" + quoted_for_shell(joined(next_words(*command), " ")) +
             "\n      valued=" + quoted_for_shell(joined(names_with_value(*command), " ")) +
             " ;;\n";
  }
  return "# bash completion of macrostep\n"
         "_macrostep() {\n"
         "  local path=macrostep words= valued= i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$path ${COMP_WORDS[i]}\" in\n"
         "    " +
         joined(commands, " | \\\n    ") +
         ")\n      path+=\" ${COMP_WORDS[i]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case $path in\n" +
         words +
         "  esac\n"
         "  COMPREPLY=()\n"
         "  # Behind an option with a value, and where nothing fits: files, by -o default.\n"
         "  [[ \" $valued \" != *\" ${COMP_WORDS[COMP_CWORD - 1]} \"* ]] || return 0\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
         "}\n"
         "complete -o default -F _macrostep macrostep\n";
}

std::string zsh_completion(const CLI::App& program) {
  std::string text = "#compdef macrostep\n# zsh completion of macrostep\n";
  for (const CLI::App* command : commands_from(program)) {
    text += zsh_command(*command);
  }
  return text + "_macrostep \"$@\"\n";
}

}  // namespace macrostep::server
