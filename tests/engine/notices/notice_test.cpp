// The table of sentences as a whole, and how a sentence is made.
#include "engine/notices/notice.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>

#include "tests/engine/notices/found_notice.hpp"

namespace macrostep::tests::notices {

namespace {

using namespace engine;

constexpr auto last_code = NoticeCode::tuning_stopped;

/// What stands for something else than a number.
const std::set<std::string_view> texts{"subject", "detail", "check", "causes", "cliff"};

/// Names of the numbers that a sentence wants.
std::set<std::string> wanted(std::string_view sentence) {
  std::set<std::string> names;
  for (auto at = sentence.find('{'); at != sentence.npos; at = sentence.find('{', at + 1)) {
    const auto inside = sentence.substr(at + 1, sentence.find('}', at) - at - 1);
    const auto name = inside.substr(0, inside.find_first_of(":?"));
    if (!texts.contains(name)) {
      names.emplace(name);
      names.emplace("session_s");
    }
  }
  return names;
}

Notice filled(const NoticeSentence& row, double value) {
  Notice notice{.code = row.code,
                .subject = "some subject",
                .detail = "some detail",
                .check = "some_check",
                .causes = {{.code = NoticeCode::nothing_moves}}};
  for (const auto& name : wanted(row.sentence)) {
    notice.numbers.push_back({name, value});
  }
  return notice;
}

bool is_lower_word(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == name.npos;
}

}  // namespace

TEST_CASE("every code has one name and one sentence, which no other has") {
  const auto rows = notice_sentences();
  REQUIRE(rows.size() == static_cast<std::size_t>(last_code) + 1);
  std::set<std::string_view> names;
  std::set<std::string_view> sentences_seen;
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(is_lower_word(row.name));
    CHECK(names.insert(row.name).second);
    CHECK(sentences_seen.insert(row.sentence).second);
    CHECK(to_string(row.code) == row.name);
    CHECK(severity_of(row.code) == row.severity);
    CHECK_FALSE(to_string(row.severity).empty());
  }
}

TEST_CASE("every sentence can be made of its numbers, and is told without a full stop") {
  for (const auto& row : notice_sentences()) {
    CAPTURE(row.name);
    for (const double value : {1.0, 2.0, 0.0015, 1e300, std::numeric_limits<double>::infinity()}) {
      const auto text = sentence(filled(row, value));
      CAPTURE(text);
      CHECK(text.find_first_of("{}[]|") == std::string::npos);
      CHECK_FALSE(text.ends_with('.'));
      CHECK(text.find("  ") == std::string::npos);
      const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
      CHECK(has("some subject") == (row.sentence.find("{subject}") != row.sentence.npos));
      CHECK(has("some detail") == (row.sentence.find("{detail}") != row.sentence.npos));
      CHECK(has("some check") == (row.sentence.find("{check}") != row.sentence.npos));
      CHECK(has("nothing moves") == (row.code == NoticeCode::nothing_moves ||
                                     row.sentence.find("{causes}") != row.sentence.npos));
    }
  }
}

TEST_CASE("numbers are written as times, shares, counts and words") {
  CHECK(sentence(
            {.code = NoticeCode::little_margin, .numbers = {{"cliff_s", 2.2e-3}, {"ratio", 1.1}}})
            .find("is at 2.2 ms, only 1.1 times H") != std::string::npos);
  CHECK(sentence({.code = NoticeCode::run_error_absurd, .numbers = {{"nrmse", 1.33}}})
            .find("(NRMSE 133 %)") != std::string::npos);
  const auto inputs = [](double count) {
    return sentence(
        {.code = NoticeCode::more_inputs_without_source, .numbers = {{"inputs", count}}});
  };
  CHECK(inputs(1) == "1 more input of FMUs has no source");
  CHECK(inputs(100'000) == "100000 more inputs of FMUs have no source");
  CHECK(sentence({.code = NoticeCode::trials_timed_out,
                  .numbers = {{"curves", 12345}, {"curves_in_all", 100'000}}})
            .starts_with("trials of 12345 of 100000 curves took too long"));
  const auto orders = [](double count) {
    return sentence({.code = NoticeCode::orders_not_usable,
                     .subject = "3, 4",
                     .numbers = {{"orders", count}},
                     .detail = "no"});
  };
  CHECK(orders(1) == "order 3, 4 could not be used: no");
  CHECK(orders(2) == "orders 3, 4 could not be used: no");
}

TEST_CASE("a failed check tells its limit where there is one, then the value and its place") {
  Notice failed{
      .code = NoticeCode::fails_check,
      .numbers = {{"macro_step_s", 5e-3}, {"value", 3.2}, {"limit", 1.5}},
      .check = "swing",
      .causes = {
          {.code = NoticeCode::compared_with_finer_run,
           .subject = "ramp",
           .numbers = {{"value", 3.2}, {"macro_step_s", 5e-3}, {"finer_macro_step_s", 1.25e-3}}}}};
  CHECK(sentence(failed) ==
        "not verified: with H = 5 ms this configuration fails the check of swing (limit 1.5): 3.2 "
        "in ramp, H = 5 ms compared with 1.25 ms");
  failed.numbers = {{"macro_step_s", 5e-3}};
  CHECK(sentence(failed).find("fails the check of swing: 3.2 in ramp") != std::string::npos);
}

TEST_CASE("growth is told in the same words everywhere, also where it is infinite") {
  const auto told = [](double rate_per_s) {
    return sentence({.code = NoticeCode::unstable_by_exact_analysis,
                     .numbers = {{"rate_per_s", rate_per_s}, {"session_s", 100}}});
  };
  CHECK(told(0.1).ends_with(": a motion doubles every 6.931 s"));
  CHECK(told(std::numeric_limits<double>::infinity())
            .ends_with(": a motion grows beyond all numbers within one macro-step"));
}

TEST_CASE("the worst notices come first, each with what follows it") {
  std::vector<Notice> notices{
      {.code = NoticeCode::scan_halved},   {.code = NoticeCode::lower_scan},
      {.code = NoticeCode::little_margin}, {.code = NoticeCode::outputs_useless},
      {.code = NoticeCode::set_accuracy},  {.code = NoticeCode::nothing_verified}};
  put_worst_first(notices);
  CHECK(codes_of(notices) == std::vector{NoticeCode::outputs_useless, NoticeCode::set_accuracy,
                                         NoticeCode::little_margin, NoticeCode::nothing_verified,
                                         NoticeCode::scan_halved, NoticeCode::lower_scan});
}

TEST_CASE("a code is found by its name") {
  for (const auto& row : notice_sentences()) {
    CHECK(notice_code_from(row.name) == row.code);
  }
  CHECK_FALSE(notice_code_from("unnamed"));
}

}  // namespace macrostep::tests::notices
