// macrostep manual: manual page, completions and configuration file say what --help says, and the
// programs that read them understand them.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scratch.hpp"
#include "tests/server/child_process.hpp"

namespace {

using Json = nlohmann::json;

std::string manual(const std::string& form) {
  const Outcome outcome = run_program({"manual", form});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

const std::vector<std::string>& commands_of_manual() {
  static const std::vector<std::string> all{
      "search", "run",         "analyse",  "tune",         "map",         "reference",    "models",
      "export", "fmu inspect", "fmu job",  "fmu validate", "fmu export",  "validate",     "study",
      "serve",  "db snapshot", "db check", "manual man",   "manual bash", "manual config"};
  return all;
}

/// "--db" for every option that the help of a command lists.
std::set<std::string> names_of_help(const std::string& command) {
  static const std::regex line(R"(\n  (?:-h,)?(--[a-z0-9-]+))");
  std::vector<std::string> arguments;
  std::istringstream words(command + " --help");
  for (std::string word; words >> word;) {
    arguments.push_back(word);
  }
  const std::string help = run_program(arguments).out;
  std::set<std::string> names;
  for (std::sregex_iterator match(help.begin(), help.end(), line), end; match != end; ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

std::string without_backslashes(std::string text) {
  std::erase(text, '\\');
  return text;
}

/// What the shell would offer for the last word of the line.
std::set<std::string> offered_by_bash(const std::string& script, const std::string& line) {
  const Outcome outcome = Child({"-c", script + "\nCOMP_WORDS=(" + line +
                                           ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_macrostep\n"
                                           "printf '%s\\n' \"${COMPREPLY[@]}\""},
                                "", "bash")
                              .wait();
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  std::set<std::string> words;
  std::istringstream lines(outcome.out);
  for (std::string word; std::getline(lines, word);) {
    words.insert(word);
  }
  words.erase("");
  return words;
}

/// The settings that are in the help, at their values.
Json settings_with(const std::string& file) {
  const Outcome outcome = run_program({"config", "show", "--config", file, "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const Json shown = Json::parse(outcome.out);
  Json values;
  for (const auto& setting : shown["settings"]) {
    values[setting["name"].get<std::string>()] = setting["value"];
  }
  return values;
}

}  // namespace

TEST_CASE("the manual page has a section for every command, with all its options") {
  const std::string page = without_backslashes(manual("man"));
  for (const auto& command : commands_of_manual()) {
    CAPTURE(command);
    const auto begin = page.find(".SS fBmacrostep " + command + "fR");
    REQUIRE(begin != page.npos);
    const std::string section = page.substr(begin, page.find(".SS", begin + 1) - begin);
    for (const auto& name : names_of_help(command)) {
      CHECK_MESSAGE(section.find("fB" + name + "fR") != section.npos, name);
    }
  }
  CHECK(page.find("macrostep " MACROSTEP_VERSION) != page.npos);
}

TEST_CASE("bash completes commands, options, and names of problems") {
  using Words = std::set<std::string>;
  const std::string script = manual("bash");
  CHECK(offered_by_bash(script, "macrostep sea") == Words{"search"});
  CHECK(offered_by_bash(script, "macrostep fmu in") == Words{"inspect"});
  CHECK(offered_by_bash(script, "macrostep search --json single") ==
        Words{"single_actuator_crane"});
  CHECK(offered_by_bash(script, "macrostep search --db ''").empty());  // files are for the shell
  for (const auto& command : commands_of_manual()) {
    CAPTURE(command);
    CHECK(offered_by_bash(script, "macrostep " + command + " --") == names_of_help(command));
  }
}

TEST_CASE("zsh has a function for every command, which knows all its options") {
  const std::string script = manual("zsh");
  for (const auto& command : commands_of_manual()) {
    std::string function = "_macrostep_" + command;
    std::ranges::replace(function, ' ', '_');
    CAPTURE(function);
    const auto begin = script.find("\n" + function + "() {");
    REQUIRE(begin != script.npos);
    const std::string body = script.substr(begin, script.find("\n}\n", begin) - begin);
    for (const auto& name : names_of_help(command)) {
      CHECK_MESSAGE(body.find(name + "[") != body.npos, name);
    }
  }
}

TEST_CASE("the configuration file sets nothing as it is, and the defaults without its #") {
  const std::string text = manual("config");
  Scratch scratch;
  scratch.write("empty.toml", "");
  scratch.write("as_it_is.toml", text);
  const Json standard = settings_with(scratch.file("empty.toml"));
  CHECK(settings_with(scratch.file("as_it_is.toml")) == standard);

  static const std::regex line("\n#([a-z-]+) = (.*)");
  std::set<std::string> names;
  std::string active;
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    names.insert((*match)[1]);
    const bool placeholder = std::regex_search(match->str(2), std::regex(R"(^\W*[A-Z]+\W*$)"));
    active += placeholder ? "" : match->str(1) + " = " + match->str(2) + "\n";
  }
  for (const auto& [name, value] : standard.items()) {
    CHECK_MESSAGE(names.contains(name), name);
  }
  CHECK(names.size() == standard.size());
  CHECK(std::ranges::count(active, '\n') >= 10);
  scratch.write("defaults.toml", active);
  CHECK(settings_with(scratch.file("defaults.toml")) == standard);
}
