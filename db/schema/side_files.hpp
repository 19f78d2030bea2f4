// What lies beside a database, by the ending that follows its name.
#pragma once

#include <array>
#include <filesystem>

namespace macrostep::db {

inline constexpr const char* log_ending = "-wal";
inline constexpr const char* log_index_ending = "-shm";
inline constexpr const char* journal_ending = "-journal";
inline constexpr const char* lock_ending = "-lock";
/// A directory: the archives of the FMUs that the file lists.
inline constexpr const char* fmus_ending = "-fmus";

inline constexpr std::array side_endings{log_ending, log_index_ending, journal_ending, lock_ending,
                                         fmus_ending};

inline std::filesystem::path beside(const std::filesystem::path& database, const char* ending) {
  return database.string() + ending;
}

}  // namespace macrostep::db
