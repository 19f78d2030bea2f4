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
