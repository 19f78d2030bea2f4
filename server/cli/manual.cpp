#include "server/cli/manual.hpp"

#include <CLI/CLI.hpp>

#include "engine/base/provenance.hpp"
#include "server/cli/completions.hpp"
#include "server/cli/frame/settings.hpp"
#include "server/cli/man_page.hpp"

namespace macrostep::server {

void add_manual(CLI::App& app, Action& action) {
  CLI::App* group =
      app.add_subcommand("manual", "Write the manual page, completions, or a configuration file");
  group->require_subcommand(1);
  group->footer(
      "Examples:\n"
      "  macrostep manual man > macrostep.1 && man ./macrostep.1\n"
      "  source <(macrostep manual bash)\n"
      "  macrostep manual config > ~/.config/macrostep/config.toml");
  const auto add = [&](const char* name, const char* description, auto text) {
    CLI::App* command = group->add_subcommand(name, description);
    command->group("Commands");
    command->set_help_flag("-h,--help", "Show this help");
    command->callback([&app, &action, text] {
      action = [&app, text] {
        print(text(app));
        return exit_success;
      };
    });
  };
  add("man", "The manual page, for man",
      [](CLI::App& program) { return man_page(program, engine::provenance().version); });
  add("bash", "Completion of commands and options in bash",
      [](CLI::App& program) { return bash_completion(program); });
  add("zsh", "Completion of commands and options in zsh",
      [](CLI::App& program) { return zsh_completion(program); });
  add("config", "A configuration file for macrostep serve, with every setting explained",
      [](CLI::App& program) { return config_template(*program.get_subcommand("serve")); });
}

}  // namespace macrostep::server
