#include "server/cli/analyses/study.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
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
  std::string results;
  bool json = false;

  struct Numbers {
    std::uint64_t first = 0, end = 0;
  };
  Numbers numbers() const {
    return {.first = static_cast<std::uint64_t>(first),
            .end = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(count)};
  }
};

std::string ratio_text(const std::optional<double>& value) {
  return value ? engine::number_text(*value) : "-";
}

/// With what searches go by it.
std::string marked(const std::string& rule) {
  if (rule == engine::default_study_rule) {
    return rule + " (default)";
  }
  return rule == engine::accuracy_study_rule ? rule + " (accuracy 0.05)" : rule;
}

std::string score_text(const engine::Score& score) {
  using enum Table::Align;
  Table table({left, right, right, right, right, right, right});
  table.add({"rule", "answers", "unsafe", "95 %", "H / limit", "H / best", "cost"});
  for (const auto& rule : score.rules) {
    table.add({marked(rule.rule), std::to_string(rule.recommended), std::to_string(rule.unsafe),
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
      {"linear", [](const StudyRow& row) { return engine::is_linear(row.family); }},
      {"not linear", [](const StudyRow& row) { return !engine::is_linear(row.family); }}};
  return list;
}

/// One for each family.
const std::vector<Group>& families() {
  static const auto list = [] {
    std::vector<Group> groups;
    for (const auto family : engine::all_families) {
      groups.push_back({std::string(to_string(family)),
                        [family](const StudyRow& row) { return row.family == family; }});
    }
    return groups;
  }();
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
  for (const auto& family : families()) {
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

Json study_json(const StudyOptions& options, const std::vector<StudyRow>& rows) {
  Json scores = Json::array();
  for (const auto* list : {&groups(), &families()}) {
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
  Json study = {{"seed", options.seed}, {"first", options.first}, {"count", options.count}};
  study["default_rule"] = engine::default_study_rule;
  study["accuracy_rule"] = engine::accuracy_study_rule;
  study["scores"] = std::move(scores);
  study["checks"] = std::move(checks);
  study["problems"] = std::move(problems);
  return study;
}

/// Runs what is missing; false if interrupted.
bool run_missing(const StudyOptions& options, StudyFile* file, std::vector<StudyRow>& rows) {
  std::set<std::uint64_t> done;
  for (const auto& row : rows) {
    done.insert(row.number);
  }
  std::vector<std::uint64_t> missing;
  for (auto number = options.numbers().first; number < options.numbers().end; ++number) {
    if (!done.contains(number)) {
      missing.push_back(number);
    }
  }
  if (file && !missing.empty()) {
    file->require_writable();  // rather than after the first problem
  }
  const Interrupt interrupt;
  ProgressLine progress;
  std::mutex mutex;  // guards rows, the file and the line of progress
  engine::for_each_index(missing.size(), options.threads, [&](std::size_t i) {
    if (interrupt.requested()) {
      return;
    }
    auto row = engine::study_problem(options.seed, missing[i], &interrupt.requested());
    const std::lock_guard lock(mutex);
    if (interrupt.requested()) {
      return;  // what was stopped on its way is no result
    }
    if (file) {
      file->add(row);
    }
    rows.push_back(std::move(row));
    progress.show(rows.size(), static_cast<std::size_t>(options.count), "problems");
  });
  return !interrupt.requested();
}

int run_study(const StudyOptions& options) {
  std::optional<StudyFile> file;
  std::vector<StudyRow> rows;
  if (!options.results.empty()) {
    file.emplace(options.results, options.seed);
    rows = file->rows();
    std::erase_if(rows, [&](const StudyRow& row) {
      return row.number < options.numbers().first || row.number >= options.numbers().end;
    });
  }
  if (!run_missing(options, file ? &*file : nullptr, rows)) {
    return interrupted(std::to_string(rows.size()) + " of " +
                       counted(static_cast<std::size_t>(options.count), "problem") + " are done; " +
                       (file ? "the same command goes on from " + options.results
                             : "with --results they would be kept"));
  }
  std::ranges::sort(rows, {}, &StudyRow::number);
  print(options.json ? study_json(options, rows).dump() + "\n" : study_text(rows));
  return exit_success;
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      app.add_subcommand("study", "Count on drawn problems how often recommendations are wrong");
  auto* seed =
      show_default(command->add_option("--seed", options->seed, "Of the problems that are drawn")
                       ->option_text("S"));
  expect_whole_number(seed, 0, std::numeric_limits<int>::max());
  auto* first =
      show_default(command->add_option("--first", options->first, "Number of the first problem")
                       ->option_text("K"));
  expect_whole_number(first, 0, max_count);
  auto* count = show_default(
      command->add_option("--count", options->count, "Problems to draw")->option_text("N"));
  expect_whole_number(count, 1, max_count);
  auto* results = command->add_option(
      "--results", options->results,
      "File that keeps what is done, and from which an interrupted study goes on");
  results->option_text("FILE");
  expect_file(results);
  add_threads(*command, options->threads, "Threads for problems");
  command->add_flag("--json", options->json, "Write JSON");
  command->footer(
      "Every problem is searched by several rules, as if it were a black box, and what each\n"
      "recommends is held against the exact limit of stability and the monolithic solution.\n"
      "600 problems take an hour on two cores, 40 some four minutes.\n"
      "\n"
      "Example:\n"
      "  macrostep study --seed 1 --count 40");
  command->callback([options, &action] { action = [options] { return run_study(*options); }; });
}

}  // namespace macrostep::server
