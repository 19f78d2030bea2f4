#include "server/cli/analyses/study.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "engine/study/scores.hpp"
#include "server/cli/analyses/study_file.hpp"
#include "server/cli/analyses/study_problems.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/results/study_json.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;
using engine::Criterion;
using engine::StudyRow;

constexpr int max_count = 100'000;

constexpr const char* study_legend =
    "answers     problems in which something is recommended\n"
    "unsafe      answers that miss: unstable, or less accurate than that under inputs the search\n"
    "            never saw; the range holds their true share with 95 %\n"
    "H / limit   median of the recommended H over the largest that would have done, with the same\n"
    "            configuration; none recommended counts as 0\n"
    "H / best    the same over the largest limit of all configurations\n"
    "cost        of the search, median, against the first rule\n"
    "-           no problem has a limit within its scan, or none has an answer\n";

struct StudyOptions {
  std::uint64_t seed = 1;
  int first = 0;
  int count = 100;
  int threads = 0;
  bool counts_all = false;  ///< of the given problems, as nothing is said of the count
  std::string problems;     ///< file of them; empty: they are drawn
  bool all_rules = false;
  std::string results;

  engine::StudyRules rules() const {
    return all_rules ? engine::StudyRules::all : engine::StudyRules::searches;
  }
  bool json = false;
};

/// The problems of a study: numbers of drawn ones, or places in the list of given ones.
struct Numbers {
  std::uint64_t first = 0, end = 0;

  std::size_t count() const { return static_cast<std::size_t>(end - first); }
};

Numbers numbers_of(const StudyOptions& options, const std::optional<StudyProblems>& given) {
  const auto first = static_cast<std::uint64_t>(options.first);
  const auto end = first + static_cast<std::uint64_t>(options.count);
  if (!given) {
    return {.first = first, .end = end};
  }
  const std::uint64_t last = given->list.size();
  if (first >= last) {
    throw CommandError(Failure::bad_usage, "--first: " + options.problems + " holds " +
                                               counted(given->list.size(), "problem") +
                                               ", and the first is 0");
  }
  return {.first = first, .end = options.counts_all ? last : std::min(end, last)};
}

std::string ratio_text(const std::optional<double>& value) {
  return value ? engine::number_text(*value) : "-";
}

std::string score_text(const engine::Score& score) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right, right});
  table.add({"rule", "answers", "unsafe", "95 %", "H / limit", "H / best", "cost"});
  for (const auto& rule : score.rules) {
    table.add({rule.rule, std::to_string(rule.recommended), std::to_string(rule.unsafe),
               engine::percent_text(rule.unsafe_rate.low) + " – " +
                   engine::percent_text(rule.unsafe_rate.high),
               ratio_text(rule.efficiency), ratio_text(rule.efficiency_of_best),
               ratio_text(rule.cost)});
  }
  return table.text(2) + (score.without_limit > 0
                              ? "  and " + counted(score.without_limit, "problem") +
                                    " that no configuration can meet\n"
                              : "");
}

std::string title(Criterion criterion) {
  switch (criterion) {
    case Criterion::stability:
      return "Stable";
    case Criterion::accuracy_5:
      return "NRMSE of at most 5 %";
    case Criterion::accuracy_1:
      break;
  }
  return "NRMSE of at most 1 %";
}

/// Those that are counted together.
struct Group {
  std::string name;
  std::function<bool(const StudyRow& row)> holds;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list{
      {"all", [](const StudyRow&) { return true; }},
      {"linear", [](const StudyRow& row) { return row.linear; }},
      {"not linear", [](const StudyRow& row) { return !row.linear; }}};
  return list;
}

/// One for each family of the rows: those that are drawn first, in their order.
std::vector<Group> families_of(const std::vector<StudyRow>& rows) {
  std::vector<std::string> names;
  for (const auto family : engine::all_families) {
    if (std::ranges::find(rows, to_string(family), &StudyRow::family) != rows.end()) {
      names.emplace_back(to_string(family));
    }
  }
  for (const auto& row : rows) {
    if (std::ranges::find(names, row.family) == names.end()) {
      names.push_back(row.family);
    }
  }
  std::vector<Group> list;
  for (const auto& name : names) {
    list.push_back({name, [name](const StudyRow& row) { return row.family == name; }});
  }
  return list;
}

/// The rules that searches go by, by family: stability by the default, accuracy by the one that a
/// job with that accuracy has.
std::string family_text(const std::vector<StudyRow>& rows) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right, right});
  table.add({"problems", "", "unstable", "H / limit", "NRMSE > 5 %", "H / that", "cost"});
  const auto unsafe = [](const engine::RuleScore& rule) {
    return std::to_string(rule.unsafe) + " of " + std::to_string(rule.recommended);
  };
  for (const auto& family : families_of(rows)) {
    const auto stability = engine::score(rows, Criterion::stability, family.holds);
    const auto accuracy = engine::score(rows, Criterion::accuracy_5, family.holds);
    const auto stable =
        std::ranges::find(stability.rules, engine::default_study_rule, &engine::RuleScore::rule);
    const auto accurate =
        std::ranges::find(accuracy.rules, engine::accuracy_study_rule, &engine::RuleScore::rule);
    if (stable == stability.rules.end()) {
      continue;
    }
    const bool has = accurate != accuracy.rules.end();
    table.add({family.name, std::to_string(stable->problems), unsafe(*stable),
               ratio_text(stable->efficiency), has ? unsafe(*accurate) : "-",
               has ? ratio_text(accurate->efficiency) : "-", ratio_text(stable->cost)});
  }
  return table.text(2);
}

std::string study_text(const std::vector<StudyRow>& rows) {
  std::string text;
  for (const auto& group : groups()) {
    for (const auto criterion : engine::all_criteria) {
      const auto score = engine::score(rows, criterion, group.holds);
      if (!score.rules.empty()) {
        text += bold(title(criterion) + ": " + group.name + ", " +
                     counted(score.rules.front().problems, "problem")) +
                "\n\n" + score_text(score) + "\n";
      }
    }
  }
  text += bold("By family: stability by " + std::string(engine::default_study_rule) +
               ",\naccuracy by " + std::string(engine::accuracy_study_rule)) +
          "\n\n" + family_text(rows) + "\n";
  for (const auto& row : rows) {
    if (!row.failure.empty()) {
      text += "  " +
              wrapped("problem " + std::to_string(row.number) + ", " + row.description +
                          ", failed: " + row.failure,
                      4) +
              "\n";
    }
  }
  return text + study_legend;
}

Json study_json(const StudyOptions& options, const Numbers& numbers,
                const std::vector<StudyRow>& rows) {
  Json scores = Json::array();
  const auto families = families_of(rows);
  for (const auto* list : {&groups(), &families}) {
    for (const auto& group : *list) {
      for (const auto criterion : engine::all_criteria) {
        auto score = json::score_json(engine::score(rows, criterion, group.holds));
        score["problems"] = group.name;
        scores.push_back(std::move(score));
      }
    }
  }
  Json checks = Json::array();
  for (const auto& count : engine::counts_by_check(rows, engine::default_study_rule)) {
    checks.push_back(json::check_count_json(count));
  }
  Json problems = Json::array();
  for (const auto& row : rows) {
    problems.push_back(json::study_row_json(row));
  }
  Json study = {{"seed", options.seed}, {"first", numbers.first}, {"count", numbers.count()}};
  study["default_rule"] = engine::default_study_rule;
  study["accuracy_rule"] = engine::accuracy_study_rule;
  study["scores"] = std::move(scores);
  study["checks"] = std::move(checks);
  study["problems"] = std::move(problems);
  return study;
}

/// What is run, and what is done of it.
struct Study {
  std::uint64_t seed = 0;
  engine::StudyRules rules = engine::StudyRules::searches;
  Numbers numbers;
  std::optional<StudyProblems> given;
  std::optional<StudyFile> file;
  std::vector<StudyRow> rows;

  StudyRow run(std::uint64_t number, const std::atomic<bool>* stop) const {
    return given ? engine::study_problem(given->list[number], seed, number, rules, stop)
                 : engine::study_problem(seed, number, rules, stop);
  }
};

/// Runs what is missing; false if interrupted.
bool run_missing(Study& study, int threads) {
  std::set<std::uint64_t> done;
  for (const auto& row : study.rows) {
    done.insert(row.number);
  }
  std::vector<std::uint64_t> missing;
  for (auto number = study.numbers.first; number < study.numbers.end; ++number) {
    if (!done.contains(number)) {
      missing.push_back(number);
    }
  }
  if (study.file && !missing.empty()) {
    study.file->require_writable();  // rather than after the first problem
  }
  const Interrupt interrupt;
  ProgressLine progress;
  std::mutex mutex;  // guards rows, the file and the line of progress
  engine::for_each_index(missing.size(), threads, [&](std::size_t i) {
    if (interrupt.requested()) {
      return;
    }
    auto row = study.run(missing[i], &interrupt.requested());
    const std::lock_guard lock(mutex);
    if (interrupt.requested()) {
      return;  // what was stopped on its way is no result
    }
    if (study.file) {
      study.file->add(row);
    }
    study.rows.push_back(std::move(row));
    progress.show(study.rows.size(), study.numbers.count(), "problems");
  });
  return !interrupt.requested();
}

int run_study(const StudyOptions& options) {
  Study study{.seed = options.seed,
              .rules = options.rules(),
              .numbers = {},
              .given = {},
              .file = {},
              .rows = {}};
  StudySource source{.seed = options.seed, .problems = {}, .rules = options.rules()};
  if (!options.problems.empty()) {
    study.given = read_study_problems(options.problems);
    source.problems = study.given->digest;
  }
  study.numbers = numbers_of(options, study.given);
  if (!options.results.empty()) {
    study.file.emplace(options.results, source);
    study.rows = study.file->rows();
    std::erase_if(study.rows, [&](const StudyRow& row) {
      return row.number < study.numbers.first || row.number >= study.numbers.end;
    });
  }
  if (!run_missing(study, options.threads)) {
    return interrupted(std::to_string(study.rows.size()) + " of " +
                       counted(study.numbers.count(), "problem") + " are done; " +
                       (study.file ? "the same command goes on from " + options.results
                                   : "with --results they would be kept"));
  }
  std::ranges::sort(study.rows, {}, &StudyRow::number);
  print(options.json ? study_json(options, study.numbers, study.rows).dump() + "\n"
                     : study_text(study.rows));
  return exit_success;
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      app.add_subcommand("study", "Count on many problems how often recommendations are wrong");
  auto* seed = show_default(
      command->add_option("--seed", options->seed, "Of what is drawn")->option_text("S"));
  expect_whole_number(seed, 0, std::numeric_limits<int>::max());
  auto* first =
      show_default(command->add_option("--first", options->first, "Number of the first problem")
                       ->option_text("K"));
  expect_whole_number(first, 0, max_count);
  auto* count = show_default(
      command->add_option("--count", options->count, "Problems to draw; of a file all unless told")
          ->option_text("N"));
  expect_whole_number(count, 1, max_count);
  auto* problems = command->add_option(
      "--problems", options->problems,
      "File of jobs to judge instead, one a line or as a JSON list; name and family are optional");
  problems->option_text("FILE");
  expect_file(problems);
  auto* results = command->add_option(
      "--results", options->results,
      "File that keeps what is done, and from which an interrupted study goes on");
  results->option_text("FILE");
  expect_file(results);
  command->add_flag(
      "--all-rules", options->all_rules,
      "Also search by runs alone, as if all were black boxes, and count rules that were "
      "tried in place of the search's own");
  add_threads(*command, options->threads, "Threads for problems");
  command->add_flag("--json", options->json, "Write JSON");
  command->footer(
      "Every problem is searched as a job asks for it: as it is, and with an accuracy of 5 %.\n"
      "What is recommended is held against the limit of stability and the monolithic solution.\n"
      "A problem takes seconds, or minutes where its motions differ much in speed.\n"
      "\n"
      "Examples:\n"
      "  macrostep study --seed 1 --count 40\n"
      "  macrostep study --problems rigs.jsonl --results rigs.rows");
  command->callback([options, count, &action] {
    options->counts_all = count->count() == 0;
    action = [options] { return run_study(*options); };
  });
}

}  // namespace macrostep::server
