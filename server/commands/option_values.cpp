#include "server/commands/option_values.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "server/commands/text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::commands {

namespace {

/// The whole text as a whole number, without spaces around it.
bool read(const std::string& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string refusal(const std::string& allowed, const std::string& text) {
  return "must be " + allowed + ", not " + json::in_quotes(text);
}

}  // namespace

void expect_whole_number(CLI::Option* option, int minimum, int maximum) {
  const std::string allowed =
      "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum);
  option->check([=](const std::string& text) {
    int number = 0;
    const bool right = read(text, number) && minimum <= number && number <= maximum;
    return right ? std::string() : refusal(allowed, text);
  });
}

void expect_number(CLI::Option* option, const char* what) {
  option->check([allowed = std::string(what)](const std::string& text) {
    return finite_number(text) ? std::string() : refusal(allowed, text);
  });
}

void expect_file(CLI::Option* option) {
  option->check([](const std::string& text) {
    return text.empty() ? refusal("the name of a file", text) : std::string();
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

}  // namespace macrostep::server::commands
