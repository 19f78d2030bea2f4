// macrostep study: counting how often recommendations are wrong.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

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

TEST_CASE("a study counts, keeps what is done, and goes on where it was cut off") {
  const Scratch scratch;
  const std::string file = scratch.file("study.jsonl");
  const auto study = [&](const char* threads) {
    return run_program(
        {"study", "--count", "2", "--results", file, "--json", "--threads", threads});
  };
  const Outcome whole = study("2");
  REQUIRE(whole.code == 0);
  const auto json = nlohmann::json::parse(whole.out);
  REQUIRE(json["problems"].size() == 2);
  CHECK(json["problems"][0]["family"] == "pair");
  bool counted = false;
  for (const auto& score : json["scores"]) {
    if (score["problems"] == "reported" && score["criterion"] == "stability") {
      counted = score["rules"].size() == json["problems"][0]["rules"].size();
      CHECK(score["rules"][0]["problems"] == 1);
    }
  }
  CHECK(counted);

  // Cut off in its last line, as by a kill: that problem is done again, bit for bit.
  const std::string kept = text_of(file);
  std::ofstream(file, std::ios::binary) << kept.substr(0, kept.size() - 100);
  CHECK(study("1").out == whole.out);

  const Outcome other = run_program({"study", "--count", "2", "--seed", "2", "--results", file});
  CHECK(other.code == 1);
  CHECK(other.err.find("another seed") != std::string::npos);
  CHECK(text_of(file).size() == kept.size());
}
