#include <csignal>

#include "server/cli/command_line.hpp"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is a failed write, like a full disk
  return macrostep::server::run_command_line(argc, argv);
}
