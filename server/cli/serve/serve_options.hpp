// What `macrostep serve` can be told, and what follows from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "server/cli/search/batch_options.hpp"
#include "server/http/server/options.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/queue/search_service.hpp"
#include "server/searches/retention.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

struct ServeOptions {
  std::string config;  ///< file; empty: the usual one, if it is there
  std::string listen = "127.0.0.1:8080";
  std::string database;  ///< empty: default_database()
  int threads = 0;
  int max_queued = static_cast<int>(default_max_queued);
  double max_job_cost = engine::default_max_job_cost;
  RetentionOptions retention;
  std::vector<std::string> allowed_hosts;
  std::string token_file;  ///< empty: no token
  bool insecure = false;
  BatchOptions batch;
  ForeignSettings foreign;
  double fmu_store_gb = 20;
};

/// Adds all options; `options` must live as long as the command.
void add_serve_options(CLI::App& command, ServeOptions& options);

/// In the service's state directory, else in the user's data directory. Throws CommandError without
/// one.
std::filesystem::path default_database();
std::filesystem::path database_of(const ServeOptions& options);

std::uint64_t fmu_store_bytes(const ServeOptions& options);

/// Other machines reach the address, and no token is asked for.
bool open_to_all(const ServeOptions& options);

/// Throws CommandError for an address that other machines reach, if there is neither a token nor
/// --insecure.
http::ListenerOptions listener_options(const ServeOptions& options);

}  // namespace macrostep::server
