#include "db/schema/sqlite.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cmath>
#include <stdexcept>
#include <system_error>

#include "db/schema/error.hpp"
#include "db/schema/side_files.hpp"

namespace macrostep::db {
namespace {

constexpr int busy_timeout_ms = 5000;
// A checkpoint that readers hold up is tried again later rather than waited for.
constexpr int checkpoint_timeout_ms = 50;
constexpr std::size_t sql_in_message_chars = 60;

ErrorKind kind_of(int code) {
  switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return ErrorKind::constraint;
    case SQLITE_CORRUPT:
      return ErrorKind::corrupt;
    case SQLITE_FULL:
      return ErrorKind::full;
    case SQLITE_NOTADB:
      return ErrorKind::foreign_file;
    case SQLITE_READONLY:
      return ErrorKind::read_only;
    default:
      return ErrorKind::sqlite;
  }
}

/// The beginning of a statement, on one line.
std::string shortened(std::string_view sql) {
  std::string text;
  for (const char c : sql) {
    const bool blank = c == ' ' || c == '\n';
    if (text.size() == sql_in_message_chars) {
      break;
    }
    if (!blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_in_fixed_folder(const std::filesystem::path& file) {
  return access(std::filesystem::absolute(file).parent_path().c_str(), W_OK) != 0;
}

/// This user cannot change it: SQLite, too, makes no index of a log beside such a file.
bool is_fixed(const std::filesystem::path& file) {
  return is_in_fixed_folder(file) || access(file.c_str(), W_OK) != 0;
}

/// All of it is in the file: nothing is left in a log or a journal.
bool is_alone(const std::filesystem::path& file) {
  return !is_there(beside(file, log_ending)) && !is_there(beside(file, journal_ending));
}

/// SQLite's name of a file that nobody changes: it needs no locks, and no index of a log.
std::string immutable_name(const std::filesystem::path& file) {
  std::string name = "file://";
  for (const char letter : std::filesystem::absolute(file).string()) {
    switch (letter) {
      case '%':
        name += "%25";
        break;
      case '?':
        name += "%3f";
        break;
      case '#':
        name += "%23";
        break;
      default:
        name += letter;
    }
  }
  return name + "?immutable=1";
}

/// What went wrong: in our words where SQLite's tell neither the reason nor what helps.
std::string reason_of(int code, const std::filesystem::path& file, const char* message,
                      std::string_view context) {
  const std::string name = file.string();
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
      return "database " + name + " is damaged (" + message + ", SQLite code " +
             std::to_string(code) + "); macrostep db check tells where";
    case SQLITE_NOTADB:
      return name + " is not a database; it was left as it is";
    case SQLITE_CANTOPEN:
      if (is_in_fixed_folder(file)) {
        return "database " + name + " cannot be opened: SQLite has to write " + name +
               "-shm, and " + std::filesystem::absolute(file).parent_path().string() +
               " cannot be written; copy the file, and " + name +
               "-wal if it is there, to a folder that can";
      }
      break;
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_LOCK && is_fixed(file)) {
        return "database " + name + " cannot be read with its log, as SQLite has to lock it, and " +
               name + " cannot be written; copy the file, and " + name +
               "-wal, to a folder that can, and make them writable";
      }
      break;
    default:
      break;
  }
  return "database " + name + ": " + message + " (SQLite code " + std::to_string(code) + ", " +
         shortened(context) + ")";
}

[[noreturn]] void fail(sqlite3* handle, std::string_view context) {
  const int code = sqlite3_extended_errcode(handle);
  const char* file = sqlite3_db_filename(handle, "main");
  throw Error(kind_of(code), reason_of(code, file ? file : "", sqlite3_errmsg(handle), context),
              code);
}

void check(sqlite3_stmt* statement, int code) {
  if (code != SQLITE_OK) {
    fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
  }
}

int access_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return SQLITE_OPEN_READONLY;
    case OpenMode::inspect:
      return SQLITE_OPEN_READWRITE;
    case OpenMode::write_create:
      break;
  }
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

}  // namespace

Statement::~Statement() {
  rewind();
  sqlite3_clear_bindings(handle_);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code == SQLITE_DONE) {
    return false;
  }
  fail(sqlite3_db_handle(handle_), sqlite3_sql(handle_));
}

void Statement::run() {
  while (step()) {
  }
  rewind();
}

// What a failed step reported, reset reports again; it has been thrown already.
void Statement::rewind() {
  sqlite3_reset(handle_);
}

int Statement::columns() const {
  return sqlite3_column_count(handle_);
}

std::string Statement::column_name(int column) const {
  return sqlite3_column_name(handle_, column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  if (!data) {
    return {};
  }
  return {reinterpret_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::string Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  if (!data) {
    return {};
  }
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}

void Statement::bind_null(int index) {
  check(handle_, sqlite3_bind_null(handle_, index));
}

void Statement::bind_integer(int index, std::int64_t value) {
  check(handle_, sqlite3_bind_int64(handle_, index, value));
}

void Statement::bind_real(int index, double value) {
  // SQLite would store an infinity, and its shell prints it as the text Inf.
  if (!std::isfinite(value)) {
    return bind_null(index);
  }
  check(handle_, sqlite3_bind_double(handle_, index, value));
}

void Statement::bind_text(int index, std::string_view value) {
  // A null pointer would bind NULL, and an empty view may hold one.
  const char* data = value.empty() ? "" : value.data();
  check(handle_,
        sqlite3_bind_text64(handle_, index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_lasting(int index, std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  check(handle_,
        sqlite3_bind_text64(handle_, index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_bytes(int index, std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  check(handle_, sqlite3_bind_blob64(handle_, index, data, value.size(), SQLITE_TRANSIENT));
}

void Connection::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

void Connection::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

Connection::Connection(const std::filesystem::path& path, OpenMode mode) {
  const bool has_log = is_there(beside(path, log_ending));
  const bool immutable = mode == OpenMode::inspect && is_alone(path) && is_fixed(path);
  const std::string name = immutable ? immutable_name(path) : path.string();
  const int flags = access_of(mode) | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);  // SQLite hands out a handle even when it fails
  if (!handle) {
    throw std::bad_alloc();
  }
  if (code != SQLITE_OK) {
    if (mode != OpenMode::write_create && !is_there(path)) {
      throw Error(ErrorKind::sqlite, "there is no file " + path.string(), code);
    }
    const int refused = sqlite3_system_errno(handle);
    throw Error(
        ErrorKind::sqlite,
        "cannot open database " + path.string() + ": " +
            (refused != 0 ? std::generic_category().message(refused) : sqlite3_errmsg(handle)) +
            " (SQLite code " + std::to_string(code) + ")",
        code);
  }
  // SQLite opens what it may not write for reading, without a word.
  if (mode == OpenMode::write_create && sqlite3_db_readonly(handle, "main") == 1) {
    throw Error(ErrorKind::read_only, "database " + path.string() +
                                          " cannot be written: the file, or its file system, is "
                                          "read-only");
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busy_timeout_ms);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (mode == OpenMode::inspect && has_log) {
    // What a writer that was killed has left there stays there.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
}

Connection::~Connection() = default;

Statement Connection::prepare(std::string_view sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) {
      fail(handle_.get(), sql);
    }
    found = statements_.emplace(std::string(sql), statement).first;
  }
  sqlite3_stmt* statement = found->second.get();
  if (sqlite3_stmt_busy(statement)) {
    throw std::logic_error("statement used twice at once");
  }
  return Statement(statement);
}

void Connection::execute(const std::string& script) {
  if (sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(handle_.get(), script);
  }
}

std::int64_t Connection::pragma(const std::string& name) {
  auto statement = prepare("PRAGMA " + name);
  std::int64_t value = 0;
  if (statement.step()) {
    statement.read(value);
  }
  return value;
}

std::int64_t Connection::changes() const {
  return sqlite3_changes64(handle_.get());
}

std::int64_t Connection::last_insert_rowid() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

bool Connection::in_transaction() const {
  return sqlite3_get_autocommit(handle_.get()) == 0;
}

Checkpoint Connection::checkpoint() {
  int log_pages = 0;
  sqlite3_busy_timeout(handle_.get(), checkpoint_timeout_ms);
  // Asked for first, because a truncating checkpoint reports the empty log it leaves behind.
  int code = sqlite3_wal_checkpoint_v2(handle_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &log_pages,
                                       nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_wal_checkpoint_v2(handle_.get(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                                     nullptr);
  }
  sqlite3_busy_timeout(handle_.get(), busy_timeout_ms);
  const bool blocked = (code & 0xff) == SQLITE_BUSY;
  if (code != SQLITE_OK && !blocked) {
    fail(handle_.get(), "checkpoint");
  }
  return {.blocked = blocked, .log_pages = log_pages};
}

std::int64_t Connection::full_scan_steps() const {
  std::int64_t steps = 0;
  for (const auto& [sql, statement] : statements_) {
    steps += sqlite3_stmt_status(statement.get(), SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
  }
  return steps;
}

Transaction::Transaction(Connection& connection) : connection_(connection) {
  connection_.prepare("BEGIN IMMEDIATE").run();
}

Transaction::~Transaction() {
  // SQLite has already rolled back by itself after a full disk or an I/O error.
  if (!connection_.in_transaction()) {
    return;
  }
  try {
    connection_.prepare("ROLLBACK").run();
  } catch (const Error&) {  // the error that brought us here is the one to report
  }
}

void Transaction::commit() {
  connection_.prepare("COMMIT").run();
}

}  // namespace macrostep::db
