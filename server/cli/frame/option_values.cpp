#include "server/cli/frame/option_values.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "server/base/text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

/// The whole text as a whole number, without spaces around it.
bool read(const std::string& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string refusal(const std::string& allowed, const std::string& text) {
  return "must be " + allowed + ", not " + json::in_quotes(text);
}

/// A text that CLI11, which reads by way of long double, takes for the double nearest to this one:
/// rounded twice, one of some thousand numbers would be the next one.
std::string read_exactly(const std::string& text) {
  const auto value = finite_number(text);
  if (!value || static_cast<double>(std::strtold(text.c_str(), nullptr)) == *value) {
    return text;
  }
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*g", std::numeric_limits<long double>::max_digits10,
                *value);
  return digits;
}

}  // namespace

CLI::Option* add_job(CLI::App& command, std::string& job) {
  return command
      .add_option("JOB", job, "A job file, - for the standard input, or a built-in problem's name")
      ->required();
}

void add_threads(CLI::App& command, int& threads, const char* use) {
  CLI::Option* option =
      command.add_option("--threads", threads, std::string(use) + "; 0: all processors");
  expect_whole_number(show_default(option)->option_text("N"), 0, max_threads);
}

CLI::Option* show_default(CLI::Option* option) {
  return show_default(option, option->capture_default_str()->get_default_str());
}

CLI::Option* show_default(CLI::Option* option, const std::string& value) {
  return option->default_str(value)->description(option->get_description() + " (default " + value +
                                                 ")");
}

void expect_whole_number(CLI::Option* option, int minimum, int maximum) {
  const std::string allowed =
      "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum);
  option->check([=](const std::string& text) {
    int number = 0;
    const bool right = read(text, number) && std::to_string(number) == text &&  // not 010, octal
                       minimum <= number && number <= maximum;
    return right ? std::string() : refusal(allowed, text);
  });
}

void expect_number(CLI::Option* option, const char* what) {
  option->transform(read_exactly);
  option->check([allowed = std::string(what)](const std::string& text) {
    return finite_number(text) ? std::string() : refusal(allowed, text);
  });
}

void expect_positive(CLI::Option* option, const char* what, double maximum) {
  option->transform(read_exactly);
  option->check([allowed = std::string(what), maximum](const std::string& text) {
    const auto value = finite_number(text);
    const bool in_range = value && *value > 0 && *value <= maximum;
    return in_range ? std::string() : refusal(allowed, text);
  });
}

void expect_file(CLI::Option* option) {
  option->check([](const std::string& text) {
    const bool wrong = text.empty() || text == ":memory:";  // which SQLite does not take for a file
    return wrong ? refusal("the name of a file", text) : std::string();
  });
}

void expect_host(CLI::Option* option) {
  option->check([](const std::string& text) {
    const bool right = !text.empty() && std::ranges::all_of(text, [](unsigned char letter) {
      return std::isalnum(letter) != 0 || letter == '-' || letter == '.' || letter == '_' ||
             letter == ':' || letter == '[' || letter == ']';
    });
    return right ? std::string() : refusal("a name of letters, digits, '-' and '.'", text);
  });
}

}  // namespace macrostep::server
