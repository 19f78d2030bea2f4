#include "server/cli/jobs/database_file.hpp"

#include "engine/plan/plan_fmus.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/command.hpp"
#include "server/fmus/fmu_store.hpp"

namespace macrostep::server {

db::Store open_for_writing(const std::string& file) {
  db::Store store(file);
  if (const auto& migration = store.migration()) {
    print_message("macrostep: " + printable(file) + " had schema version " +
                  std::to_string(migration->from) + " and has " + std::to_string(migration->to) +
                  " now; as it was: " + printable(migration->backup.string()) + "\n");
  }
  // Nobody else writes the file: what still says that it runs was killed.
  store.mark_interrupted();
  return store;
}

void keep_fmus(db::Store& store, const std::string& file, const engine::Plan& plan) {
  if (!engine::has_foreign_code(plan)) {
    return;
  }
  FmuStore fmus(store, fmu_directory_of(file));
  for (const auto& fmu : engine::fmus_of(plan)) {
    fmus.add(*fmu);
  }
}

}  // namespace macrostep::server
