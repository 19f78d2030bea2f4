#include "server/cli/search/result_table.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/scan/curve_flags.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/json/flags.hpp"

namespace macrostep::server {

namespace {

using engine::Configuration;
using engine::Plan;

constexpr std::size_t label_width = 14;

const std::string& cliff_words() {
  static const std::string words = "the first H " + std::string(engine::cliff_meaning) +
                                   "; the exact limit of stability may lie elsewhere.";
  return words;
}

constexpr std::string_view verified_meaning =
    "the largest H of these configurations that has passed the checks of the job, or the exact "
    "analysis of stability; H is what the residual alone allows.";

/// One column of the table: a choice of the configuration, as the job spells it.
struct Column {
  std::string title;
  std::vector<std::string> values;  ///< of each configuration of the plan
};

std::vector<Column> columns_of(const Plan& plan) {
  std::vector<Column> columns;
  const auto add = [&](const std::string& title, auto value) {
    Column column{title, {}};
    for (const auto& configuration : plan.configurations) {
      column.values.emplace_back(value(configuration));
    }
    columns.push_back(std::move(column));
  };
  const auto add_if_varied = [&](const std::string& title, auto value) {
    add(title, value);
    const auto& values = columns.back().values;
    if (std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == values.end()) {
      columns.pop_back();
    }
  };
  add_if_varied("coupling", [](const Configuration& c) { return c.coupling; });
  add_if_varied("scheme", [](const Configuration& c) { return to_string(c.scheme); });
  add_if_varied("order", order_text);
  add("extrapolation", [](const Configuration& c) { return to_string(c.extrapolation); });
  add_if_varied("correction", [](const Configuration& c) { return to_string(c.correction); });
  auto groups = plan.problem.groups();
  for (const auto& group : groups) {
    add(group, [&](const Configuration& c) { return to_string(c.integrators.at(group)); });
  }
  return columns;
}

/// The cells of configurations that share a result. Where they are all combinations of some values,
/// the values stand side by side ("1/2"); else the first one stands alone, and how many equal it.
std::vector<std::string> configuration_cells(const std::vector<Column>& columns,
                                             const std::vector<std::size_t>& configurations) {
  std::vector<std::string> cells;
  std::size_t combinations = 1;
  for (const auto& column : columns) {
    std::vector<std::string> different;
    for (const std::size_t index : configurations) {
      const auto& value = column.values[index];
      if (std::ranges::find(different, value) == different.end()) {
        different.push_back(value);
      }
    }
    combinations *= different.size();
    std::ranges::sort(different);
    std::string cell;
    for (const auto& value : different) {
      cell += (cell.empty() ? "" : "/") + value;
    }
    cells.push_back(cell);
  }
  if (combinations == configurations.size()) {
    return cells;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cells[i] = columns[i].values[configurations.front()];
  }
  cells.push_back("(equal: " + std::to_string(configurations.size() - 1) + " more)");
  return cells;
}

std::string superscript(std::size_t number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return (number < digits.size() ? "" : superscript(number / digits.size())) +
         digits.at(number % digits.size());
}

/// What the flags of a table's rows mean, below it, numbered as the rows ask for it.
class Footnotes {
 public:
  /// Behind the row's name: " ¹ ³".
  std::string marks(const std::vector<std::string>& flags) {
    std::string text;
    for (const auto& known : json::flag_words()) {
      if (known.noted && std::ranges::find(flags, known.flag) != flags.end()) {
        text += " " + superscript(number_of(known.meaning));
      }
    }
    return text;
  }

  std::string text() const {
    std::string text = meanings_.empty() ? "" : "\n";
    for (std::size_t i = 0; i < meanings_.size(); ++i) {
      text += "  " + superscript(i + 1) + " " + wrapped(std::string(meanings_[i]), 4) + "\n";
    }
    return text;
  }

 private:
  std::size_t number_of(std::string_view meaning) {
    const auto place = std::ranges::find(meanings_, meaning) - meanings_.begin();
    if (static_cast<std::size_t>(place) == meanings_.size()) {
      meanings_.push_back(meaning);
    }
    return static_cast<std::size_t>(place) + 1;
  }

  std::vector<std::string_view> meanings_;
};

/// Whether an interrupted search has no finished curve of the test.
bool is_untouched(const engine::SearchResult& result, std::size_t test) {
  return !result.complete &&
         std::ranges::none_of(result.answer.curves,
                              [&](const engine::Curve& curve) { return curve.key.test == test; });
}

std::string milliseconds_or_dash(const std::optional<double>& seconds) {
  return seconds ? engine::macro_step_text(*seconds) : "–";
}

struct VerifiedGroup {
  std::optional<double> verified_s;
  std::vector<std::size_t> configurations;
};

/// The configurations of a row, the preferred one in the first group.
std::vector<VerifiedGroup> by_verified_step(const engine::TableRow& row) {
  std::vector<VerifiedGroup> groups;
  for (std::size_t i = 0; i < row.configurations.size(); ++i) {
    auto group = std::ranges::find(groups, row.verified_s[i], &VerifiedGroup::verified_s);
    if (group == groups.end()) {
      group = groups.insert(group, {.verified_s = row.verified_s[i], .configurations = {}});
    }
    group->configurations.push_back(row.configurations[i]);
  }
  return groups;
}
}  // namespace

std::string report_line(const std::string& label, const std::string& text) {
  const std::string padded = label + std::string(label_width - label.size(), ' ');
  return "  " + padded + wrapped(text, 2 + label_width) + "\n";
}

std::string order_text(const engine::Configuration& configuration) {
  std::string text;
  for (const auto& subsystem : configuration.order) {
    text += (text.empty() ? "" : ",") + subsystem;
  }
  return text.empty() ? "-" : text;
}

std::string result_table(const Plan& plan, const engine::SearchResult& result) {
  const auto columns = columns_of(plan);
  std::vector<std::string> head{"test input", "H", "verified", "cliff"};
  for (const auto& column : columns) {
    head.push_back(column.title);
  }
  Table table([&] {
    std::vector<Table::Align> align(head.size() + 1, Table::Align::left);
    align[1] = align[2] = align[3] = Table::Align::right;
    return align;
  }());
  table.add(head);
  Footnotes notes;
  bool any_cliff = false;
  for (const auto& row : result.answer.table) {
    if (is_untouched(result, row.test)) {
      table.add({plan.job.tests[row.test].name, "not yet"});
      continue;
    }
    const std::string name = plan.job.tests[row.test].name + notes.marks(row.flags);
    if (!counts(row)) {
      table.add({name, row.macro_step_s ? "–" : "none", "–", "–"});
      continue;
    }
    any_cliff = any_cliff || row.cliff_s;
    std::vector<std::string> cells{name, engine::macro_step_text(*row.macro_step_s), "",
                                   milliseconds_or_dash(row.cliff_s)};
    for (const auto& [verified_s, configurations] : by_verified_step(row)) {
      cells[2] = milliseconds_or_dash(verified_s);
      const auto chosen = configuration_cells(columns, configurations);
      cells.insert(cells.end(), chosen.begin(), chosen.end());
      table.add(std::move(cells));
      cells.assign(4, "");  // the same test and H
    }
  }
  return bold("Largest H per test input, as measured") + "\n\n" + table.text(2) + "\n" +
         report_line("verified", std::string(verified_meaning)) +
         (any_cliff ? report_line("cliff", cliff_words()) : "") + notes.text();
}

}  // namespace macrostep::server
