#include "engine/ensemble/trial_backend.hpp"
#include "server/worker_executable/worker_main.hpp"

int main(int argc, char** argv) {
  return macrostep::server::run_worker_executable(argc, argv, macrostep::engine::TrialBackend());
}
