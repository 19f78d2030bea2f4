#include "server/fmus/fmu_store.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "db/schema/side_files.hpp"
#include "engine/base/text.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/base/identity.hpp"
#include "server/fmus/fmu_json.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_name_bytes = 200;
constexpr std::int64_t max_shown_namesakes = 3;

db::FmuRow row_of(const models::fmi::Fmu& fmu, std::string_view file_name, std::uint64_t bytes) {
  return {.sha256 = fmu.sha256,
          .file_name = std::string(engine::whole_characters(
              file_name.empty() ? fmu.description.model_name : file_name, max_file_name_bytes)),
          .model_name = fmu.description.model_name,
          .fmi_version = fmu.description.version_text,
          .interfaces = json::fmu_interfaces_json(fmu).dump(),
          .size_bytes = static_cast<std::int64_t>(bytes),
          .uploaded_at = utc_now()};
}

}  // namespace

fs::path fmu_directory_of(const fs::path& database) {
  return db::beside(fs::absolute(database), db::fmus_ending);
}

FmuStore::FmuStore(db::Store& store, const fs::path& directory, std::uint64_t max_bytes,
                   models::fmi::ArchiveLimits limits)
    : store_(store), max_bytes_(max_bytes), limits_(limits), files_(directory, limits) {
  reconcile();
}

void FmuStore::reconcile() {
  std::vector<std::string> missing;
  for (std::optional<std::string> after;;) {
    const auto page = store_.list_fmus(db::maximum_page_rows, after);
    for (const auto& row : page.rows) {
      if (!files_.has(row.sha256)) {
        missing.push_back(row.sha256);
      }
    }
    after = page.next;
    if (!after) {
      break;
    }
  }
  for (const auto& sha256 : missing) {
    store_.delete_fmu(sha256);
  }
  for (const auto& sha256 : files_.hashes()) {
    if (store_.get_fmu(sha256)) {
      continue;
    }
    try {
      if (const auto fmu = files_.open(sha256)) {  // else another process has just removed it
        store_.add_fmu(row_of(*fmu, "", files_.archive_bytes(sha256)));
      }
    } catch (const models::fmi::FmuRefused&) {
      files_.remove(sha256);  // half of it was lost
    } catch (const std::system_error&) {
      // It stays, and is listed when it can be read.
    }
  }
}

std::shared_ptr<FmuUpload> FmuStore::begin_upload() {
  if (uploading_->exchange(true)) {
    return nullptr;
  }
  const auto end = [flag = uploading_](FmuUpload* upload) {
    delete upload;
    flag->store(false);
  };
  try {
    return {new FmuUpload(files_.begin_upload()), end};
  } catch (...) {
    uploading_->store(false);
    throw;
  }
}

FmuStore::Added FmuStore::add(FmuUpload& upload, std::string_view file_name) {
  const std::lock_guard change(changes_);
  return list(files_.add(std::move(upload), max_bytes_), file_name);
}

FmuStore::Added FmuStore::add(const models::fmi::Fmu& fmu) {
  const std::lock_guard change(changes_);
  return list(files_.add_copy(FmuFiles::archive_of(fmu)), "");
}

/// Gives it its row. The caller has the mutex.
FmuStore::Added FmuStore::list(FmuFiles::Added added, std::string_view file_name) {
  if (!added.fmu) {  // it was there already, and another process has just removed it
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            files_.directory().string());
  }
  auto row = row_of(*added.fmu, file_name, added.bytes);
  try {
    added.is_new = store_.add_fmu(row);
  } catch (...) {
    if (added.is_new) {
      files_.remove(row.sha256);
    }
    throw;
  }
  if (!added.is_new) {
    row = store_.get_fmu(row.sha256).value_or(row);
  }
  return {std::move(row), std::move(added.fmu), added.is_new};
}

std::vector<std::pair<db::FmuRow, std::uint64_t>> FmuStore::largest(std::size_t count) const {
  std::vector<std::pair<db::FmuRow, std::uint64_t>> found;
  for (const auto& sha256 : files_.hashes()) {
    if (auto row = store_.get_fmu(sha256)) {
      found.emplace_back(std::move(*row), files_.bytes_of(sha256));
    }
  }
  std::ranges::sort(found, std::ranges::greater(), [](const auto& fmu) { return fmu.second; });
  found.resize(std::min(found.size(), count));
  return found;
}

std::variant<engine::FmuPointer, std::string> FmuStore::find(const std::string& called) const {
  std::string sha256 = called;
  if (!models::fmi::is_sha256(called)) {
    const auto rows = store_.fmus_named(called, max_shown_namesakes);
    if (rows.empty()) {
      return "there is no FMU of this name; upload it first";
    }
    if (rows.size() > 1) {
      std::string hashes;
      for (const auto& row : rows) {
        hashes += (hashes.empty() ? "" : ", ") + row.sha256;
      }
      return "several FMUs have this name: give the SHA-256 (" + hashes + ")";
    }
    sha256 = rows.front().sha256;
  }
  try {
    if (auto fmu = files_.open(sha256)) {
      return fmu;
    }
    return "there is no FMU with the SHA-256 " + sha256 +
           ": upload it (POST /api/v1/fmus), then submit or resume";
  } catch (const models::fmi::FmuRefused& refused) {
    return "its stored files are damaged: " + std::string(refused.what()) + "; upload it again";
  } catch (const std::system_error& error) {
    throw FmuUnreadable(sha256, error);
  }
}

engine::FmuSource FmuStore::source() const {
  return [this](const std::string& called) { return find(called); };
}

/// First the row, which decides, in one transaction with the question who needs it.
db::FmuRemoval FmuStore::remove(const std::string& sha256) {
  const std::lock_guard change(changes_);
  const auto row = store_.get_fmu(sha256);
  const auto removal = row ? store_.delete_unused_fmu(sha256) : db::FmuRemoval::unknown;
  if (removal == db::FmuRemoval::done) {
    try {
      files_.remove(sha256);
    } catch (...) {
      store_.add_fmu(*row);
      throw;
    }
  }
  return removal;
}

}  // namespace macrostep::server
