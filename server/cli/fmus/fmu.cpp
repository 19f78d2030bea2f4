#include "server/cli/fmus/fmu.hpp"

#include <CLI/CLI.hpp>

#include "server/cli/fmus/fmu_export.hpp"
#include "server/cli/fmus/fmu_inspect.hpp"
#include "server/cli/fmus/fmu_job.hpp"
#include "server/cli/fmus/fmu_validate.hpp"

namespace macrostep::server {

void add_fmu(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "fmu", "Look at and check FMUs, make jobs of systems of them, write subsystems as FMUs");
  command->require_subcommand(1);
  add_fmu_inspect(*command, action);
  add_fmu_validate(*command, action);
  add_fmu_job(*command, action);
  add_fmu_export(*command, action);
  for (CLI::App* one : command->get_subcommands({})) {
    one->group("Commands");
    one->set_help_flag("-h,--help", "Show this help");
  }
  command->footer(
      "Examples:\n"
      "  macrostep fmu inspect mass.fmu\n"
      "  macrostep fmu validate mass.fmu\n"
      "  macrostep fmu job truck.ssp > job.json\n"
      "  macrostep fmu export double_actuator_crane hydraulics_1 --fmi 2 --out hydraulics_1.fmu");
}

}  // namespace macrostep::server
