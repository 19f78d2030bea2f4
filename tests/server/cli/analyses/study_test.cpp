// macrostep study: counting how often recommendations are wrong.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scratch.hpp"
#include "tests/server/child_process.hpp"

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a study counts, and does again what was cut off" * doctest::test_suite("slow")) {
  const Scratch scratch;
  const std::string file = scratch.file("study.jsonl");
  const auto study = [&](const char* threads) {
    return run_program(
        {"study", "--count", "1", "--results", file, "--json", "--threads", threads});
  };
  const Outcome whole = study("2");
  REQUIRE(whole.code == 0);
  const auto json = nlohmann::json::parse(whole.out);
  REQUIRE(json["problems"].size() == 1);
  CHECK(json["problems"][0]["family"] == "pair");
  bool counted = false;
  for (const auto& score : json["scores"]) {
    if (score["problems"] == "all" && score["criterion"] == "stability") {
      counted = score["rules"].size() == json["problems"][0]["rules"].size();
      CHECK(score["rules"][0]["problems"] == 1);
    }
  }
  CHECK(counted);

  // Cut off in its last line, as by a kill: that problem is done again, bit for bit.
  const std::string kept = text_of(file);
  std::ofstream(file, std::ios::binary) << kept.substr(0, kept.size() - 100);
  CHECK(study("1").out == whole.out);

  // A row twice, or one that fits no configuration, is no study; nor is a second writer welcome.
  const auto last = kept.substr(0, kept.size() - 1).rfind('\n') + 1;
  const auto with = [&](const char* member, const char* value) {
    const std::string pattern = std::string("\"") + member + R"(":[^",}\[]+)";
    const auto changed = std::regex_replace(kept.substr(last), std::regex(pattern),
                                            std::string("\"") + member + "\":" + value);
    CHECK(changed != kept.substr(last));
    return kept.substr(0, last) + changed;
  };
  for (const auto& damaged :
       {kept + kept.substr(last), with("configuration", "999999"), with("configuration", "0.7"),
        with("unseen_share", "-7"), with("cost", "-5"), with("macro_step_s", "-1")}) {
    CAPTURE(damaged);
    std::ofstream(file, std::ios::binary) << damaged;
    const Outcome refused = study("1");
    CHECK(refused.code == 1);
    CHECK(refused.err.find("no row of a study") != std::string::npos);
    CHECK(text_of(file) == damaged);
  }
  std::ofstream(file, std::ios::binary) << kept;

  const Outcome other = run_program({"study", "--count", "1", "--seed", "2", "--results", file});
  CHECK(other.code == 1);
  CHECK(other.err.find("another seed") != std::string::npos);
  CHECK(text_of(file).size() == kept.size());
}

TEST_CASE("a study keeps what is done, and begins at the problem it is told to" *
          doctest::test_suite("slow")) {
  const Scratch scratch;
  const std::string file = scratch.file("study.jsonl");
  const auto study = [](std::initializer_list<std::string> range) {
    std::vector<std::string> arguments{"study", "--json"};
    arguments.insert(arguments.end(), range.begin(), range.end());
    const Outcome outcome = run_program(arguments);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.out);
  };
  const auto first = study({"--count", "1", "--results", file});
  const std::string kept = text_of(file);
  const auto both = study({"--count", "2", "--results", file});
  CHECK(text_of(file).starts_with(kept));
  REQUIRE(both["problems"].size() == 2);
  CHECK(both["problems"][0] == first["problems"][0]);
  for (const auto& score : both["scores"]) {
    if (score["problems"] == "all" && score["criterion"] == "stability") {
      CHECK(score["rules"][0]["problems"] == 2);
    }
  }
  const auto second = study({"--first", "1", "--count", "1"})["problems"];
  REQUIRE(second.size() == 1);
  CHECK(second[0]["number"] == 1);
  CHECK(second[0] == both["problems"][1]);
}

TEST_CASE("a study leaves a file that is something else as it is") {
  const Scratch scratch;
  const std::string file = scratch.file("keep.json");
  for (const std::string content : {R"({"keep":"me"})", "one line\n", "\x01\x02"}) {
    std::ofstream(file, std::ios::binary) << content;
    const Outcome refused = run_program({"study", "--count", "1", "--results", file});
    CHECK(refused.code == 1);
    CHECK(refused.err.find("no study of this program") != std::string::npos);
    CHECK(text_of(file) == content);
  }
  CHECK(run_program({"study", "--count", "1", "--results", "/dev/null"}).err.find("no regular") !=
        std::string::npos);
}

TEST_CASE("a study that may only be read is shown, and refused where problems are missing") {
  if (::geteuid() == 0) {
    MESSAGE("not tried: root may write any file");
    return;
  }
  const Scratch scratch;
  const std::string file = scratch.file("study.jsonl");
  const auto study = [&](const char* count) {
    return run_program({"study", "--count", count, "--results", file, "--json"});
  };
  const Outcome whole = study("1");
  REQUIRE(whole.code == 0);
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  CHECK(study("1").out == whole.out);
  const Outcome refused = study("2");
  CHECK(refused.code == 1);
  CHECK(refused.err.find("cannot write") != std::string::npos);
}

TEST_CASE("a seed of a study is a whole number") {
  for (const char* seed : {"-1", "010", "0x10", "99999999999999999999999"}) {
    CHECK(run_program({"study", "--count", "1", "--seed", seed}).code == 2);
  }
}

TEST_CASE("a study judges the problems of a file, and counts them by their families" *
          doctest::test_suite("slow")) {
  const Scratch scratch;
  const std::string problems = scratch.file("rigs.jsonl");
  const std::string rows = scratch.file("rows.jsonl");
  const std::string job =
      R"("problem": "linear_oscillator", )"
      R"("search": {"extrapolation": ["0"], "couplings": ["force_displacement"]})";
  std::ofstream(problems, std::ios::binary)
      << "{\"family\": \"rigs\", \"name\": \"rig 1\", " << job << "}\n\n{" << job << "}\n";
  const Outcome whole = run_program({"study", "--problems", problems, "--results", rows, "--json"});
  REQUIRE(whole.code == 0);
  const auto json = nlohmann::json::parse(whole.out);
  REQUIRE(json["problems"].size() == 2);
  CHECK(json["problems"][0]["family"] == "rigs");
  CHECK(json["problems"][0]["description"] == "rig 1");
  CHECK(json["problems"][0]["linear"] == true);
  CHECK(json["problems"][1]["family"] == "linear_oscillator");
  std::vector<std::string> counted;
  for (const auto& score : json["scores"]) {
    if (score["criterion"] == "stability") {
      counted.push_back(score["problems"]);
    }
  }
  CHECK(counted ==
        std::vector<std::string>{"all", "linear", "not linear", "rigs", "linear_oscillator"});

  // What is done stays done as long as the problems are those, and those alone.
  const Outcome again =
      run_program({"study", "--problems", problems, "--results", rows, "--first", "1", "--json"});
  REQUIRE(again.code == 0);
  CHECK(nlohmann::json::parse(again.out)["problems"][0] == json["problems"][1]);
  CHECK(run_program({"study", "--count", "1", "--results", rows}).code == 1);
  std::ofstream(problems, std::ios::binary | std::ios::app) << "\n";
  CHECK(run_program({"study", "--problems", problems, "--results", rows}).code == 1);
}

TEST_CASE("a study tells the line and the field of what is wrong in a file of problems") {
  const Scratch scratch;
  const std::string file = scratch.file("rigs.jsonl");
  const std::string good = R"({"problem": "linear_oscillator"})";
  struct Wrong {
    std::string text, told;
  };
  for (
      const auto& [text, told] : std::vector<Wrong>{
          {"", "holds no problem"},
          {"[]", "holds 0 problems"},
          {"[" + good, "no end"},
          {"[" + good + "] 1", "something behind it"},
          {"[" + good + ",\n\n" + R"({"problem": 7}])", "line 3: /problem"},
          {"[\n" + good + ",]", "line 2: is not valid JSON"},
          {good + "\n7\n", "line 2: is no job"},
          {good + "\n\n{\"problem\": \n", "line 3: is not valid JSON"},
          {good + "\n" + R"({"problem": "linear_osc"})", "line 2: /problem"},
          {R"({"problem": "linear_oscillator", "family": 3})", "line 1: /family"},
          {R"({"problem": "linear_oscillator", "familly": "rigs"})", "line 1: /familly"},
          {R"({"problem": "linear_oscillator", "note": "mine"})", "line 1: /note"},
          {good + "\n" + R"({"problem": "linear_oscillator", "search": {"schemes": ["jacoby"]}})",
           "line 2: /search/schemes/0"},
          {R"({"problem": "linear_oscillator", "tests": [{"kind": "recorded", "file": "no.csv"}]})",
           "line 1: /tests"},
          {R"({"problem": {"subsystems": [{"name": "a", "fmu": "a.fmu"}]}})",
           "line 1: /problem/subsystems/0/fmu"}}) {
    CAPTURE(text);
    std::ofstream(file, std::ios::binary) << text;
    const Outcome refused = run_program({"study", "--problems", file});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(refused.err.find(told) != std::string::npos, refused.err);
  }
  std::ofstream(file, std::ios::binary) << good;
  CHECK(run_program({"study", "--problems", file, "--first", "1"}).err.find("--first") !=
        std::string::npos);
  CHECK(run_program({"study", "--problems", scratch.file("none")}).code == 2);
  CHECK(run_program({"study", "--problems", "/dev/null"}).err.find("no regular file") !=
        std::string::npos);
}
