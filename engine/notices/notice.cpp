#include "engine/notices/notice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/notices/answer_sentences.hpp"
#include "engine/notices/check_sentences.hpp"
#include "engine/notices/curve_sentences.hpp"
#include "engine/notices/problem_sentences.hpp"
#include "engine/notices/reason_sentences.hpp"
#include "models/subsystem/ensure.hpp"
#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Severity, 3> severity_names{
    {{Severity::info, "info"}, {Severity::warning, "warning"}, {Severity::error, "error"}}};

const std::vector<NoticeSentence>& all_rows() {
  static const std::vector<NoticeSentence> rows = [] {
    std::vector<NoticeSentence> all;
    const auto append = [&](std::span<const NoticeSentence> part) {
      all.insert(all.end(), part.begin(), part.end());
    };
    append(problem_sentences);
    append(curve_sentences);
    append(failure_sentences);
    append(stability_sentences);
    append(accuracy_sentences);
    append(run_sentences);
    append(answer_reasons);
    append(reasons_of_none);
    append(comparison_findings);
    append(growth_findings);
    append(region_sentences);
    append(reasons_of_tuning);
    std::ranges::sort(all, {}, &NoticeSentence::code);
    for (std::size_t i = 0; i < all.size(); ++i) {
      models::ensure(static_cast<std::size_t>(all[i].code) == i, "every notice has one sentence");
    }
    return all;
  }();
  return rows;
}

const NoticeSentence& row_of(NoticeCode code) {
  const auto& rows = all_rows();
  const auto place = static_cast<std::size_t>(code);
  models::ensure(place < rows.size(), "every notice has a sentence");
  return rows[place];
}

const double* find_number(const Notice& notice, std::string_view name) {
  const auto found = std::ranges::find(notice.numbers, name, &NoticeNumber::name);
  return found == notice.numbers.end() ? nullptr : &found->value;
}

double number_of(const Notice& notice, std::string_view name) {
  const auto* found = find_number(notice, name);
  models::ensure(found, "a notice has the numbers of its sentence");
  return *found;
}

/// "one|many": what suits the number.
std::string_view chosen(std::string_view words, double number) {
  const auto bar = words.find('|');
  return number == 1 ? words.substr(0, bar) : words.substr(bar + 1);
}

std::string text_of(const Notice& notice, std::string_view placeholder) {
  if (placeholder == "subject") {
    return notice.subject;
  }
  if (placeholder == "detail") {
    return notice.detail;
  }
  if (placeholder == "check") {
    auto words = notice.check;
    std::ranges::replace(words, '_', ' ');
    return words;
  }
  if (placeholder == "causes") {
    return joined_sentences(notice.causes);
  }
  if (placeholder == "cliff") {
    return std::string(cliff_meaning);
  }
  const auto end = placeholder.find_first_of(":?");
  const double value = number_of(notice, placeholder.substr(0, end));
  if (end == placeholder.npos) {
    return number_text(value);
  }
  const auto form = placeholder.substr(end + 1);
  if (placeholder[end] == '?') {
    return std::string(chosen(form, value));
  }
  if (form == "ms") {
    return macro_step_text(value);
  }
  if (form == "time") {
    return number_text(1e3 * value) + " ms";
  }
  if (form == "%") {
    return percent_text(value);
  }
  if (form == "exact") {
    return exact_text(value);
  }
  if (form == "growth") {
    return growth_text({.rate_per_s = value, .session_s = number_of(notice, "session_s")});
  }
  const auto count = std::to_string(std::llround(value));
  if (form == "#") {
    return count;
  }
  models::ensure(form.find('|') != form.npos, "a placeholder has a form that is known");
  return count + " " + std::string(chosen(form, value));
}

/// The pattern, or a part of it, with what its braces stand for.
std::string filled(std::string_view pattern, const Notice& notice) {
  std::string text;
  std::size_t at = 0;
  for (auto begin = pattern.find('{'); begin != pattern.npos; begin = pattern.find('{', at)) {
    const auto end = pattern.find('}', begin);
    text += pattern.substr(at, begin - at);
    text += text_of(notice, pattern.substr(begin + 1, end - begin - 1));
    at = end + 1;
  }
  return text + std::string(pattern.substr(at));
}

/// Whether the notice has what each pair of braces stands for: a number, or causes.
bool has_what_fills(std::string_view part, const Notice& notice) {
  for (auto at = part.find('{'); at != part.npos; at = part.find('{', at + 1)) {
    const auto name = part.substr(at + 1, part.find_first_of(":?}", at) - at - 1);
    if (name == "causes" ? notice.causes.empty() : !find_number(notice, name)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::span<const NoticeSentence> notice_sentences() {
  return all_rows();
}

std::string_view to_string(Severity severity) {
  return models::name_of(severity_names, severity);
}

std::string_view to_string(NoticeCode code) {
  return row_of(code).name;
}

std::optional<NoticeCode> notice_code_from(std::string_view name) {
  const auto& rows = all_rows();
  const auto row = std::ranges::find(rows, name, &NoticeSentence::name);
  return row == rows.end() ? std::nullopt : std::optional(row->code);
}

Severity severity_of(NoticeCode code) {
  return row_of(code).severity;
}

std::string sentence(const Notice& notice) {
  const auto pattern = row_of(notice.code).sentence;
  std::string text;
  std::size_t at = 0;
  for (auto begin = pattern.find('['); begin != pattern.npos; begin = pattern.find('[', at)) {
    const auto end = pattern.find(']', begin);
    const auto part = pattern.substr(begin + 1, end - begin - 1);
    text += filled(pattern.substr(at, begin - at), notice);
    text += has_what_fills(part, notice) ? filled(part, notice) : "";
    at = end + 1;
  }
  return text + filled(pattern.substr(at), notice);
}

std::vector<std::string> sentences(std::span<const Notice> notices) {
  std::vector<std::string> all;
  for (const auto& notice : notices) {
    all.push_back(sentence(notice));
  }
  return all;
}

std::string joined_sentences(std::span<const Notice> notices) {
  std::string text;
  for (const auto& notice : notices) {
    text += (text.empty() ? "" : "; ") + sentence(notice);
  }
  return text;
}

void put_worst_first(std::vector<Notice>& notices) {
  std::vector<std::vector<Notice>> groups;
  for (auto& notice : notices) {
    if (groups.empty() || !row_of(notice.code).follows) {
      groups.emplace_back();
    }
    groups.back().push_back(std::move(notice));
  }
  std::ranges::stable_sort(groups, std::greater{}, [](const std::vector<Notice>& group) {
    return severity_of(group.front().code);
  });
  notices.clear();
  for (auto& group : groups) {
    std::ranges::move(group, std::back_inserter(notices));
  }
}

}  // namespace macrostep::engine
