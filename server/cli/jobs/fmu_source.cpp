#include "server/cli/jobs/fmu_source.hpp"

#include <memory>
#include <string>
#include <system_error>

#include "models/fmi/archive/sha256.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/cli/frame/command.hpp"
#include "server/fmus/fmu_cache.hpp"

namespace macrostep::server {

namespace {

using Found = std::variant<engine::FmuPointer, std::string>;

Found find_used(FmuCache& files, const std::string& sha256) {
  try {
    if (auto fmu = files.open(sha256)) {
      return fmu;
    }
    return "no FMU with this SHA-256 has been used on this machine: name its file";
  } catch (const models::fmi::FmuRefused& refused) {
    return std::string(refused.what()) + ": name its file";
  }
}

Found find(FmuCache& files, const std::filesystem::path& directory, const std::string& called) {
  try {
    if (models::fmi::is_sha256(called)) {
      return find_used(files, called);
    }
    const auto file = directory / called;
    if (!std::filesystem::is_regular_file(file)) {
      return "there is no file " + file.string();
    }
    return files.cache(file);
  } catch (const models::fmi::FmuRefused& refused) {
    return std::string(refused.what());
  } catch (const std::system_error& failed) {
    return std::string(failed.what());
  }
}

}  // namespace

engine::FmuSource fmus_from(const std::filesystem::path& directory) {
  // Made by the first FMU: jobs without one need no cache.
  auto files = std::make_shared<std::unique_ptr<FmuCache>>();
  return [files, directory](const std::string& called) -> Found {
    if (!*files) {
      const auto cache = fmu_cache_directory();
      if (!cache) {
        return "FMUs need a cache directory: set XDG_CACHE_HOME or HOME";
      }
      try {
        *files = std::make_unique<FmuCache>(*cache);
      } catch (const std::system_error& failed) {
        return std::string("the cache for FMUs cannot be used: ") + failed.what();
      }
    }
    return find(**files, directory, called);
  };
}

}  // namespace macrostep::server
