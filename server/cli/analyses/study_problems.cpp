#include "server/cli/analyses/study_problems.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/base/fnv.hpp"
#include "engine/plan/plan.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/jobs/record_file.hpp"
#include "server/http/message/json_body.hpp"
#include "server/jobs/labels.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view spaces = " \t\r\n";
constexpr const char* default_family = "own problem";

[[noreturn]] void refuse_problems(const std::string& path, const std::string& why,
                                  engine::FieldErrors errors = {}) {
  throw CommandError(Failure::bad_job, path + " " + why, std::move(errors));
}

std::string text_of(const std::string& path) {
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  if (type != std::filesystem::file_type::regular &&
      type != std::filesystem::file_type::not_found) {
    throw CommandError(Failure::bad_usage, path + " is no regular file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) {
    const auto bytes = std::filesystem::file_size(path, unknown);
    if (!unknown && bytes > max_study_file_bytes) {
      refuse_problems(path,
                      "is larger than " + std::to_string(max_study_file_bytes >> 20U) + " MiB");
    }
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  if (!file.is_open() || file.bad()) {
    throw CommandError(Failure::bad_usage, "cannot read " + path + ": " + std::strerror(errno));
  }
  return text;
}

/// The text of one job in that of the file.
struct Piece {
  std::size_t begin = 0;
  std::string_view text;
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(spaces) == std::string_view::npos;
}

std::size_t line_of(std::string_view text, std::size_t place) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, place), '\n'));
}

std::vector<Piece> lines_of(std::string_view text) {
  std::vector<Piece> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (const auto line = text.substr(begin, end - begin); !is_blank(line)) {
      pieces.push_back({.begin = begin, .text = line});
    }
    begin = end + 1;
  }
  return pieces;
}

/// What stands between the commas of a list that begins at `open`; nothing where it does not end,
/// or where something comes after it.
std::optional<std::vector<Piece>> elements_of(std::string_view text, std::size_t open) {
  std::vector<Piece> pieces;
  std::size_t begin = open + 1;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    depth += c == '{' || c == '[' ? 1 : 0;
    if (depth > 0) {
      depth -= c == '}' || c == ']' ? 1 : 0;
      continue;
    }
    if (c == ',' || c == ']') {
      const auto element = text.substr(begin, i - begin);
      if (c == ',' || !pieces.empty() || !is_blank(element)) {
        const auto first = std::min(element.find_first_not_of(spaces), element.size());
        pieces.push_back({.begin = begin + first, .text = element.substr(first)});
      }
      begin = i + 1;
    }
    if (c == ']') {
      return is_blank(text.substr(begin)) ? std::optional(pieces) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// What an FMU computes is not known, so nothing can be held against it.
std::variant<engine::FmuPointer, std::string> no_fmu(const std::string&) {
  return "a study takes no FMUs: it needs the equations of every subsystem, as a state_space";
}

/// The problem, or what is wrong with the job.
std::variant<engine::GivenProblem, engine::FieldErrors> given_problem(nlohmann::json& document) {
  if (!document.is_object()) {
    return engine::FieldErrors{{"", "is no job, which is an object"}};
  }
  json::Errors found;
  std::optional<std::string> family;
  if (const auto member = document.find("family"); member != document.end()) {
    family = json::Value(*member, "/family", found).name();
    document.erase(member);
  }
  auto errors = std::move(found).take();
  for (auto& error : json::refuse_labels(document)) {
    errors.push_back(std::move(error));
  }
  try {
    inline_records(document);
  } catch (const CommandError& failed) {
    errors.push_back({"/tests", failed.what()});
    for (const auto& error : failed.errors()) {
      errors.push_back(error);
    }
    return errors;
  }
  auto reading = json::read_job(document, no_fmu);
  engine::GivenProblem problem{.family = {}, .job = reading.job};
  const auto plan = json::plan_of(std::move(reading));
  if (const auto* of_job = std::get_if<engine::FieldErrors>(&plan)) {
    errors.insert(errors.end(), of_job->begin(), of_job->end());
  }
  if (!errors.empty()) {
    return errors;
  }
  problem.family = family.value_or(problem.job.own_problem ? default_family : problem.job.problem);
  return problem;
}

}  // namespace

StudyProblems read_study_problems(const std::string& path) {
  const auto text = text_of(path);
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string::npos) {
    refuse_problems(path, "holds no problem");
  }
  const auto pieces = text[first] == '[' ? elements_of(text, first) : std::optional(lines_of(text));
  if (!pieces) {
    refuse_problems(path, "begins as a JSON list, which has no end or something behind it");
  }
  if (pieces->empty() || pieces->size() > max_study_problems) {
    refuse_problems(path, "holds " + std::to_string(pieces->size()) +
                              " problems; a study takes 1 to " +
                              std::to_string(max_study_problems));
  }
  StudyProblems problems{.list = {}, .digest = std::to_string(engine::fnv_of(text))};
  json::Errors errors;
  for (const auto& piece : *pieces) {
    nlohmann::json document;
    if (const auto error = http::read_json(piece.text, document)) {
      // The reader counts lines within the piece, and tells them before the first colon.
      const auto colon = error->message.find(": ");
      errors.add("line " + std::to_string(line_of(text, piece.begin + error->byte)),
                 "is not valid JSON: " +
                     error->message.substr(colon == std::string::npos ? 0 : colon + 2));
      continue;
    }
    auto read = given_problem(document);
    if (const auto* found = std::get_if<engine::FieldErrors>(&read)) {
      const auto line = "line " + std::to_string(line_of(text, piece.begin));
      for (const auto& [pointer, message] : *found) {
        errors.add(pointer.empty() ? line : line + ": " + pointer, message);
      }
      continue;
    }
    problems.list.push_back(std::get<engine::GivenProblem>(std::move(read)));
  }
  if (errors.count() > 0) {
    refuse_problems(path, "holds jobs that cannot be run", std::move(errors).take());
  }
  return problems;
}

}  // namespace macrostep::server
