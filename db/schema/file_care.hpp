// Care of a database file that need not be open: copies and checks, of today's schema or an older
// one that can be upgraded. They read, and leave nothing beside the file that was not there before,
// unless another process has it open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace macrostep::db {

/// SQLite's integrity and foreign-key checks, and whether what is counted is there: what is wrong,
/// one line each. Throws Error of a file that cannot be read, or is no database of macrostep.
std::vector<std::string> check_database(const std::filesystem::path& file);

/// A consistent copy in one file, which needs no log and may be read-only; refuses an existing
/// file. It is written beside its place, under a name that nobody has, and gets its own at the end.
void snapshot_database(const std::filesystem::path& file, const std::filesystem::path& copy);

/// Throws Error of a file that is there, is not empty and cannot be a database: before anything is
/// made beside it.
void refuse_other_file(const std::filesystem::path& file);

/// The one path to the file, whatever leads there; Error unless it is a regular file or none yet.
std::filesystem::path canonical_path(const std::filesystem::path& file);

struct Backup {
  std::filesystem::path path;
  bool is_new = false;  ///< no copy that was there
};

/// A copy of the file, whose lock the caller has, before its migration from `version`. One with the
/// very same content, of a migration that never came to its end, is that already.
Backup back_up(const std::filesystem::path& file, std::int64_t version);

/// FILE.schema-8.backup, or .schema-8.backup-2 where there is one already.
std::filesystem::path backup_name(const std::filesystem::path& file, std::int64_t version);

}  // namespace macrostep::db
