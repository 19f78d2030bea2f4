#include "db/schema/file_care.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <regex>
#include <system_error>
#include <utility>

#include "db/schema/error.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/side_files.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {
namespace {

/// Files of the same name but for their number: backups of one version, copies under way.
constexpr int maximum_namesakes = 1000;
constexpr std::streamsize compared_bytes = 1 << 16;  // at a time

[[noreturn]] void fail(const char* action, const std::filesystem::path& path, int code) {
  throw Error(ErrorKind::system,
              std::string("cannot ") + action + " " + path.string() + ": " +
                  std::generic_category().message(code),
              code);
}

void sync_to_disk(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int code = errno;
  if (descriptor >= 0) {
    close(descriptor);
  }
  if (!synced) {
    fail("write", path, code);
  }
}

/// The name, or it with a number: NAME-2.
std::filesystem::path numbered_name(const std::string& name, int number) {
  return number == 1 ? name : name + "-" + std::to_string(number);
}

/// An empty file that as many may read as the other one, and its owner may write, under a name that
/// nobody has.
std::filesystem::path create_alike(const std::filesystem::path& path,
                                   const std::filesystem::path& other) {
  struct stat status {};
  if (stat(other.c_str(), &status) != 0) {
    fail("read", other, errno);
  }
  for (int number = 1; number <= maximum_namesakes; ++number) {
    auto name = numbered_name(path.string(), number);
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                (status.st_mode & 0777) | S_IWUSR);
    if (descriptor >= 0) {
      close(descriptor);
      return name;
    }
    if (errno != EEXIST) {
      fail("create", name, errno);
    }
  }
  throw Error(ErrorKind::system, "there are too many files named " + path.string(), EEXIST);
}

/// Never over another file, where the file system can tell.
void rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return;
  }
  if (errno == EEXIST) {
    throw Error(ErrorKind::system, to.string() + " exists already", EEXIST);
  }
  if ((errno != EINVAL && errno != ENOSYS) || std::rename(from.c_str(), to.c_str()) != 0) {
    fail("create", to, errno);
  }
}

/// The schema version of what the connection is about to read.
std::int64_t begin_to_read(Connection& connection, const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::exists(beside(file, log_ending), ignored) &&
      !std::filesystem::exists(beside(file, log_index_ending), ignored)) {
    // A log that was copied with the file: its index stays in memory.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE");
  }
  return require_schema(connection, file.string());
}

/// A copy beside its place, on disk, under a name that nobody has.
std::filesystem::path write_partial_copy(const std::filesystem::path& file,
                                         const std::filesystem::path& copy) {
  Connection connection(file, OpenMode::inspect);
  begin_to_read(connection, file);
  auto partial = create_alike(copy.string() + ".partial", file);
  try {
    connection.prepare("VACUUM INTO ?1").bind(partial.string()).run();
    sync_to_disk(partial);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
  return partial;
}

/// Gives the finished copy its name.
void publish_copy(const std::filesystem::path& partial, const std::filesystem::path& copy) {
  std::error_code ignored;
  try {
    rename_to_new(partial, copy);
  } catch (const Error&) {
    std::filesystem::remove(partial, ignored);
    throw;
  }
  try {
    sync_to_disk(std::filesystem::absolute(copy).parent_path());  // the name, too
  } catch (const Error&) {
    std::filesystem::remove(copy, ignored);
    throw;
  }
}

std::string first_backup_name(const std::filesystem::path& file, std::int64_t version) {
  return file.string() + ".schema-" + std::to_string(version) + ".backup";
}

/// What a process that was killed has left of its backups. Whoever calls has the file's lock: none
/// is being written.
void remove_partial_backups(const std::filesystem::path& file) {
  static const std::regex partial_name(R"(\.schema-\d+\.backup(-\d+)?\.partial(-\d+)?(-journal)?)");
  const std::string name = file.filename().string();
  std::vector<std::filesystem::path> left;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path(), ignored)) {
    const std::string other = entry.path().filename().string();
    if (other.starts_with(name) && std::regex_match(other.substr(name.size()), partial_name)) {
      left.push_back(entry.path());
    }
  }
  for (const auto& path : left) {
    std::filesystem::remove(path, ignored);
  }
}

bool same_content(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code error;
  if (std::filesystem::file_size(one, error) != std::filesystem::file_size(other, error) || error) {
    return false;
  }
  std::ifstream a(one, std::ios::binary);
  std::ifstream b(other, std::ios::binary);
  std::vector<char> of_a(compared_bytes);
  std::vector<char> of_b(compared_bytes);
  while (a && b) {
    a.read(of_a.data(), compared_bytes);
    b.read(of_b.data(), compared_bytes);
    if (a.gcount() != b.gcount() ||
        !std::equal(of_a.begin(), of_a.begin() + a.gcount(), of_b.begin())) {
      return false;
    }
  }
  return a.eof() && b.eof() && !a.bad() && !b.bad();
}

std::vector<std::string> wrong_counts(Connection& connection) {
  auto query = connection.prepare(R"(
SELECT c.searches, n.searches FROM search_counts AS c,
  (SELECT count(*) AS searches FROM searches WHERE tagged = 0 AND end_key < '~') AS n
WHERE c.what = 'disposable' AND c.searches <> n.searches)");
  std::vector<std::string> problems;
  while (query.step()) {
    problems.push_back("search_counts tells " + query.text(0) + " disposable searches of " +
                       query.text(1));
  }
  return problems;
}

/// What no reference and no index of the schema forbids: see schema_searches.hpp.
std::vector<std::string> wrong_trials(Connection& connection) {
  std::vector<std::string> problems;
  auto orphans = connection.prepare(R"(
SELECT 1 FROM trials AS t LEFT JOIN searches AS s ON s.number = t.id >> 32
LEFT JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
WHERE k.curve_id IS NULL)");
  while (orphans.step()) {
    problems.push_back("a row of trials refers to none in curves");
  }
  auto twins = connection.prepare(R"(
SELECT s.id, t.curve_id, t.point FROM trials AS t JOIN searches AS s ON s.number = t.id >> 32
GROUP BY t.id >> 32, t.curve_id, t.point HAVING count(*) > 1)");
  while (twins.step()) {
    problems.push_back("search " + twins.text(0) + " has two trials of curve " + twins.text(1) +
                       ", point " + twins.text(2));
  }
  return problems;
}

}  // namespace

void refuse_other_file(const std::filesystem::path& file) {
  constexpr std::string_view begin_of_a_database = "SQLite format 3";
  std::string begin(begin_of_a_database.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (in.gcount() > 0 && begin != begin_of_a_database) {
    throw Error(ErrorKind::foreign_file,
                file.string() + " is not a database; it was left as it is");
  }
}

std::filesystem::path canonical_path(const std::filesystem::path& file) {
  if (file.empty()) {
    throw Error(ErrorKind::system, "the database needs a file name", ENOENT);
  }
  std::error_code error;
  auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
  if (error) {
    throw Error(ErrorKind::system, "cannot open database " + file.string() + ": " + error.message(),
                error.value());
  }
  if (const auto status = std::filesystem::status(path, error);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(ErrorKind::system, std::filesystem::is_directory(status)
                                       ? "database " + path.string() +
                                             " is a directory: name a file, such as " +
                                             (path / "macrostep.db").string()
                                       : "database " + path.string() + " is not a regular file");
  }
  if (!std::filesystem::exists(path.parent_path(), error) && !error) {
    throw Error(ErrorKind::system,
                "there is no folder " + path.parent_path().string() + " for the database", ENOENT);
  }
  return path;
}

std::filesystem::path backup_name(const std::filesystem::path& file, std::int64_t version) {
  const std::string name = first_backup_name(file, version);
  std::error_code ignored;
  for (int number = 1; number <= maximum_namesakes; ++number) {
    auto result = numbered_name(name, number);
    if (!std::filesystem::exists(result, ignored)) {
      return result;
    }
  }
  throw Error(ErrorKind::system, "there are too many backups named " + name, EEXIST);
}

void snapshot_database(const std::filesystem::path& file, const std::filesystem::path& copy) {
  std::error_code error;
  if (std::filesystem::exists(copy, error)) {
    throw Error(ErrorKind::system, copy.string() + " exists already", EEXIST);
  }
  publish_copy(write_partial_copy(canonical_path(file), copy), copy);
}

Backup back_up(const std::filesystem::path& file, std::int64_t version) {
  remove_partial_backups(file);
  const auto copy = backup_name(file, version);
  const auto partial = write_partial_copy(file, copy);
  for (int number = 1; number <= maximum_namesakes; ++number) {
    const auto former = numbered_name(first_backup_name(file, version), number);
    if (former == copy) {
      break;
    }
    if (same_content(former, partial)) {
      std::error_code ignored;
      std::filesystem::remove(partial, ignored);
      return {.path = former, .is_new = false};
    }
  }
  publish_copy(partial, copy);
  return {.path = copy, .is_new = true};
}

std::vector<std::string> check_database(const std::filesystem::path& file) {
  const auto path = canonical_path(file);
  Connection connection(path, OpenMode::inspect);
  const auto version = begin_to_read(connection, path);
  std::vector<std::string> problems;
  auto integrity = connection.prepare("PRAGMA integrity_check");
  while (integrity.step()) {
    if (integrity.text(0) != "ok") {
      problems.push_back(integrity.text(0));
    }
  }
  auto orphans = connection.prepare("PRAGMA foreign_key_check");
  while (orphans.step()) {
    problems.push_back("a row of " + orphans.text(0) + " refers to none in " + orphans.text(2));
  }
  if (version == schema_version && problems.empty()) {
    problems = wrong_counts(connection);
    for (auto& problem : wrong_trials(connection)) {
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

}  // namespace macrostep::db
