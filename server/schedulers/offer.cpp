#include "server/schedulers/offer.hpp"

#include <thread>

#include "server/schedulers/command_system.hpp"
#include "server/schedulers/program.hpp"
#include "server/schedulers/slurm.hpp"

namespace macrostep::server {

namespace {

constexpr double seconds_per_minute_of_limit = 60;

}  // namespace

BatchSystem system_of(const BatchOffer& offer, const std::vector<std::string>& words) {
  if (offer.executor == "slurm") {
    return slurm({.partition = offer.partition,
                  .time_limit_min = offer.time_limit_min,
                  .options = words,
                  .program = own_program(),
                  .threads = offer.threads == 0 ? 1 : offer.threads});
  }
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  return command_system({.arguments = words.empty() ? offer.command : words,
                         .at_once = offer.threads == 0 ? processors : offer.threads,
                         .limit_s = offer.time_limit_min * seconds_per_minute_of_limit,
                         .program = own_program()});
}

}  // namespace macrostep::server
