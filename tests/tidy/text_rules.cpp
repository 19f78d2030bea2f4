#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <regex>
#include <utility>

#include "tests/tidy/rules.hpp"

namespace macrostep::tests::tidy {
namespace {

// Split so that this file does not break its own rule.
constexpr std::array machine_paths{
    "/t"
    "mp/",
    "/wo"
    "rk/",
    "/ro"
    "ot/",
    "/ho"
    "me/"};
constexpr std::string_view fast_math =
    "-ffast-"
    "math";

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

// What is read by people or machines but is no prose about the machine it runs on.
bool is_source(std::string_view path) {
  return is_cpp(path) || ends_with_any(path, {".ts", ".tsx", ".mjs", ".js", ".css", ".html", ".sh",
                                              ".cmake", "CMakeLists.txt", ".json", ".sql", ".md"});
}

// Characters, not bytes: comments carry Φ, δE and the like.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

bool is_cpp(std::string_view path) {
  return ends_with_any(path, {".cpp", ".hpp"});
}

std::string_view top_folder(std::string_view path) {
  const auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

std::string code_of(std::string_view text) {
  enum class In { code, line_comment, block_comment, string, character };
  std::string code(text);
  In in = In::code;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (in) {
      case In::code:
        if (c == '/' && next == '/') in = In::line_comment;
        if (c == '/' && next == '*') in = In::block_comment;
        // A raw string has no escapes and goes on over lines, to its own end.
        if (c == '"' && i > 0 && text[i - 1] == 'R') {
          const auto open = text.find('(', i);
          const std::string close = ")" + std::string(text.substr(i + 1, open - i - 1)) + "\"";
          const auto end = open == std::string_view::npos ? open : text.find(close, open);
          if (end != std::string_view::npos) {
            for (std::size_t k = i + 1; k < end + close.size() - 1; ++k)
              if (code[k] != '\n') code[k] = ' ';
            i = end + close.size() - 1;
            break;
          }
        }
        if (c == '"') in = In::string;
        // 1'000 is a number, 'x' a character.
        if (c == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))
          in = In::character;
        if (in == In::line_comment || in == In::block_comment) code[i] = ' ';
        break;
      case In::line_comment:
        if (c == '\n')
          in = In::code;
        else
          code[i] = ' ';
        break;
      case In::block_comment:
        if (c != '\n') code[i] = ' ';
        if (c == '*' && next == '/') {
          code[++i] = ' ';
          in = In::code;
        }
        break;
      case In::string:
      case In::character:
        if (c == '\n' || c == (in == In::string ? '"' : '\'')) {
          in = In::code;
        } else {
          code[i] = ' ';
          if (c == '\\' && next != '\n' && i + 1 < code.size()) code[++i] = ' ';
        }
        break;
    }
  }
  return code;
}

std::vector<Finding> check_text(const SourceFile& file) {
  // t += H drifts; time is the start plus an integer times the step.
  static const std::regex accumulated(R"(\b(t|tau|time|now)(_[a-z]+)?\s*\+=)");
  static const std::regex accumulated_sum(R"(\b((?:t|tau|time|now)(?:_[a-z]+)?)\s*=\s*\1\s*\+)");
  std::vector<Finding> findings;
  const auto report = [&](std::size_t line, std::string rule) {
    findings.push_back({file.path, line, std::move(rule)});
  };
  const bool cpp = is_cpp(file.path);
  const bool lock_file = file.path.ends_with("package-lock.json");
  const bool numerical = top_folder(file.path) == "models" || top_folder(file.path) == "engine";
  const std::string code = cpp ? code_of(file.text) : std::string();
  const auto lines = lines_of(file.text);
  const auto code_lines = lines_of(code);

  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (cpp && columns(line) > maximum_columns)
      report(i + 1, "more than " + std::to_string(maximum_columns) + " columns");
    if (cpp && line.find('\t') != std::string_view::npos) report(i + 1, "a tab");
    if (is_source(file.path) && !lock_file) {
      for (const std::string_view path : machine_paths)
        if (line.find(path) != std::string_view::npos)
          report(i + 1, "the path " + std::string(path) + " belongs to one machine");
    }
    if (!file.path.ends_with(".md") && line.find(fast_math) != std::string_view::npos)
      report(i + 1, std::string(fast_math) + " makes results depend on the compiler");
    if (lock_file && line.find("\"resolved\"") != std::string_view::npos)
      report(i + 1, "a lock file names no download address");
    if (cpp && numerical) {
      const std::string statement(code_lines[i]);
      if (std::regex_search(statement, accumulated) ||
          std::regex_search(statement, accumulated_sum))
        report(i + 1, "time is accumulated; compute it as start + n * step");
    }
  }
  if (file.path.ends_with(".hpp") && code.find("#pragma once") == std::string::npos)
    report(0, "no #pragma once");
  if ((cpp || ends_with_any(file.path, {".ts", ".tsx"})) && lines.size() > maximum_lines)
    report(0, std::to_string(lines.size()) + " lines, at most " + std::to_string(maximum_lines));
  return findings;
}

std::string describe(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += finding.path;
    if (finding.line > 0) text += ":" + std::to_string(finding.line);
    text += ": " + finding.rule + "\n";
  }
  return text;
}

}  // namespace macrostep::tests::tidy
