#include "server/cli/man_page.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "server/base/text.hpp"
#include "server/cli/command_tree.hpp"

namespace macrostep::server {

namespace {

/// The text without what groff takes for commands or for typographic characters.
std::string roff(std::string_view text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) {
      result += "\\&";
    }
    begins_line = c == '\n';
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string roff_bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string roff_italic(const std::string& text) {
  return text.empty() ? "" : "\\fI" + roff(text) + "\\fR";
}

std::string roff_entry(const std::string& head, const std::string& text) {
  return ".TP\n" + head + "\n" + roff(text) + "\n";
}

/// As it stands: examples and notes keep their lines.
std::string as_it_stands(const std::string& text) {
  return ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string option_entry(const CLI::Option& option) {
  std::string head;
  for (const auto& name : typed_names(option)) {
    head += (head.empty() ? "" : ", ") + roff_bold(name);
  }
  const std::string value = takes_value(option) ? option.get_option_text() : "";
  return roff_entry(head + (value.empty() ? "" : " " + roff_italic(value)),
                    option.get_description());
}

std::string command_section(const CLI::App& command) {
  std::string text = ".SS " + roff_bold(full_name(command));
  for (const CLI::Option* argument : arguments_of(command)) {
    const auto name = roff_italic(argument->get_name(true));
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  text += "\n" + roff(command.get_description()) + ".\n";
  for (const CLI::Option* argument : arguments_of(command)) {
    text += roff_entry(roff_italic(argument->get_name(true)), argument->get_description());
  }
  for (const CLI::Option* option : named_options(command)) {
    text += option_entry(*option);
  }
  return text + (command.get_footer().empty() ? "" : as_it_stands(command.get_footer()));
}

/// One paragraph, whose lines groff breaks.
std::string roff_paragraph(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return roff(text) + "\n";
}

}  // namespace

std::string man_page(const CLI::App& program, const std::string& version) {
  const std::string& name = program.get_name();
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = ".TH " + title + " 1 \"\" \"" + roff(name + " " + version) + "\"\n";
  text += ".SH NAME\n" + name + " \\- find stable, efficient configurations for co\\-simulation\n";
  text += ".SH SYNOPSIS\n" + roff_bold(name) + " " + roff_italic("COMMAND") + " [" +
          roff_italic("OPTIONS") + "]\n.SH DESCRIPTION\n" +
          roff_paragraph(program.get_description());
  text += as_it_stands(program.get_footer()) + ".SH OPTIONS\n";
  for (const CLI::Option* option : named_options(program)) {
    text += option_entry(*option);
  }
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_from(program)) {
    text += command == &program ? "" : command_section(*command);
  }
  text +=
      ".SH FILES\n"
      ".TP\n.I /etc/macrostep/config.toml\nSettings of the service, where it is installed as one.\n"
      ".TP\n.I /var/lib/macrostep/macrostep.db\nDatabase of the service.\n"
      ".TP\n.I \\(ti/.config/macrostep/config.toml\nSettings of a server that is started by hand.\n"
      ".TP\n.I \\(ti/.local/share/macrostep/macrostep.db\nDatabase of such a server.\n";
  return text;
}

}  // namespace macrostep::server
