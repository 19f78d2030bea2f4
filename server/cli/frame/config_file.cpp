#include "server/cli/frame/config_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "server/base/text.hpp"
#include "server/cli/frame/command.hpp"

namespace macrostep::server {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// The front of `rest_` is what is read next; it is in line `line_`.
class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {
    if (rest_.starts_with(byte_order_mark)) {
      rest_.remove_prefix(byte_order_mark.size());
    }
    if (rest_.find('\0') != rest_.npos) {
      fail("the file must be in UTF-8");  // as some editors do not by themselves
    }
  }

  /// The next setting; nothing at the end.
  std::optional<ConfigEntry> next() {
    skip_lines();
    if (rest_.empty()) {
      return std::nullopt;
    }
    ConfigEntry entry{.key = key(), .values = {}, .line = line_};
    values(entry);
    if (!at_end_of_line()) {
      fail("there is something behind the value of " + entry.key);
    }
    return entry;
  }

  [[noreturn]] void fail_in(std::size_t line, const std::string& reason) const {
    throw CommandError(Failure::bad_usage, file_ + ":" + std::to_string(line) + ": " + reason);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { fail_in(line_, reason); }

  std::string key() {
    if (rest_.front() == '[') {
      fail("tables are not used here; write NAME = VALUE");
    }
    const std::string name = take_while(is_word);
    skip_blanks();
    if (name.empty() || !take('=')) {
      fail("must be NAME = VALUE");
    }
    return name;
  }

  void values(ConfigEntry& entry) {
    skip_blanks();
    entry.is_list = take('[');
    if (!entry.is_list) {
      entry.values.push_back(value(""));
      return;
    }
    const std::string within =
        ", in the list that begins in line " + std::to_string(entry.line) + " and has no ] yet";
    const auto goes_on = [&] {
      skip_lines();
      if (rest_.empty()) {
        fail_in(entry.line, "the list must end with ]");
      }
      return !take(']');
    };
    while (goes_on()) {
      entry.values.push_back(value(within));
      if (!goes_on()) {
        return;
      }
      if (!take(',')) {
        fail("a comma is missing before this" + within);
      }
    }
  }

  /// `within` says of what, in messages.
  std::string value(const std::string& within) {
    if (take('"')) {
      return basic_string();
    }
    if (take('\'')) {
      const auto end = rest_.find_first_of("'\n");
      if (end == std::string_view::npos || rest_[end] != '\'') {
        fail("the text has no end: ' is missing");
      }
      const std::string text(rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
      return text;
    }
    // Numbers, true and false; everything else is text and has quotes.
    const std::string text = take_while([](char c) { return is_word(c) || c == '.' || c == '+'; });
    const bool truth = text == "true" || text == "false";
    const bool number = !text.empty() && std::string_view("+-.0123456789").find(text.front()) !=
                                             std::string_view::npos;
    if (!truth && !number) {
      fail("a value must be a number, true, false, or text in quotes" + within);
    }
    return text;
  }

  std::string basic_string() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '"' && rest_.front() != '\n') {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\') {
        constexpr std::string_view escaped = "\"\\tn";
        constexpr std::string_view meant = "\"\\\t\n";
        const auto at = rest_.empty() ? escaped.npos : escaped.find(rest_.front());
        if (at == escaped.npos) {
          fail("only \\\" \\\\ \\t and \\n may stand in quotes; take '…' for text as it is");
        }
        c = meant[at];
        rest_.remove_prefix(1);
      }
      text += c;
    }
    if (!take('"')) {
      fail("the text has no end: \" is missing");
    }
    return text;
  }

  bool take(char c) {
    const bool is_next = rest_.starts_with(c);
    rest_.remove_prefix(is_next ? 1 : 0);
    return is_next;
  }

  template <class Belongs>
  std::string take_while(Belongs belongs) {
    const auto end = std::ranges::find_if_not(rest_, belongs);
    const auto length = static_cast<std::size_t>(end - rest_.begin());
    const std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }

  void skip_blanks() {
    const auto first = std::min(rest_.find_first_not_of(" \t\r"), rest_.size());
    rest_.remove_prefix(first);
  }

  /// Skips blanks and a comment. The line's end stays.
  bool at_end_of_line() {
    skip_blanks();
    if (rest_.starts_with('#')) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    }
    return rest_.empty() || rest_.front() == '\n';
  }

  /// To the next value or setting, over empty lines and comments.
  void skip_lines() {
    while (at_end_of_line() && take('\n')) {
      ++line_;
    }
  }

  std::string_view rest_;
  std::size_t line_ = 1;
  const std::string& file_;
};

}  // namespace

std::vector<ConfigEntry> parse_config(std::string_view text, const std::string& file) {
  std::vector<ConfigEntry> entries;
  ConfigReader reader(text, file);
  while (auto entry = reader.next()) {
    const auto before = std::ranges::find(entries, entry->key, &ConfigEntry::key);
    if (before != entries.end()) {
      reader.fail_in(entry->line,
                     entry->key + " stands in line " + std::to_string(before->line) + " already");
    }
    entries.push_back(std::move(*entry));
  }
  return entries;
}

std::vector<ConfigEntry> read_config(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text(max_config_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  if (!stream.is_open() || stream.bad()) {
    throw CommandError(Failure::bad_usage, "configuration file " + file + ": " +
                                               (errno == 0 ? "cannot be read" : strerror(errno)));
  }
  if (text.size() > max_config_bytes) {
    throw CommandError(Failure::bad_usage, "configuration file " + file + ": longer than " +
                                               std::to_string(max_config_bytes) + " bytes");
  }
  return parse_config(text, file);
}

}  // namespace macrostep::server
