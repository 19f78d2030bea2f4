// Settings: options before variables before the file before defaults, and mistakes named where
// they stand.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/cli/frame/command.hpp"
#include "server/cli/frame/config_file.hpp"
#include "tests/server/child_process.hpp"

namespace {

using Json = nlohmann::json;

/// Variables of this process while it exists, for the programs that it starts.
class Variables {
 public:
  using Values = std::map<std::string, std::string>;

  explicit Variables(Values values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) {
      REQUIRE(setenv(name.c_str(), value.c_str(), 1) == 0);
    }
  }
  ~Variables() {
    for (const auto& [name, value] : values_) {
      unsetenv(name.c_str());
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  Values values_;
};

/// One setting at three levels: its text, and what JSON shows of it.
struct SettingLevel {
  std::string text;
  Json shown;
};
struct SettingCase {
  std::string name;
  Json by_default;
  SettingLevel file, environment, flag;
};

const std::vector<SettingCase>& cases() {
  static const std::vector<SettingCase> all{
      {"listen",
       "127.0.0.1:8080",
       {"'127.0.0.1:1'", "127.0.0.1:1"},
       {"127.0.0.1:2", "127.0.0.1:2"},
       {"127.0.0.1:3", "127.0.0.1:3"}},
      {"db", nullptr, {"\"f # x.db\"", "f # x.db"}, {"e.db", "e.db"}, {"o.db", "o.db"}},
      {"threads", 0, {"1", 1}, {"2", 2}, {"3", 3}},
      {"max-queued", 1000, {"1", 1}, {"2", 2}, {"3", 3}},
      {"max-job-cost", 1e14, {"1e9", 1e9}, {"2e9", 2e9}, {"3.5", 3.5}},
      {"keep-searches", nullptr, {"0", 0}, {"2", 2}, {"3", 3}},
      {"keep-days", nullptr, {"1", 1}, {"2", 2}, {"3", 3}},
      {"allow-host",
       Json::array(),
       {"[\"f1\", 'f2',]", {"f1", "f2"}},
       {"e1, e2", {"e1", "e2"}},
       {"o1", Json::array({"o1"})}},
      {"token-file", nullptr, {"\"f\"", "f"}, {"e", "e"}, {"o", "o"}},
      {"insecure", false, {"true", true}, {"false", false}, {"", true}},
      {"executor", "local", {"\"slurm\"", "slurm"}, {"command", "command"}, {"slurm", "slurm"}},
      {"chunk-folder", nullptr, {"\"f\"", "f"}, {"e", "e"}, {"o", "o"}},
      {"chunk-minutes", 2, {"1.5", 1.5}, {"2.5", 2.5}, {"3", 3}},
      {"chunk-time-limit", 60, {"1", 1}, {"2", 2}, {"3", 3}},
      {"chunk-command",
       nullptr,
       {"\"f {manifest} {out}\"", "f {manifest} {out}"},
       {"e {out} {manifest}", "e {out} {manifest}"},
       {"o {manifest} {out}", "o {manifest} {out}"}},
      {"partition", nullptr, {"\"f\"", "f"}, {"e", "e"}, {"o", "o"}},
      {"chunk-template",
       Json::array(),
       {"[\"f=-1 -2\", 'g=-3']", {"f=-1 -2", "g=-3"}},
       {"e=-1, f=-2", {"e=-1", "f=-2"}},
       {"o=-1", Json::array({"o=-1"})}},
      {"fmu-sandbox",
       "bubblewrap",
       {"\"none\"", "none"},
       {"bubblewrap", "bubblewrap"},
       {"none", "none"}},
      {"fmu-step-timeout", 10, {"1.5", 1.5}, {"2.5", 2.5}, {"3", 3}},
      {"fmu-trial-timeout", 600, {"1", 1}, {"2", 2}, {"3", 3}},
      {"fmu-memory", 2000, {"1001", 1001}, {"1002", 1002}, {"1003", 1003}},
      {"fmu-trials-per-worker", 500, {"1", 1}, {"2", 2}, {"3", 3}},
      {"fmu-store-limit", 20, {"1", 1}, {"2", 2}, {"3", 3}},
  };
  return all;
}

std::string variable_of(const std::string& name) {
  std::string variable = "MACROSTEP_";
  for (const char c : name) {
    variable += c == '-' ? '_' : static_cast<char>(c - (c >= 'a' && c <= 'z' ? 'a' - 'A' : 0));
  }
  return variable;
}

Json settings_shown(std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"config", "show", "--json"});
  const Outcome outcome = run_program(arguments);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  return Json::parse(outcome.out);
}

Json setting_named(const Json& settings, const std::string& name) {
  for (const auto& one : settings.at("settings")) {
    if (one.at("name") == name) {
      return one;
    }
  }
  FAIL("no setting " << name);
  return {};
}

void expect_setting(const Json& settings, const std::string& name, const Json& value,
                    const std::string& source, const Json& where) {
  const auto one = setting_named(settings, name);
  CHECK_MESSAGE(one.at("value") == value, one.dump());
  CHECK_MESSAGE(one.at("source") == source, one.dump());
  CHECK_MESSAGE(one.at("where") == where, one.dump());
}

}  // namespace

TEST_CASE("every setting comes from its option, else its variable, else the file, else a default") {
  const Scratch scratch;
  const Variables home(Variables::Values{{"XDG_CONFIG_HOME", scratch.file("")},
                                         {"XDG_DATA_HOME", scratch.file("")}});
  std::string text = "# all of them\n\n";
  for (const auto& one : cases()) {
    text += one.name + " = " + one.file.text + "  # as \"" + one.name + "\"\n";
  }
  const auto defaults = settings_shown();
  CHECK(defaults.at("config_file").is_null());
  CHECK(defaults.at("settings").size() == cases().size());
  for (const auto& one : cases()) {
    const Json value =
        one.name == "db" ? Json(scratch.file("macrostep/macrostep.db")) : one.by_default;
    expect_setting(defaults, one.name, value, "default", nullptr);
  }

  std::filesystem::create_directory(scratch.file("macrostep"));
  const std::string file = scratch.write("macrostep/config.toml", text);
  const auto from_file = settings_shown();
  CHECK(from_file.at("config_file") == file);
  int line = 2;
  for (const auto& one : cases()) {
    expect_setting(from_file, one.name, one.file.shown, "file",
                   file + ":" + std::to_string(++line));
  }

  std::map<std::string, std::string> variables;
  for (const auto& one : cases()) {
    variables[variable_of(one.name)] = one.environment.text;
  }
  const Variables environment(variables);
  const auto from_environment = settings_shown();
  for (const auto& one : cases()) {
    expect_setting(from_environment, one.name, one.environment.shown, "environment",
                   variable_of(one.name));
  }

  std::vector<std::string> arguments;
  for (const auto& one : cases()) {
    arguments.push_back("--" + one.name);
    if (!one.flag.text.empty()) {
      arguments.push_back(one.flag.text);
    }
  }
  const auto from_flags = settings_shown(arguments);
  for (const auto& one : cases()) {
    expect_setting(from_flags, one.name, one.flag.shown, "flag", "--" + one.name);
  }
}

TEST_CASE("each level hides only the ones below it, setting by setting") {
  const Scratch scratch;
  const std::string file =
      scratch.write("own.toml", "threads = 1\nfmu-memory = 500\nlisten = '127.0.0.1:1'\n");
  const Variables environment(Variables::Values{
      {"MACROSTEP_CONFIG", file}, {"MACROSTEP_FMU_MEMORY", "600"}, {"MACROSTEP_LISTEN", ""}});
  const auto settings = settings_shown({"--threads", "3"});
  expect_setting(settings, "threads", 3, "flag", "--threads");
  expect_setting(settings, "fmu-memory", 600, "environment", "MACROSTEP_FMU_MEMORY");
  expect_setting(settings, "listen", "127.0.0.1:1", "file", file + ":3");
  expect_setting(settings, "fmu-store-limit", 20, "default", nullptr);
  // An option names another file than the variable.
  const std::string other = scratch.write("other.toml", "threads = 7\n");
  expect_setting(settings_shown({"--config", other}), "threads", 7, "file", other + ":1");
}

TEST_CASE("people read the same as a table, without what the token file holds") {
  const Scratch scratch;
  const Variables home(Variables::Values{{"XDG_CONFIG_HOME", scratch.file("")}});
  const std::string token = scratch.write("token", "0123456789abcdef\n");
  const Outcome outcome = run_program({"config", "show", "--token-file", token, "--threads", "3"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("Configuration file: none") == 0);
  CHECK(outcome.out.find("flag --threads") != std::string::npos);
  CHECK(outcome.out.find(token) != std::string::npos);
  CHECK(outcome.out.find("0123456789abcdef") == std::string::npos);
}

TEST_CASE("config show says when whoever reaches the address may do everything") {
  const Scratch scratch;
  const Variables home(Variables::Values{{"XDG_CONFIG_HOME", scratch.file("")}});
  const auto shown = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"config", "show"});
    const Outcome outcome = run_program(arguments);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  const std::string everything = "insecure: whoever reaches 0.0.0.0:80 may submit";
  const std::string refused = "macrostep serve does not start so";
  CHECK(shown({"--listen", "0.0.0.0:80", "--insecure"}).find(everything) != std::string::npos);
  CHECK(shown({"--listen", "0.0.0.0:80"}).find(refused) != std::string::npos);
  for (const auto& closed : {std::vector<std::string>{"--insecure"},
                             {"--listen", "localhost:80", "--insecure"},
                             {"--listen", "0.0.0.0:80", "--token-file", "token"}}) {
    const auto text = shown(closed);
    CHECK_MESSAGE(text.find("whoever") == std::string::npos, text);
    CHECK_MESSAGE(text.find(refused) == std::string::npos, text);
    CHECK(settings_shown(closed).at("open_to_all") == false);
  }
  CHECK(settings_shown({"--listen", "[::]:80", "--insecure"}).at("open_to_all") == true);
  CHECK(settings_shown({"--listen", "[::]:80"}).at("open_to_all") == false);
}

TEST_CASE("the help of serve tells the defaults that hold") {
  const std::string help = run_program({"serve", "--help"}).out;
  // Without what wraps it.
  std::string words;
  for (const char c : help) {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      words += c;
    }
  }
  const auto settings = settings_shown();
  for (const auto& one : cases()) {
    const auto value = setting_named(settings, one.name).at("value");
    if (one.name == "db" || value.is_null() || value.is_array() || value.is_boolean()) {
      continue;  // without a default, or one that follows from the user
    }
    auto text = value.is_string() ? value.get<std::string>() : value.dump();
    const auto option = words.find("--" + one.name);
    REQUIRE(option != std::string::npos);
    const auto said = words.find("(default", option);
    const auto end = words.find(')', said);
    REQUIRE(end != std::string::npos);
    const auto told = words.substr(said + 8, end - said - 8);
    CAPTURE(told);
    CHECK((value.is_string() ? told == text : std::stod(told) == value.get<double>()));
  }
}

TEST_CASE("a mistake in a setting is named where it stands, in one line") {
  const Scratch scratch;
  const Variables home(Variables::Values{{"XDG_CONFIG_HOME", scratch.file("")}});
  const auto refused = [](const std::vector<std::string>& parts,
                          std::vector<std::string> arguments = {}) {
    for (const char* command : {"serve", "config show"}) {
      std::vector<std::string> line{command};
      if (line.front() == "config show") {
        line = {"config", "show"};
      }
      line.insert(line.end(), arguments.begin(), arguments.end());
      const Outcome outcome = run_program(line);
      CHECK(outcome.code == 2);
      CHECK(std::ranges::count(outcome.err, '\n') == 1);
      for (const auto& part : parts) {
        CHECK_MESSAGE(outcome.err.find(part) != std::string::npos, outcome.err);
      }
    }
  };
  const auto in_file = [&](const std::string& text, const std::string& place,
                           const std::string& reason) {
    const std::string file = scratch.write("c.toml", text);
    refused({file + place, reason}, {"--config", file});
  };
  in_file("threads = 1\nthreds = 2\n", ":2: ", "did you mean \"threads\"?");
  in_file("\n\nthreads = many\n", ":3: ", "text in quotes");
  in_file("threads = \"many\"\n", ":1: threads: ", "a whole number from 0 to 1024");
  in_file("listen = \"nowhere\"\n", ":1: listen: ", "ADDRESS:PORT");
  in_file("insecure = \"yes\"\n", ":1: insecure: ", "true or false");
  in_file("threads = [1, 2]\n", ":1: threads ", "not a list");
  in_file("chunk-command = 'x {out}'\n", ":1: chunk-command: ", "must have {manifest} in it");
  in_file("\nchunk-minutes = 1e9\n", ":2: chunk-minutes: ", "at most 600");
  in_file("config = 'x'\n", ":1: ", "\"config\" is not available");
  in_file("threads = 1\n[serve]\n", ":2: ", "tables");
  in_file("threads = 1\nthreads = 2\n", ":2: ", "in line 1 already");
  in_file("token-file = \"a\n", ":1: ", "no end");
  in_file("\nallow-host = [\"a\",\n\n# b\n", ":2: ", "the list must end with ]");
  in_file("allow-host = [\"a\" \"b\"]\n", ":1: ", "a comma is missing");
  in_file("\nallow-host = [\n  'a'\n  'b',\n]\n", ":4: ", "a comma is missing before this");
  in_file("allow-host = [\n  'a',\nthreads = 1\n", ":3: ", "begins in line 1 and has no ] yet");
  in_file("allow-host = [\n  'a\n', 'b']\n", ":2: ", "no end");
  in_file("allow-host = [\n  'a',\n] 2\n", ":3: ", "behind the value");
  in_file("# é\nlisten = \"rig:80\"\n", ":2: listen: ", "an IP address or localhost");
  in_file(std::string("t\0h\0", 4), ":1: ", "in UTF-8");
  in_file("threads = 1 2\n", ":1: ", "behind the value");
  in_file("threads\n", ":1: ", "NAME = VALUE");
  in_file("db = \"a\\x\"\n", ":1: ", "may stand in quotes");
  in_file(std::string(70'000, '#'), ": ", "longer than");
  refused({"no.toml", "No such file"}, {"--config", scratch.file("no.toml")});
  refused({"configuration file"}, {"--config", scratch.file("")});
  {
    const Variables wrong(Variables::Values{{"MACROSTEP_THREDS", "1"}});
    refused({"MACROSTEP_THREDS", "did you mean \"MACROSTEP_THREADS\"?"});
  }
  {
    const Variables wrong(Variables::Values{{"MACROSTEP_THREADS", "-1"}});
    refused({"MACROSTEP_THREADS: threads: must be a whole number"});
  }
  {
    const Variables wrong(Variables::Values{{"MACROSTEP_INSECURE", "1"}});
    refused({"MACROSTEP_INSECURE: ", "true or false"});
  }
  {
    const Variables wrong(Variables::Values{{"MACROSTEP_ALLOW_HOST", "a, b c"}});
    refused({"MACROSTEP_ALLOW_HOST: ", "letters"});
  }
}

TEST_CASE("the file's values are texts, numbers, truths and lists of them, over many lines too") {
  using macrostep::server::parse_config;
  const auto entries = parse_config(
      "a = \"x # \\\"y\\\" \\\\ z\\t\" # comment\r\n"
      "  b-2='c:\\d' \n# c = 1\n\n_d = [ ]\ne = -1.5e3",
      "f");
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].key == "a");
  CHECK(entries[0].values == std::vector<std::string>{"x # \"y\" \\ z\t"});
  CHECK(entries[1].key == "b-2");
  CHECK(entries[1].values == std::vector<std::string>{"c:\\d"});
  CHECK(entries[2].is_list);
  CHECK(entries[2].values.empty());
  CHECK(entries[3].values == std::vector<std::string>{"-1.5e3"});
  CHECK(entries[3].line == 6);
  const auto lists = parse_config(
      "\xEF\xBB\xBF"
      "a = [ # the rigs\r\n  \"x\", 'y' # of two halls\n\n  ,\n  1,\n] # over\nb = 2\n",
      "f");
  REQUIRE(lists.size() == 2);
  CHECK(lists[0].key == "a");
  CHECK(lists[0].values == std::vector<std::string>{"x", "y", "1"});
  CHECK(lists[0].line == 1);
  CHECK(lists[1].line == 7);
  CHECK(parse_config("\xEF\xBB\xBF", "f").empty());
  for (const char* wrong :
       {"a =\n1",  "a\n= 1",    "a = [1\n2]", "a = \"x\ny\"", "a = 1 \xEF\xBB\xBF",
        "a",       "=",         "= 1",        "a =",          "a = ,",
        "a = [",   "a = [,]",   "a = [1",     "a = '",        "a = \"\\",
        "a b = 1", "\"a\" = 1", "[a]",        "a = [1] 2",    "\xff = 1"}) {
    CHECK_THROWS_AS(parse_config(wrong, "f"), macrostep::server::CommandError);
  }
}
