#include "server/commands/command_line.hpp"

int main(int argc, char** argv) {
  return macrostep::server::commands::run_command_line(argc, argv);
}
