#include "server/commands/config_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "server/commands/command.hpp"

namespace macrostep::server::commands {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// Of one line; the front of `rest` is what is read next.
class LineReader {
 public:
  LineReader(std::string_view line, std::string where) : rest_(line), where_(std::move(where)) {}

  /// Nothing but blanks and a comment is left.
  bool at_end() {
    skip_blanks();
    return rest_.empty() || rest_.front() == '#';
  }

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
      entry.values.push_back(value());
      return;
    }
    for (skip_blanks(); !take(']'); skip_blanks()) {
      entry.values.push_back(value());
      skip_blanks();
      if (!take(',') && !rest_.starts_with(']')) {
        fail("the list must end with ] on its line, and have commas between its values");
      }
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw CommandError(Failure::bad_usage, where_ + ": " + reason);
  }

 private:
  std::string value() {
    if (take('"')) {
      return basic_string();
    }
    if (take('\'')) {
      const auto end = rest_.find('\'');
      if (end == std::string_view::npos) {
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
      fail("a value must be a number, true, false, or text in quotes");
    }
    return text;
  }

  std::string basic_string() {
    std::string text;
    while (!rest_.empty() && !rest_.starts_with('"')) {
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

  std::string_view rest_;
  const std::string where_;
};

}  // namespace

std::vector<ConfigEntry> parse_config(std::string_view text, const std::string& file) {
  std::vector<ConfigEntry> entries;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    LineReader line(text.substr(0, end), file + ":" + std::to_string(number));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.at_end()) {
      continue;
    }
    ConfigEntry entry{.key = line.key(), .values = {}, .line = number};
    line.values(entry);
    if (!line.at_end()) {
      line.fail("there is something behind the value of " + entry.key);
    }
    const auto before = std::ranges::find(entries, entry.key, &ConfigEntry::key);
    if (before != entries.end()) {
      line.fail(entry.key + " stands in line " + std::to_string(before->line) + " already");
    }
    entries.push_back(std::move(entry));
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

}  // namespace macrostep::server::commands
