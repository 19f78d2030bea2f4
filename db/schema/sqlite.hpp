// A thin layer over SQLite: handles that close themselves, prepared statements that are cached,
// values bound and read by their C++ type, failures as Error. SQLite's own header stays in
// sqlite.cpp. A Connection and what it hands out belong to one thread at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "db/schema/checkpoint.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace macrostep::db {

/// A value that is no text: a BLOB.
struct Bytes {
  std::string data;
};

/// A text that stays as it is until the statement is bound anew or ends: it is not copied.
struct Lasting {
  std::string_view text;
};

/// A prepared statement, borrowed from its connection's cache and given back (reset) at the end of
/// its scope, so that no read transaction outlives the call that needed it.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Starts over with ?1, ?2, … bound in order. A number that is not finite, and an empty optional,
  /// become NULL.
  template <class... Values>
  Statement& bind(const Values&... values) {
    rewind();
    bind_after(0, values...);
    return *this;
  }

  /// Binds further: ?n+1, ?n+2, …
  template <class... Values>
  void bind_after(int n, const Values&... values) {
    (bind_value(++n, values), ...);
  }

  bool step();  // true while there is a row
  void run();   // to the end

  /// Reads the row's columns, from the first, into variables.
  template <class... Values>
  void read(Values&... values) const {
    int column = 0;
    (read_value(column++, values), ...);
  }

  int columns() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  std::string text(int column) const;
  std::string bytes(int column) const;

 private:
  void rewind();
  void bind_null(int index);
  void bind_integer(int index, std::int64_t value);
  void bind_real(int index, double value);
  void bind_text(int index, std::string_view value);
  void bind_lasting(int index, std::string_view value);
  void bind_bytes(int index, std::string_view value);
  std::int64_t integer(int column) const;
  double real(int column) const;

  void bind_value(int index, const Bytes& value) { bind_bytes(index, value.data); }
  void bind_value(int index, const Lasting& value) { bind_lasting(index, value.text); }
  template <class Value>
  void bind_value(int index, const Value& value) {
    if constexpr (std::integral<Value>) {
      bind_integer(index, static_cast<std::int64_t>(value));
    } else if constexpr (std::floating_point<Value>) {
      bind_real(index, value);
    } else {
      bind_text(index, value);
    }
  }
  template <class Value>
  void bind_value(int index, const std::optional<Value>& value) {
    value ? bind_value(index, *value) : bind_null(index);
  }

  void read_value(int column, std::int64_t& value) const { value = integer(column); }
  void read_value(int column, bool& value) const { value = integer(column) != 0; }
  void read_value(int column, double& value) const { value = real(column); }
  void read_value(int column, std::string& value) const { value = text(column); }
  void read_value(int column, Bytes& value) const { value.data = bytes(column); }
  template <class Value>
  void read_value(int column, std::optional<Value>& value) const {
    value.reset();
    if (!is_null(column)) {
      read_value(column, value.emplace());
    }
  }

  sqlite3_stmt* handle_;
};

enum class OpenMode {
  read,
  /// Reads, too, and leaves the folder as it was unless somebody else has the file open: the last
  /// connection removes the log and its index, which a read-only one may not. Where nothing can be
  /// written beside the file, one without a log is read as what nobody changes.
  inspect,
  write_create
};

class Connection {
 public:
  Connection(const std::filesystem::path& path, OpenMode mode);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `sql` is text of the program, never of a user: each different one stays in the cache.
  Statement prepare(std::string_view sql);
  void execute(const std::string& script);
  std::int64_t pragma(const std::string& name);
  std::int64_t changes() const;
  std::int64_t last_insert_rowid() const;
  bool in_transaction() const;
  Checkpoint checkpoint();
  /// Rows that the cached statements visited for want of an index.
  std::int64_t full_scan_steps() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, std::less<>> statements_;
};

/// BEGIN IMMEDIATE … COMMIT; leaving the scope without commit() rolls everything back. Immediate,
/// because a transaction that first reads and then writes may fail whatever the timeout.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
};

}  // namespace macrostep::db
